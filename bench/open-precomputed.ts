import { setTimeout as delay } from 'node:timers/promises';
import { outsideOf } from '../src/main/computer/index.ts';
import { PRECOMPUTED_MARK } from '../src/main/engine/api/precompute.ts';
import { createEngine } from '../src/main/engine/index.ts';
import { JUDGEMENT_VERSION } from '../src/main/engine/judging/index.ts';
import { openStore } from '../src/main/engine/store/open.ts';
import { forgetSummaries } from './open-library.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Cost of an engine for calculating pages' requests ahead. */
export interface PrecomputeTimes {
  ms: number;
  cpuMs: number;
  /** Longest blocking of the event loop, milliseconds. */
  blockedMs: number;
}

/**
 * Opens an older library and waits until its engine has judged the runs and calculated the first requests of pages ahead. It does the latter after
 * the end of each session too.
 */
export async function precompute(dataDir: string): Promise<PrecomputeTimes> {
  await judgeAll(dataDir);
  forgetSummaries(dataDir);
  return untilDone(dataDir);
}

/** As in a library of this version. */
export async function judgeAll(dataDir: string): Promise<void> {
  const store = openStore(dataDir, { mode: 'test' });
  const isJudged = store.judgements.missing(JUDGEMENT_VERSION).length === 0;
  store.close();
  if (!isJudged) await untilDone(dataDir);
}

/** Waits until an engine that opens this library has judged its runs and calculated the first requests of pages ahead. */
export async function untilDone(dataDir: string): Promise<PrecomputeTimes> {
  const engine = await createEngine({ ...outsideOf({ mode: 'test', dataDir, log: quiet }), resumeSessions: false });
  const store = openStore(dataDir, { mode: 'test', shared: true });
  const [began, before] = [performance.now(), process.cpuUsage()];
  let [blockedMs, last] = [0, began];
  const look = (): void => {
    const now = performance.now();
    blockedMs = Math.max(blockedMs, now - last);
    last = now;
  };
  const looks = setInterval(look, 1);
  while (
    store.summaries.notPrecomputed(PRECOMPUTED_MARK, 1).length + store.judgements.missing(JUDGEMENT_VERSION).length >
    0
  )
    await delay(50);
  clearInterval(looks);
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - began;
  store.close();
  await engine.close();
  return { ms, cpuMs: (user + system) / 1000, blockedMs: blockedMs };
}
