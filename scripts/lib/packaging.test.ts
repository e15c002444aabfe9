import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from './terminal.ts';

const config = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as {
  electronFuses: Record<string, boolean>;
  asar?: boolean;
  disableAsarIntegrity: boolean;
  linux: { extraResources: { from: string; to: string; filter: string[] }[] };
};

it('packages a program that cannot run other code', () => {
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    grantFileProtocolExtraPrivileges: false,
  });
  expect([config.asar, config.disableAsarIntegrity]).toEqual([undefined, false]);
});

it.runIf(process.platform === 'linux')('packages a Node for the jobs on this computer', () => {
  const [node] = config.linux.extraResources;
  // electron-builder's names of both architectures are Node's.
  const from = node?.from.replace(/\$\{arch\}/, process.arch) ?? '';
  expect(node?.to).toBe('node');
  expect(existsSync(path.join(root, from, node?.filter[0] ?? ''))).toBe(true);
});
