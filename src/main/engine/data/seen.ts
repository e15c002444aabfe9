import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { pauseFor, untilTargetReachable } from '../runs/index.ts';
import type { DataPart } from '../store/store.ts';
import { hasRestarted, serverUptime, type TrialControl } from '../trial/index.ts';
import type { DataContext, DataKind, Need } from './kind.ts';
import { kindOf } from './kinds.ts';

/** Result of a check of data. */
export interface Seen {
  /** Everything is as a workload needs it. */
  complete: boolean;
  /** Nothing of it exists. */
  empty: boolean;
  parts: readonly DataPart[];
}

export function seenOf(kind: DataKind, parts: readonly DataPart[]): Seen {
  return {
    complete: parts.every((part) => part.found === undefined || kind.fits(part)),
    empty: parts.every(({ found }) => found === null),
    parts,
  };
}

/** Checks once. */
export async function inspect(context: DataContext, need: Need, signal: AbortSignal): Promise<Seen> {
  const kind = kindOf(need);
  return seenOf(kind, await kind.inspect(context, need.place, need, signal));
}

/** Checks, and waits for an unreachable host or a server that does not respond. */
export function inspectWaiting(context: DataContext, need: Need, control: TrialControl): Promise<Seen> {
  const inspectNow = (): Promise<Seen> => inspect(context, need, control.signal);
  if (need.kind === 'tables') return untilServerAnswers(context, need.place, control, inspectNow);
  return kindOf(need).untilReachable(context, need.place, control, inspectNow);
}

const SHOWN = 4;

/** Describes the first few parts that are not as needed. `exact`: right after they were made, when no trial can have changed them. */
export function wrongWords(kind: DataKind, { parts }: Pick<Seen, 'parts'>, exact = false): string {
  const isRight = exact ? kind.isAsMade : kind.fits;
  const wrong = parts.filter((part) => part.found !== undefined && !isRight(part));
  const words = wrong.slice(0, SHOWN).map((part) => kind.words.wrongPart(part, exact));
  return `${words.join('; ')}${wrong.length > SHOWN ? '; …' : ''}`;
}

/** The error for data that is not as needed, with expected and found parts. */
export function wrongData(need: Need, seen: Seen, next: 'keep' | 'replace' | 'made'): KneepointError {
  const { words, at, kind } = kindOf(need);
  return new KneepointError({
    code: kind === 'tables' && seen.empty ? 'table-missing' : 'data-mismatch',
    message: `${words.wrong(need)} (${wrongWords(kindOf(need), seen, next === 'made')}).`,
    ...at(need.place),
    safe: `No trial was started on ${words.parts === 'tables' ? 'it' : 'them'}.`,
    next: words.next[next],
  });
}

const POLL_MS = 500;

/** Detects whether a server has ended since this was created. */
interface ServerWatch {
  /** True if it does not respond, or was restarted. */
  hasEnded(): Promise<boolean>;
  /** Resolves when it responds. Throws `cancelled` if the user ends the session. */
  untilBack(): Promise<void>;
}

export async function serverWatch(context: DataContext, target: string, control: TrialControl): Promise<ServerWatch> {
  const readUptime = () => serverUptime(context, target, control.signal);
  const before = await readUptime().catch(() => undefined);
  return {
    async hasEnded() {
      const now = await untilTargetReachable(context, target, control, readUptime).catch(unlessGone);
      return now === undefined || hasRestarted(before, now);
    },
    untilBack: () => untilServerAnswers(context, target, control, async () => void (await readUptime())),
  };
}

/** Repeats `act` until the server responds or the session is ended, as for an unreachable host. Logged once. */
async function untilServerAnswers<T>(
  context: DataContext,
  target: string,
  control: Pick<TrialControl, 'signal'> & Partial<Pick<TrialControl, 'ended' | 'notice'>>,
  act: () => Promise<T>,
): Promise<T> {
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await untilTargetReachable(context, target, control, act);
    } catch (error) {
      if (control.signal.aborted || problemOf(error).code !== 'target-unreachable') throw error;
      if (control.ended?.()) throw new KneepointError({ code: 'cancelled', message: 'Stopped by user.' });
      if (!isLogged)
        control.notice?.('warn', `${problemOf(error).message} Waiting for the server of target “${target}”.`);
      await pauseFor(POLL_MS, control.signal);
    }
  }
}

function unlessGone(error: unknown): undefined {
  if (problemOf(error).code !== 'target-unreachable') throw error;
}
