import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { type JobBed, KINDS, openJobBed, removeWrittenTo, until } from '../jobs/testing/job-bed.ts';
import { commandMonitor, hostMonitor } from './index.ts';
import type { MonitorProgram } from './monitor.ts';

const PROGRAMS: readonly (readonly [string, MonitorProgram])[] = [
  ['a host', hostMonitor({ processes: ['sysbench'] })],
  [
    'a command',
    commandMonitor({ name: 'tried', command: 'while :; do echo n=1; sleep 1; done', pattern: 'n=(?<n>\\d)' }),
  ],
];
/** By day only the kind with the fewest programs: every walk monitors over SSH. */
const USED = byDay(
  KINDS.filter(({ kind }) => ['busybox', 'ssh'].includes(kind)),
  ({ kind }) => kind === 'busybox',
);

/** As a session does: launched, followed over its job, stopped. */
describe.each(USED)('monitored by a job on $kind,', (kind) => {
  let bed: JobBed;
  beforeEach(async () => {
    bed = await openJobBed(kind);
  });
  // Waits until no process of it is left.
  afterEach(() => bed.close());

  const launch = async ({ job }: MonitorProgram): Promise<string> => {
    const spec = { id: randomUUID(), limitSeconds: 60, ...job };
    await bed.jobs.launch(bed.machine, spec);
    return spec.id;
  };

  it.each(PROGRAMS)('%s is followed and stopped without a trace', async (_, program) => {
    const began = Date.now();
    const id = await launch(program);
    const parser = program.parser();
    const times: number[] = [];
    let rest = '';
    for await (const { bytes } of bed.jobs.follow(bed.machine, id, 'stdout', 0, new AbortController().signal)) {
      const lines = (rest + Buffer.from(bytes).toString()).split('\n');
      rest = lines.pop() ?? '';
      times.push(...lines.flatMap((line) => parser.line(line)?.t ?? []));
      if (times.length >= 3) break;
    }
    expect(times.at(-1)).toBeGreaterThanOrEqual(Math.floor(began / 1000));
    expect(times.at(-1)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
    expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
    expect((await bed.reach(id, 'ended')).end.cause).toBe('stop');
    // A shell may report that the command was ended; nothing else went wrong.
    expect(
      bed
        .read(id, 'stderr')
        .toString()
        .replaceAll(/.*Terminated.*\n/g, ''),
    ).toBe('');
  });

  it.each(PROGRAMS)('%s ends when its folder is removed', async (_, program) => {
    const id = await launch(program);
    await until(() => bed.read(id, 'stdout').length || undefined);
    removeWrittenTo(bed.directory(id));
    expect((await bed.jobs.status(bed.machine, id)).state).toBe('gone');
  });
});
