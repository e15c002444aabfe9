import { KneepointError, type Problem, problemOf } from '../../../../shared/model/problem.ts';
import { isSameSetting } from '../../../../shared/util/setting-value.ts';
import type { At, Change } from '../change.ts';
import { restoreLines } from './file.ts';
import { controlled, type First, firstOf, settingsReference } from './place.ts';

/**
 * Restarts the server and then sets again what was set in memory since its start, by any client, as a restart loses that. `except`:
 * settings that are set again anyway.
 */
export async function restartKeeping(at: At, except: readonly string[], restart: () => Promise<void>): Promise<void> {
  const before = await controlled(at, (control) => control.inMemory());
  try {
    await restart();
  } finally {
    // Also when the change was reverted, as the server is up then. If it is down, the first error is thrown.
    await reapply(at, before, except).catch((error: unknown) => {
      if (problemOf(error).code !== 'target-unreachable') throw error;
    });
  }
}

async function reapply(at: At, before: ReadonlyMap<string, string>, except: readonly string[]): Promise<void> {
  const names = [...before.keys()].filter((name) => !except.includes(name));
  if (names.length === 0) return;
  await controlled(at, async (control) => {
    const now = await control.look(names);
    const lost = names.flatMap((name, index): [string, string][] => {
      const [was, is] = [before.get(name) ?? '', now[index]];
      return is === undefined || is.effect !== 'live' || isSameSetting(was, is.value) ? [] : [[name, was]];
    });
    if (lost.length > 0) await control.set(new Map(lost));
  });
}

/**
 * Restarts the server for changes that take effect at a start. If it does not start with them, they are reverted on its host, it is started
 * again, and `change-refused` includes the server's output. Throws `server-not-back` if it does not start even then.
 */
export async function restartFor(at: At, changes: readonly Change[]): Promise<void> {
  try {
    await at.server().restart(at.signal);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code !== 'server-not-back') throw error;
    await revert(at, changes, problem);
    throw refusedBy(at, changes, problem, error);
  }
}

const listed = (changes: readonly Change[]): string =>
  changes.map(({ setting: desired }) => `“${desired.what}” = ${desired.value}`).join(', ');

async function revert(at: At, changes: readonly Change[], problem: Problem): Promise<void> {
  try {
    await restoreWhileDown(
      at,
      changes.map(({ setting: desired, first }) => firstOf(desired.what, first)),
    );
    await at.server().restart(at.signal);
  } catch (error) {
    const second = problemOf(error);
    throw new KneepointError(
      {
        ...second,
        code: 'server-not-back',
        target: at.place.name,
        message: `The server of target “${at.place.name}” did not start with ${listed(changes)}, nor with the original values. ${second.message} Before that: ${problem.message}`,
        next: 'Start the server by hand. “kneepoint restore --list” shows the original values.',
      },
      { cause: error },
    );
  }
}

function refusedBy(at: At, changes: readonly Change[], problem: Problem, cause: unknown): KneepointError {
  return new KneepointError(
    {
      code: 'change-refused',
      message: `The server of target “${at.place.name}” did not start with ${listed(blamed(changes, problem))}. ${problem.message}`,
      target: at.place.name,
      ...(problem.host !== undefined && { host: problem.host }),
      safe: 'The change was undone, and the server is up again with its original values.',
      next: 'Choose another value, or exclude this level.',
      details: problem.details,
    },
    { cause },
  );
}

/** Settings named in the log; all, if it names none. */
function blamed(changes: readonly Change[], { message }: Problem): readonly Change[] {
  const named = changes.filter(({ setting: desired }) => message.includes(desired.what));
  return named.length === 0 ? changes : named;
}

/** Restores values on the host that take effect at a start, for a server that is down. */
export async function restoreWhileDown(at: At, first: readonly First[]): Promise<void> {
  await restoreLines(at, first);
  const own = first.filter(({ keptIn }) => keptIn === 'server');
  const script = own.length === 0 ? undefined : settingsReference(at)?.restoreScript?.(own);
  if (script === undefined) return;
  const { code, stderr } = await at.machine().exec(script, { signal: at.signal });
  if (code === 0) return;
  throw new KneepointError({
    code: 'change-refused',
    message: `${at.machine().name}: ${own.map(({ name }) => name).join(', ')} could not be removed from the server’s own settings file: ${stderr.trim() || 'reason unknown'}.`,
    host: at.machine().name,
    target: at.place.name,
    next: 'Remove the lines from that file by hand.',
  });
}
