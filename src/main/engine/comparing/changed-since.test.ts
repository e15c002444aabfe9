import { expect, it } from 'vitest';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { experimentOf } from '../figures/testing/measured.ts';
import { changedSinceStart } from './differences.ts';

const disk = (name: string) => ({ name, sizeBytes: 1, model: `${name} model`, mounts: [] });
const FACTS = {
  ...{
    hostname: 'load1',
    os: 'Debian',
    kernel: '6.1',
    architecture: 'x86_64',
    cpuCount: 4,
    cpuGovernor: 'performance',
  },
  ...{ disks: [disk('sda'), disk('sdb')], networks: [], filesystems: [], tools: [], readAt: 0 },
} as unknown as HostFacts;

/** Findings on trials that were added when the host reported these facts. */
function messages(then: Partial<HostFacts>): string[] {
  const { cpuGovernor, ...rest } = FACTS;
  const facts = { ...rest, ...('cpuGovernor' in then ? {} : { cpuGovernor }), ...then } as HostFacts;
  const detail = {
    session: { tool: 'sysbench' },
    experiment: experimentOf({}),
    hosts: [{ name: 'load1', facts: FACTS }],
    later: [{ from: 3, added: 3, at: 0, facts: { hosts: [{ name: 'load1', facts }] } }],
  } as unknown as SessionDetail;
  return changedSinceStart(detail).map(({ message }) => message);
}

it('facts that one side did not report have not changed; a disk that is missing has', () => {
  expect(messages({})).toEqual([]);
  const { cpuGovernor: _, ...untold } = FACTS;
  expect(messages({ ...untold, cpuGovernor: undefined } as unknown as HostFacts)).toEqual([]);
  // Its disks could not be read.
  expect(messages({ disks: [] })).toEqual([]);
  expect(messages({ disks: FACTS.disks.slice(0, 1) })).toEqual([
    expect.stringContaining('Generator disk sdb (sdb model → –)'),
  ]);
  expect(messages({ kernel: '6.8' })).toEqual([expect.stringContaining('Generator kernel (6.1 → 6.8)')]);
});
