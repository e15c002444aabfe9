import { createHash } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import { SessionState } from '../../../shared/model/session.ts';
import { EXECUTED_SESSION } from '../../../shared/model/states.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { ChangePlace } from '../factors/change.ts';
import type { Machine } from '../hosts/machine.ts';
import type { ClaimRow, SessionRow } from '../store/store.ts';
import { endOf, type PlaceContext, placeWords } from './at.ts';
import type { WorldContext } from './context.ts';
import { changedNow } from './entries.ts';

/*
 * Libraries do not know each other's journals: a second one would store the changes of the first as original values. So a session claims a place on
 * its host before it changes anything there. A claim is a symbolic link whose target is its text: any account of the host creates and reads it in one
 * step.
 */

const FOLDER = '/var/tmp';
const SEPARATOR = ' ~ ';

type Context = PlaceContext & Pick<WorldContext, 'store' | 'clock' | 'library'>;

/** Owner of a place: the session's uuid, and a description. */
interface Owner {
  uuid: string;
  words: string;
}

/** Path of a place's claim; undefined if its host is unknown, and no claim is possible. */
function claimOf(context: PlaceContext, place: ChangePlace): { machine: Machine; path: string } | undefined {
  const machineOf = (name: string): Machine => context.machines.get(name);
  const path = (...what: unknown[]): string => {
    const hash = createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 16);
    return `${FOLDER}/kneepoint-claim-${hash}`;
  };
  if (place.kind === 'host') return { machine: machineOf(place.name), path: path('host') };
  const spec = context.targets.spec(place.name);
  const { server, kind } = spec;
  if (!server) return undefined;
  return { machine: machineOf(server.host), path: path('server', kind, endOf(spec)) };
}

const MADE = 'made';

/**
 * Claims a place for a session. Claims that it has already stay its own; one that an earlier session of this library could not release is taken over.
 * Resolves with true if it was claimed now: another library may have restored settings there just before. Throws `conflict`, with the owner, if
 * another has it.
 */
export async function claim(
  context: Context,
  sessionId: number,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<boolean> {
  const where = claimOf(context, place);
  const owner = ownerOf(context, sessionId);
  if (!where || !owner) return false;
  const { machine, path } = where;
  const row = { host: machine.name, path, owner: owner.uuid };
  context.store.claims.note(row);
  const text = shellQuote([owner.uuid, owner.words].join(SEPARATOR));
  const take = async (
    first = '',
  ): Promise<{ isNew: boolean; uuid: string; words: string | undefined; stderr: string }> => {
    const script = `${first}ln -s ${text} ${path} 2>/dev/null && echo ${MADE}; readlink ${path}`;
    const { stdout, stderr } = await machine.exec(script, { signal });
    const lines = stdout.trim().split('\n');
    const [uuid = '', words] = lines.at(-1)?.split(SEPARATOR) ?? [];
    return { isNew: lines[0] === MADE, uuid, words, stderr };
  };
  let found = await take();
  const before = { ...row, owner: found.uuid };
  if (found.uuid !== owner.uuid && isLeftover(context, before)) {
    found = await take(`${removal(before)}\n`);
    if (found.uuid === owner.uuid) context.store.claims.gone(before);
  }
  if (found.uuid === owner.uuid) return found.isNew;
  context.store.claims.gone(row);
  if (found.uuid === '')
    throw new KneepointError({
      code: 'change-not-possible',
      message: `${machine.name}: ${path}, which reserves ${placeWords(place)} for this session, could not be created: ${found.stderr.trim() || 'reason unknown'}.`,
      host: machine.name,
      session: sessionId,
      safe: 'Nothing was changed.',
      next: `Make ${FOLDER} writable for the account on that host.`,
    });
  const own = sessionOf(context, found.uuid);
  if (!own) throw claimedProblem(context, place, found.words, sessionId);
  throw new KneepointError({
    code: 'conflict',
    message: `Session ${own.id} has changed settings of ${placeWords(place)} and not restored them yet.`,
    ...(place.kind === 'host' ? { host: place.name } : { target: place.name }),
    session: sessionId,
    safe: 'Nothing was changed.',
    next: `Wait until that session has ended, or restore its changes with “kneepoint restore ${own.id}” or in the app.`,
  });
}

/** Error for a place that another library varies. `words`: that library's description of itself. */
export function claimedProblem(
  context: PlaceContext,
  place: ChangePlace,
  words: string | undefined,
  sessionId: number,
): KneepointError {
  const where = claimOf(context, place);
  return new KneepointError({
    code: 'conflict',
    message: `The settings of ${placeWords(place)} are being varied by ${words ?? 'another library'}.`,
    ...(place.kind === 'host' ? { host: place.name } : { target: place.name }),
    session: sessionId,
    safe: 'Nothing was changed.',
    next: `Wait until that session has ended, or restore its changes from that library with “kneepoint restore”.${where ? ` If that library no longer exists, check the settings yourself and remove ${where.path} on ${where.machine.name}.` : ''}`,
  });
}

const sessionOf = ({ store }: Pick<Context, 'store'>, uuid: string): SessionRow | undefined =>
  store.sessions.inState(SessionState.options).find((session) => session.uuid === uuid);

/**
 * Whether a claim belongs to a session of this library that has nothing to restore there and is not under way: it could not be released at its end.
 */
function isLeftover(context: PlaceContext & Pick<WorldContext, 'store'>, { host, path, owner }: ClaimRow): boolean {
  const { store } = context;
  const session = sessionOf(context, owner);
  const isOurs =
    session !== undefined || store.claims.list(host).some((row) => row.path === path && row.owner === owner);
  if (!isOurs || (session && EXECUTED_SESSION.includes(session.state))) return false;
  return changedNow(store).every((entry) => {
    if (entry.sessionId !== (session?.id ?? null)) return true;
    try {
      const where = claimOf(context, entry.place);
      return where?.machine.name !== host || where.path !== path;
    } catch {
      // Its host or target is not saved any more: it may be this place.
      return false;
    }
  });
}

const removal = ({ path, owner }: ClaimRow): string =>
  `case $(readlink ${path}) in ${shellQuote(owner)}*) rm -f ${path};; esac`;

/** Claims on a host, or everywhere, that could not be released when their session had restored everything. */
export const leftoverClaims = (context: PlaceContext & Pick<WorldContext, 'store'>, host?: string): ClaimRow[] =>
  context.store.claims.list(host).filter((row) => isLeftover(context, row));

/** Releases these claims. */
export async function releaseLeftoverClaims(
  context: PlaceContext & Pick<WorldContext, 'store' | 'hostsChanged'>,
  machine: Machine,
  signal: AbortSignal,
): Promise<void> {
  for (const row of leftoverClaims(context, machine.name)) {
    await machine.exec(removal(row), { signal });
    context.store.claims.gone(row);
    context.hostsChanged();
  }
}

/** Describes who varies a place, unless it is a session of this library. Undefined if the host shows no other. */
export async function claimedElsewhere(
  context: PlaceContext & Pick<WorldContext, 'store'>,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const where = claimOf(context, place);
  if (!where) return undefined;
  const { stdout } = await where.machine.exec(`readlink ${where.path} || :`, { signal });
  const [uuid = '', words] = stdout.trim().split(SEPARATOR);
  if (uuid === '' || sessionOf(context, uuid)) return undefined;
  return words ?? 'another library';
}

/** Releases a place that this session has claimed. If its host is unreachable, that is done at the next contact. */
export async function release(
  context: Context,
  sessionId: number,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<void> {
  const where = claimOf(context, place);
  const owner = ownerOf(context, sessionId);
  if (!where || !owner) return;
  const row = { host: where.machine.name, path: where.path, owner: owner.uuid };
  await where.machine.exec(removal(row), { signal });
  context.store.claims.gone(row);
}

function ownerOf({ store, clock, library }: Context, sessionId: number): Owner | undefined {
  const row = store.sessions.get(sessionId);
  if (!row) return undefined;
  const since = new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ');
  // The text of a link has a limit, and goes into a sentence.
  const words = `session ${row.id} of ${library}, since ${since} UTC`.replaceAll(/[\p{Cc}~]/gu, ' ').slice(0, 500);
  return { uuid: row.uuid, words };
}
