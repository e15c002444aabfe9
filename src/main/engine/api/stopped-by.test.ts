import { afterEach, beforeEach, expect, it } from 'vitest';
import { sessionWords } from '../../../shared/model/session-words.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { Overviews } from '../results/index.ts';
import { createSecrets } from '../secrets/index.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { Prices } from './context.ts';
import { presentSession } from './present.ts';

let folder: ReturnType<typeof libraryFolder>;
let bed: SessionBed;
beforeEach(() => {
  folder = libraryFolder();
  bed = new SessionBed(['one']);
});
afterEach(async () => {
  await bed.close();
  folder.remove();
});

const measures = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
const fails = (job: FakeJob): void => job.end(1);

async function presented(jobs: ((job: FakeJob) => void)[], trials: number, factors: string) {
  bed.script.push(...jobs);
  const id = bed.start({ trials, factors, measure: ', stop: { interval: 5 }' });
  await bed.sessions.settled(id);
  const { store, sessions } = bed;
  const secrets = createSecrets({ dataDir: folder.path, rows: store.secrets });
  const context = {
    store,
    sessions,
    secrets,
    overviews: new Overviews(store),
    prices: new Prices(folder.path),
    now: () => 0,
  };
  const session = presentSession(context, bed.row(id));
  return { session, word: sessionWords(session).word };
}

it('a session that needed fewer repeats is done with a reason and no missing trials', async () => {
  const { session, word } = await presented(Array(3).fill(measures), 5, '[]');
  expect(session).toMatchObject({ state: 'done', trialsEnded: 5, trialsTotal: 5 });
  expect(session.stoppedBy).toBe('1 cell reached the requested interval, so 2 trials were not needed.');
  expect([session.trialsMissing, word]).toEqual([undefined, 'done']);
});

it('failed trials still count as missing', async () => {
  const { session, word } = await presented([fails, measures, measures, measures], 6, '[]');
  expect(session.stoppedBy).toContain('2 trials were not needed');
  expect([session.trialsMissing, word]).toEqual([1, 'incomplete, 1 missing']);
});
