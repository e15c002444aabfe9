import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JobBed, kindsByDay, openJobBed } from './testing/job-bed.ts';

describe.each(kindsByDay('bash as sh'))('a tool that waits on $kind', (kind) => {
  let bed: JobBed;
  beforeEach(async () => {
    bed = await openJobBed(kind);
  });
  afterEach(() => bed.close());

  it('starts once at the given time and reports the time', async () => {
    const { jobs, machine } = bed;
    const spec = bed.spec('date +%s; echo "$PWD"', { waitSeconds: 60 });
    await jobs.launch(machine, spec);
    expect(await jobs.startTime(machine, spec.id)).toBeUndefined();
    expect(bed.read(spec.id, 'stdout')).toHaveLength(0);
    const moment = Date.now() + 1500;
    expect(await jobs.release(machine, spec.id, moment)).toBe(moment);
    // Repeated, as after a lost reply: the first time applies.
    expect(await jobs.release(machine, spec.id, moment + 60_000)).toBe(moment);
    const { end } = await bed.reach(spec.id, 'ended');
    expect(end.code).toBe(0);
    const began = await jobs.startTime(machine, spec.id);
    // A host without fractions of a second starts at the next full second, or at the previous one.
    expect(began).toBeGreaterThanOrEqual(moment - 1000);
    const [second, folder] = bed.read(spec.id, 'stdout').toString().trim().split('\n');
    expect(Number(second) * 1000).toBeGreaterThanOrEqual(moment - 2000);
    expect(folder).toMatch(/files$/);
  });

  it('starts at once if the time has passed', async () => {
    const { jobs, machine } = bed;
    const spec = bed.spec('echo started', { waitSeconds: 60 });
    await jobs.launch(machine, spec);
    await jobs.release(machine, spec.id, Date.now() - 5000);
    await bed.reach(spec.id, 'ended');
    expect(bed.read(spec.id, 'stdout').toString()).toBe('started\n');
  });

  it('can be stopped while it waits, and does not wait forever', async () => {
    const { jobs, machine } = bed;
    const stopped = bed.spec('echo started', { waitSeconds: 60 });
    const forgotten = bed.spec('echo started', { waitSeconds: 1 });
    await Promise.all([jobs.launch(machine, stopped), jobs.launch(machine, forgotten)]);
    await jobs.stop(machine, stopped.id);
    expect((await bed.reach(stopped.id, 'ended')).end.cause).toBe('stop');
    expect((await bed.reach(forgotten.id, 'ended')).end.code).toBe(124);
    expect(bed.read(forgotten.id, 'stderr').toString()).toContain('not released within 1 s');
    for (const { id } of [stopped, forgotten]) {
      expect(bed.read(id, 'stdout')).toHaveLength(0);
      expect(await jobs.startTime(machine, id)).toBeUndefined();
      expect(existsSync(join(bed.directory(id), 'start.sh'))).toBe(false);
    }
  });

  it('reports a missing job', async () => {
    const { jobs, machine } = bed;
    await expect(jobs.release(machine, 'nobody', Date.now())).rejects.toMatchObject({ code: 'job-lost' });
    await expect(jobs.startTime(machine, 'nobody')).rejects.toMatchObject({ code: 'job-lost' });
  });
});
