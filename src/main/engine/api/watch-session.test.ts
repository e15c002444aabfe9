import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionEvent } from '../../../shared/model/session.ts';
import { Overviews } from '../results/index.ts';
import { createSecrets } from '../secrets/index.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { Prices } from './context.ts';
import type { PresentContext } from './present.ts';
import { SessionReader } from './watch-session.ts';

const TRIALS = 300;

let folder: ReturnType<typeof libraryFolder>;
let bed: SessionBed;
/** Rows of runs that the store has returned. */
let rows = 0;
beforeEach(() => {
  folder = libraryFolder();
  bed = new SessionBed();
  rows = 0;
});
afterEach(async () => {
  await bed.close();
  folder.remove();
});

const counted = <Row>(given: Row[]): Row[] => {
  rows += given.length;
  return given;
};

function contextOf(): PresentContext {
  const { store, sessions } = bed;
  const { runs } = store;
  return {
    store: {
      ...store,
      runs: {
        ...runs,
        ofSession: (id) => counted(runs.ofSession(id)),
        changedSince: (id, revision) => counted(runs.changedSince(id, revision)),
        open: (id) => counted(runs.open(id)),
      },
    },
    sessions,
    secrets: createSecrets({ dataDir: folder.path, rows: store.secrets }),
    overviews: new Overviews(store),
    prices: new Prices(folder.path),
    now: () => 0,
  };
}

const runsIn = (events: SessionEvent[]): number[] =>
  events.flatMap((event) => (event.kind === 'run' ? [event.run.trial] : []));
const samplesIn = (events: SessionEvent[]) =>
  events.flatMap((event) => (event.kind === 'samples' ? [[event.batch.first, ...event.batch.t]] : []));

it('reopening a long session reads and sends only changes, once', async () => {
  const id = bed.start({ trials: TRIALS });
  const job = await bed.running(id, 0);
  const reader = new SessionReader(contextOf(), id, 100);
  const look = () => [...reader.updates()];
  expect(runsIn(look())).toHaveLength(TRIALS);

  rows = 0;
  expect(look()).toEqual([]);
  expect(rows).toBeLessThan(5);

  const stored = () => bed.store.samples.count(bed.runs(id)[0]?.id ?? 0, 0);
  job.print('1 100\n2 200\n');
  await bed.until(id, () => stored() === 2);
  rows = 0;
  const measured = look();
  expect(runsIn(measured)).toEqual([0]);
  expect(samplesIn(measured)).toEqual([[0, 1, 2]]);
  job.print('3 300\n');
  await bed.until(id, () => stored() === 3);
  expect(samplesIn(look())).toEqual([[2, 3]]);
  expect(rows).toBeLessThan(10);

  job.end(0);
  const second = await bed.running(id, 1);
  rows = 0;
  const next = look();
  expect(runsIn(next)).toEqual([0, 1]);
  expect(next.filter(({ kind }) => kind === 'session')).toHaveLength(1);
  expect(look()).toEqual([]);
  expect(rows).toBeLessThan(10);
  second.end(0);
  await bed.sessions.stop(id);
  await bed.sessions.settled(id);
  look();
  expect(reader.ended).toBe(true);
});
