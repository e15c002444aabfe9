import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../hosts/machine.ts';
import { inspectDevices, requireDevices } from './devices.ts';

const recorded = readFileSync(new URL('../devices/recordings/loop-partitions.txt', import.meta.url), 'utf8');
const { signal } = new AbortController();
const device = '/dev/disk/by-id/scsi-kneepoint-part3';

/** A host that responds to the device script with a recorded output, modified by `change`. */
function fakeHost(change: (text: string) => string = (text) => text): Machine {
  const answer = async (script: string) => {
    const nonce = /@@(\w+) end/.exec(script)?.[1] ?? '';
    return { code: 0, stdout: change(recorded).replaceAll('@@n ', `@@${nonce} `), stderr: '' };
  };
  const unexpected = (): never => {
    throw new Error('The gate only asks.');
  };
  return {
    name: 'web1',
    exec: answer,
    spawn: unexpected,
    dial: unexpected,
    dialSocket: unexpected,
    link: unexpected,
    ready: unexpected,
  };
}
const look = (destroy: readonly string[], machine = fakeHost()) => inspectDevices(machine, [device], destroy, signal);
const mounted = (text: string): string => text.replace('/srv/my\\040data', '/srv/x').replace('259:0 /', '259:2 /');

describe('the preflight', () => {
  it('asks for host and device by the current device name', async () => {
    const { findings, granted } = await look([]);
    expect(findings).toEqual([
      {
        code: 'destroy-unconfirmed',
        severity: 'block',
        confirm: 'web1:/dev/loop0p3',
        message: `Everything on ${device} (/dev/loop0p3) of web1 (16.0 MiB) will be overwritten.`,
        next: expect.stringContaining('“web1:/dev/loop0p3”'),
      },
    ]);
    expect(granted).toEqual([]);
  });

  it('accepts both by either name of the device, and still warns', async () => {
    for (const typed of ['web1:/dev/loop0p3', `web1:${device}`]) {
      const { findings, granted } = await look([typed]);
      expect(findings).toMatchObject([{ code: 'device-overwritten', severity: 'warn' }]);
      expect(granted).toEqual([{ host: 'web1', device, identity: expect.stringContaining('16777216') }]);
    }
  });

  it('refuses the name of another host, another device, or only a part', async () => {
    for (const typed of [
      'web2:/dev/loop0p3',
      'web1:/dev/loop0',
      '/dev/loop0p3',
      'web1',
      'yes',
      'WEB1:/dev/loop0p3',
      '',
    ]) {
      const { findings, granted } = await look([typed]);
      expect(findings.map(({ severity }) => severity)).toContain('block');
      expect(granted).toEqual([]);
    }
  });

  it('refuses a device in use, whatever was typed', async () => {
    const { findings, granted } = await look(['web1:/dev/loop0p3'], fakeHost(mounted));
    expect(findings).toMatchObject([
      {
        code: 'device-refused',
        severity: 'block',
        message: expect.stringMatching(/on web1 is mounted at .*Nothing is written to it\./),
        evidence: '/dev/loop0p3 /srv/x',
      },
    ]);
    expect(granted).toEqual([]);
  });

  it('ignores a confirmation of a device that nothing overwrites', async () => {
    const typed = ['web1:/dev/loop0p3', 'web1:/dev/sdz'];
    const { findings } = await look(typed);
    expect(findings.at(-1)).toMatchObject({ code: 'destroy-unmeant', severity: 'block' });
    expect(await inspectDevices(fakeHost(), [], ['web1:/dev/sdz'], signal)).toMatchObject({
      findings: [{ code: 'destroy-unmeant' }],
    });
    expect(await inspectDevices(fakeHost(), [], [], signal)).toEqual({ findings: [], granted: [] });
  });
});

describe('immediately before the launch', () => {
  const refused = (words: RegExp) =>
    expect.objectContaining({
      problem: expect.objectContaining({
        code: 'device-refused',
        host: 'web1',
        message: expect.stringMatching(words),
        safe: 'Nothing was written to it.',
      }),
    });
  const granted = async () => (await look(['web1:/dev/loop0p3'])).granted;

  it('checks the device again', async () => {
    const grants = await granted();
    await requireDevices(grants, fakeHost(), [device], signal);
    await expect(requireDevices(grants, fakeHost(mounted), [device], signal)).rejects.toEqual(refused(/is mounted/));
    const written = (text: string): string => text.replace('\nclean\n', '\n0x438,,,ext4\n');
    await expect(requireDevices(grants, fakeHost(written), [device], signal)).rejects.toEqual(refused(/holds data/));
  });

  it('requires the confirmed device', async () => {
    const grants = await granted();
    const other = (text: string): string => text.replaceAll('16777216', '33554432');
    await expect(requireDevices(grants, fakeHost(other), [device], signal)).rejects.toEqual(
      refused(/no longer the device/),
    );
    const restarted = (text: string): string => text.replace(/(boot-id\n).*/, '$1other');
    await expect(requireDevices(grants, fakeHost(restarted), [device], signal)).rejects.toEqual(
      refused(/no longer the device/),
    );
    await expect(requireDevices([], fakeHost(), [device], signal)).rejects.toEqual(
      refused(/Overwriting .* was not confirmed/),
    );
    const elsewhere = grants.map((grant) => ({ ...grant, host: 'web2' }));
    await expect(requireDevices(elsewhere, fakeHost(), [device], signal)).rejects.toEqual(
      refused(/Overwriting .* was not confirmed/),
    );
  });

  it('does not take an aborted connection for a host without mounts', async () => {
    const cut = fakeHost((text) => text.slice(0, text.indexOf('@@n swaps')));
    await expect(requireDevices(await granted(), cut, [device], signal)).rejects.toMatchObject({
      problem: { code: 'host-refused', safe: 'Nothing was written to the device.' },
    });
  });
});
