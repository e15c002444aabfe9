import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { SessionBed } from '../session/testing/session-bed.ts';

skipPauses();

let bed: SessionBed;
let begun: number;
beforeEach(() => {
  bed = new SessionBed();
  begun = bed.now;
});
afterEach(() => bed.close());

const ended = (id: number) => bed.store.events.ofSession(id, ['warm-up-end'], 0, 100);
/** A session whose first trial is running and has printed the seconds of its warm-up. */
async function warmingUp(hosts: readonly string[] = ['one']): Promise<{ id: number; job: FakeJob }> {
  const id = bed.start({ trials: 1, warmup: 3, hosts });
  const job = await bed.running(id, 0);
  bed.now = begun + 60_000;
  job.print('1 100\n2 100\n3 100\n');
  await stored(id, 3);
  return { id, job };
}
const stored = (id: number, count: number, generator = 0): Promise<void> =>
  bed.until(id, () => bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, generator) === count);

describe('the end of a warm-up', () => {
  it('is recorded once, with the first sample after it', async () => {
    const { id, job } = await warmingUp();
    expect(ended(id)).toEqual([]);
    job.print('4 100\n');
    await stored(id, 4);
    const runId = bed.runs(id)[0]?.id;
    const wanted = { sessionId: id, runId, kind: 'warm-up-end', t: 3, at: begun + 3000, level: 'info' };
    expect(ended(id)).toMatchObject([wanted]);
    job.print('5 100\n');
    job.end(0);
    await bed.sessions.settled(id);
    expect(ended(id)).toMatchObject([wanted]);
    expect(bed.log(id).filter(({ message }) => message.includes('warm-up'))).toEqual([]);
  });

  it('is counted from the first line of the index, on our clock', async () => {
    bed.readClock = async () => ({ offsetMs: -250.25, roundTripMs: 2 });
    const { id, job } = await warmingUp();
    job.print(`${begun / 1000 + 20} 7.00 0\n`, 'index');
    await bed.until(id, () => bed.store.samples.index(bed.runs(id)[0]?.id ?? 0, 0).epoch.length > 0);
    job.print('4 100\n');
    await stored(id, 4);
    expect(ended(id)).toMatchObject([{ t: 3, at: begun + 20_000 - 250 + 3000 }]);
  });

  it('is not recorded again when the app is restarted after it', async () => {
    const { id, job } = await warmingUp();
    job.print('4 100\n');
    await stored(id, 4);
    await bed.reopen();
    job.print('5 100\n');
    job.end(0);
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(bed.states(id)).toEqual(['done']);
    expect(ended(id)).toHaveLength(1);
  });

  it('is recorded if it happens while the app is closed', async () => {
    const { id, job } = await warmingUp();
    await bed.reopen();
    job.print('4 100\n5 100\n');
    job.end(0);
    expect(ended(id)).toEqual([]);
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(ended(id)).toMatchObject([{ t: 3, at: begun + 3000 }]);
  });

  it('is recorded once for several generators', async () => {
    const { id, job } = await warmingUp(['one', 'two']);
    const other = bed.jobOf(id, 0, 1);
    other.print('3 100\n4 100\n');
    await stored(id, 2, 1);
    expect(ended(id)).toHaveLength(1);
    for (const each of [job, other]) {
      each.print('5 100\n');
      each.end(0);
    }
    await bed.sessions.settled(id);
    expect(ended(id)).toHaveLength(1);
  });

  it('is not recorded without a warm-up, or if the trial ends within it', async () => {
    bed.script.push((job) => {
      job.print('1 100\n');
      job.end(0);
    });
    const without = bed.start({ trials: 1 });
    await bed.sessions.settled(without);
    expect(ended(without)).toEqual([]);
    const { id, job } = await warmingUp();
    job.end(1);
    await bed.sessions.settled(id);
    expect(ended(id)).toEqual([]);
  });
});

describe('the sources of a trial', () => {
  it('are its generators with their clock offsets', async () => {
    bed.readClock = async ({ name }) => (name === 'one' ? { offsetMs: 12.5, roundTripMs: 3 } : undefined);
    const { id } = await warmingUp(['one', 'two']);
    expect(bed.store.sources.ofSession(id)).toMatchObject([
      { kind: 'generator', name: 'one', position: 0, clock: { offsetMs: 12.5, errorMs: 1.5, at: begun } },
      { kind: 'generator', name: 'two', position: 1 },
    ]);
    expect(bed.store.sources.ofSession(id)[1]).not.toHaveProperty('clock');
    await bed.sessions.stop(id);
    await bed.sessions.settled(id);
  });
});
