import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { TOOLS } from '../tools/index.ts';
import { SessionBed } from './testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed(['one'], TOOLS);
});
afterEach(() => bed.close());

const document = (untilStopped: boolean, more = ''): string => `kneepoint: 1
name: Of a test
workload: { tool: observation, options: { until-stopped: ${untilStopped} } }
where: { generators: [one] }
measure: { duration: 600${more} }
`;
const begins = (job: FakeJob): void => job.print('Watching for 600 s.\n');
const ends = (job: FakeJob): void => {
  begins(job);
  job.print('The whole time has passed.\n');
  job.end(0);
};
/** A session whose first trial is running. */
async function watching(untilStopped: boolean, more?: string): Promise<number> {
  bed.script.push(begins);
  const id = await bed.startText(document(untilStopped, more));
  await bed.running(id, 0);
  return id;
}
const program: MonitorProgram = {
  ...{ job: { argv: ['watch'], env: {}, files: [] }, rules: [], keepsOutput: false },
  parser: () => ({ unread: 0, line: () => undefined }),
};
const codes = (id: number): string[] => bed.runs(id).flatMap(({ findings }) => findings.map(({ code }) => code));

describe('a monitoring session', () => {
  it('is done after its time, without figures and findings', async () => {
    bed.script.push(ends);
    const id = await bed.startText(document(false));
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', message: null, steps: [{ tool: 'observation', metric: null }] });
    expect(bed.runs(id)).toMatchObject([{ state: 'done', partial: false, summary: {}, findings: [] }]);
    expect(bed.log(id).filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('is complete when stopped by the user, if open-ended', async () => {
    const id = await watching(true);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', message: null, trialsEnded: 1, trialsFailed: 0 });
    expect(bed.runs(id)).toMatchObject([{ state: 'done', partial: false, message: null }]);
    expect(codes(id)).toEqual(['ended-when-told']);
  });

  it('stays complete when the trial is read again from its output', async () => {
    const id = await watching(true);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    const [run] = bed.runs(id);
    if (run) await bed.readAgain(run);
    expect(bed.runs(id)).toMatchObject([{ state: 'done', partial: false }]);
    expect(codes(id)).toEqual(['ended-when-told']);
  });

  it('is stopped if not open-ended, or if trials remain', async () => {
    const id = await watching(false);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'stopped', message: 'Stopped by user.' });
    expect(bed.runs(id)).toMatchObject([{ state: 'stopped', partial: true }]);

    const several = await watching(true, ', repeats: 2');
    await bed.sessions.stop(several);
    await bed.sessions.settled(several);
    expect(bed.row(several)).toMatchObject({ state: 'stopped' });
    expect(bed.runs(several)).toMatchObject([
      { state: 'done', partial: false },
      { state: 'skipped', partial: false },
    ]);
  });

  it('continues with the next trial when one is ended, and is done', async () => {
    const id = await watching(true, ', repeats: 2');
    bed.script.push(ends);
    bed.sessions.skip(id);
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsFailed: 0 });
    expect(bed.states(id)).toEqual(['done', 'done']);
  });

  it('fails if its wait was ended from outside', async () => {
    const id = await watching(false);
    bed.jobOf(id, 0).end(143, 'TERM');
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['failed']);
  });

  it('monitors its generator, which has no load', async () => {
    bed.monitors = { host: () => program };
    bed.crash();
    const id = await watching(true);
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
    const [source] = bed.store.sources.ofSession(id).filter(({ kind }) => kind === 'host');
    expect(source).toMatchObject({ name: 'one', about: { roles: ['other'] } });
  });

  it('has no warnings about measurement fairness', async () => {
    const { plan, problems } = bed.check(document(true));
    expect(problems).toEqual([]);
    expect(plan?.findings).toEqual([]);
  });
});
