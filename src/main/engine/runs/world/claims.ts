import { createHash } from 'node:crypto';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { SessionState } from '../../../../shared/model/session.ts';
import { shellQuote } from '../../../../shared/util/shell-quote.ts';
import type { ChangePlace } from '../../factors/change.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { RunsContext } from '../context.ts';
import { endOf, placeWords, type WorldContext } from './at.ts';

/*
 * Two libraries know nothing of each other's journals: the second one would take the changes of the first for the values to go back to. So a
 * session claims a place on the host that it is on, before it changes anything there. A claim is a symbolic link whose target is its text:
 * it is made and read in one step, by any account of the host.
 */

const FOLDER = '/var/tmp';
const SEPARATOR = ' ~ ';

type Context = WorldContext & Pick<RunsContext, 'store' | 'clock' | 'library'>;

/** Who has a place: the session by its uuid, and the same in words. */
interface Owner {
  uuid: string;
  words: string;
}

/** Where claims of a place lie; undefined where nobody knows the host, so that no claim can be made. */
function claimOf(context: WorldContext, place: ChangePlace): { machine: Machine; path: string } | undefined {
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
 * Takes a place for a session; what it has already stays its own. Whether it was taken now: another library may have put back there right
 * before. Throws `conflict` with who has it.
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
  const text = shellQuote([owner.uuid, owner.words].join(SEPARATOR));
  const script = `ln -s ${text} ${where.path} 2>/dev/null && echo ${MADE}; readlink ${where.path}`;
  const { stdout, stderr } = await where.machine.exec(script, { signal });
  const lines = stdout.trim().split('\n');
  const [uuid, words] = lines.at(-1)?.split(SEPARATOR) ?? [];
  if (uuid === owner.uuid) return lines[0] === MADE;
  if (uuid === undefined || uuid === '')
    throw new KneepointError({
      code: 'change-not-possible',
      message: `${where.machine.name}: ${where.path}, which tells other libraries that ${placeWords(place)} is being varied, could not be made: ${stderr.trim() || 'no reason was given'}.`,
      host: where.machine.name,
      session: sessionId,
      safe: 'Nothing was changed.',
      next: `Make ${FOLDER} writable for the account on that host.`,
    });
  throw new KneepointError({
    code: 'conflict',
    message: `The settings of ${placeWords(place)} are being varied by ${words ?? 'another library'}.`,
    ...(place.kind === 'host' ? { host: place.name } : { target: place.name }),
    session: sessionId,
    safe: 'Nothing was changed.',
    next: `Wait until that session has ended, or put its changes back there with “kneepoint restore”. If that library no longer exists, look at the settings yourself and remove ${where.path} on ${where.machine.name}.`,
  });
}

/** Who varies a place, in words, unless it is a session of this library; undefined: nobody else, as far as the host tells. */
export async function claimedElsewhere(
  context: WorldContext & Pick<RunsContext, 'store'>,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const where = claimOf(context, place);
  if (!where) return undefined;
  const { stdout } = await where.machine.exec(`readlink ${where.path} || :`, { signal });
  const [uuid = '', words] = stdout.trim().split(SEPARATOR);
  const own = context.store.sessions.inState(SessionState.options).some((session) => session.uuid === uuid);
  if (uuid === '' || own) return undefined;
  return words ?? 'another library';
}

/** Lets a place go, if this session has it. */
export async function release(
  context: Context,
  sessionId: number,
  place: ChangePlace,
  signal: AbortSignal,
): Promise<void> {
  const where = claimOf(context, place);
  const owner = ownerOf(context, sessionId);
  if (!where || !owner) return;
  const mine = `case $(readlink ${where.path}) in ${shellQuote(owner.uuid)}*) rm -f ${where.path};; esac`;
  await where.machine.exec(mine, { signal });
}

function ownerOf({ store, clock, library }: Context, sessionId: number): Owner | undefined {
  const row = store.sessions.get(sessionId);
  if (!row) return undefined;
  const since = new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ');
  // A link's text has its limit, and goes into a sentence.
  const words = `session ${row.id} of ${library}, since ${since} UTC`.replaceAll(/[\p{Cc}~]/gu, ' ').slice(0, 500);
  return { uuid: row.uuid, words };
}
