import { expect, it } from 'vitest';
import { nodePath } from './node-path.ts';

const plain = { env: {}, versions: {}, execPath: '/usr/bin/node', platform: 'linux' };
const electron = { ...plain, versions: { electron: '45.4.1' }, execPath: '/opt/Kneepoint/kneepoint' };
const archive = '/opt/Kneepoint/resources/app.asar';

it('runs programs with the Node that runs this', () => {
  expect(nodePath('/clone', plain)).toBe('/usr/bin/node');
});

it('runs programs with the Node that the launcher names', () => {
  expect(nodePath('/clone', { ...electron, env: { KNEEPOINT_NODE: '/n/node' } })).toBe('/n/node');
});

it('runs programs of a package with the Node beside its archive, never with Electron', () => {
  expect(nodePath(archive, electron)).toBe('/opt/Kneepoint/resources/node/node');
  expect(nodePath(archive, { ...electron, platform: 'win32' })).toBe('/opt/Kneepoint/resources/node/node.exe');
});
