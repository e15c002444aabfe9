import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobBed, KINDS, openJobBed, removeWrittenTo, until } from '../jobs/testing/job-bed.ts';
import { hostMonitor } from './index.ts';

/** As a session does: launched, followed over its job, stopped. */
describe.each(KINDS.filter(({ kind }) => ['dash', 'busybox', 'ssh'].includes(kind)))(
  'a host watched by a job on $kind',
  (kind) => {
    let bed: JobBed;
    beforeEach(async () => {
      bed = await openJobBed(kind);
    });
    // Waits until no process is left of it.
    afterEach(() => bed.close());

    const launch = async (): Promise<string> => {
      const spec = { id: randomUUID(), limitSeconds: 60, ...hostMonitor({ processes: ['sysbench'] }).job };
      await bed.jobs.launch(bed.machine, spec);
      return spec.id;
    };

    it('is followed, and stopped without a trace', async () => {
      const id = await launch();
      const parser = hostMonitor({ processes: [] }).parser();
      const rows: number[] = [];
      let rest = '';
      for await (const { bytes } of bed.jobs.follow(bed.machine, id, 'stdout', 0, new AbortController().signal)) {
        const lines = (rest + Buffer.from(bytes).toString()).split('\n');
        rest = lines.pop() ?? '';
        rows.push(...lines.flatMap((line) => parser.line(line)?.t ?? []));
        if (rows.length >= 3) break;
      }
      expect(Math.abs((rows.at(-1) ?? 0) - Date.now() / 1000)).toBeLessThan(30);
      expect(await bed.jobs.stop(bed.machine, id)).toEqual({ left: 0 });
      expect((await bed.reach(id, 'ended')).end.cause).toBe('stop');
      expect(bed.read(id, 'stderr').toString()).toBe('');
    });

    it('is left alone when its folder is gone', async () => {
      const id = await launch();
      await until(() => bed.read(id, 'stdout').length || undefined);
      removeWrittenTo(bed.directory(id));
      expect((await bed.jobs.status(bed.machine, id)).state).toBe('gone');
    });
  },
);
