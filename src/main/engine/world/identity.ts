import { KneepointError } from '../../../shared/model/problem.ts';
import { capital } from '../../../shared/util/format.ts';
import type { ChangePlace } from '../factors/change.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Identity, JournalEntry } from '../store/store.ts';
import { type PlaceContext, placeWords } from './at.ts';

/*
 * A name and an address do not identify the machine that responds there today. So each entry of the journal stores the identity of its machine or
 * server, which is compared before anything is written to a place.
 */

const MACHINE_ID = 'machine id';
const HOST_NAME = 'host name';
const HOST_KEY = 'SSH host key';
/** Identity of the machine; all else belongs to the server. Images and clones may share one or the other. */
const OF_MACHINE = [MACHINE_ID, HOST_KEY];

/** systemd and D-Bus, macOS, FreeBSD. A host without any of them has its key, and this computer its name. */
const SCRIPT = `id=$(cat /etc/machine-id 2>/dev/null || cat /var/lib/dbus/machine-id 2>/dev/null || :)
[ -n "$id" ] || id=$(ioreg -rd1 -c IOPlatformExpertDevice 2>/dev/null | sed -n 's/.*"IOPlatformUUID" = "\\(.*\\)".*/\\1/p')
[ -n "$id" ] || id=$(sysctl -n kern.hostuuid 2>/dev/null || :)
echo "${MACHINE_ID}=$id"
echo "${HOST_NAME}=$(uname -n)"`;

type Context = PlaceContext;

/** Identity of the machine or server that responds at a place now. A server that cannot be asked is identified by its host alone. */
export async function identityOf(context: Context, place: ChangePlace, signal: AbortSignal): Promise<Identity> {
  return (await readIdentity(context, place, signal)).identity;
}

interface IdentityReading {
  readonly identity: Identity;
  /** Why the server could not be asked. */
  readonly problem?: unknown;
}

async function readIdentity(context: Context, place: ChangePlace, signal: AbortSignal): Promise<IdentityReading> {
  if (place.kind === 'host') return { identity: await ofMachine(context, place.name, signal) };
  const host = context.targets.spec(place.name).server?.host;
  const machine = host === undefined ? {} : await ofMachine(context, host, signal);
  try {
    return { identity: { ...machine, ...(await ofServer(context, place.name, signal)) } };
  } catch (error) {
    if (signal.aborted || !(error instanceof KneepointError)) throw error;
    return { identity: machine, problem: error };
  }
}

const ofMachine = ({ machines }: Context, name: string, signal: AbortSignal): Promise<Identity> =>
  machineIdentity(machines.get(name), signal);

/** Identity of the machine that responds now. */
export async function machineIdentity(machine: Machine, signal?: AbortSignal): Promise<Identity> {
  const { stdout } = await machine.exec(SCRIPT, { ...(signal && { signal }) });
  const values = new Map(
    stdout.split('\n').flatMap((line) => {
      const [, what = '', value = ''] = /^([a-z ]+)=(\S+)$/.exec(line) ?? [];
      return value === '' || value === 'uninitialized' ? [] : [[what, value] as const];
    }),
  );
  const key = machine.hostKey?.();
  return { ...Object.fromEntries(values), ...(key !== undefined && { [HOST_KEY]: key }) };
}

async function ofServer({ targets }: Context, name: string, signal: AbortSignal): Promise<Identity> {
  const session = await targets.open(name, signal);
  try {
    return (await session?.identity?.()) ?? {};
  } finally {
    await session?.close();
  }
}

/** doubtful: parts of it are the same, others are not. unknown: there is nothing to compare. */
type Likeness = 'same' | 'other' | 'doubtful' | 'unknown';

export function likeness(then: Identity, now: Identity): Likeness {
  const common = Object.keys(then).filter((part) => now[part] !== undefined);
  const distinctive = common.filter((part) => part !== HOST_NAME);
  const isSame = (part: string): boolean => then[part] === now[part];
  const judged = [distinctive.filter(isOfMachine), distinctive.filter((part) => !isOfMachine(part))]
    .filter((parts) => parts.length > 0)
    .map((parts): Likeness => (parts.every(isSame) ? 'same' : parts.some(isSame) ? 'doubtful' : 'other'));
  for (const worst of ['other', 'doubtful', 'same'] as const) if (judged.includes(worst)) return worst;
  if (common.includes(HOST_NAME)) return isSame(HOST_NAME) ? 'same' : 'other';
  return Object.keys(then).length + Object.keys(now).length === 0 ? 'same' : 'unknown';
}

const isOfMachine = (part: string): boolean => OF_MACHINE.includes(part);

/** Whether a machine is certainly the one on which something was changed; for a server, only its machine is compared. */
export const isSameMachine = (then: Identity | null, now: Identity): boolean =>
  then !== null && Object.keys(then).some(isOfMachine) && likeness(then, now) === 'same';

/** Describes a machine that is not the one on which a file was written. Undefined if it is the same, as far as known. */
export function machineMismatch(name: string, then: Identity | null, now: Identity): string | undefined {
  const found = then === null ? 'unknown' : likeness(then, now);
  return found === 'other' || found === 'doubtful'
    ? mismatchWords({ kind: 'host', name }, found, then, now)
    : undefined;
}

/** “machine id 4c4c…, SSH host key SHA256:…”. */
const wordsOf = (identity: Identity): string =>
  Object.entries(identity)
    .map(([part, value]) => `${part} ${value}`)
    .join(', ') || 'no distinguishing features';

/** A reason against writing to a place. `mayConfirm`: a user who knows that it is the right one can confirm it. */
export interface IdentityMismatch {
  readonly message: string;
  readonly mayConfirm: boolean;
}

/** Compares the stored identity of a place with the current one. */
export class Identities {
  readonly #context: Context;
  readonly #signal: AbortSignal;
  readonly #confirmed: readonly string[];
  readonly #readings = new Map<string, Promise<IdentityReading>>();

  /** `confirmed`: names of hosts and targets that a user has checked. */
  constructor(context: Context, signal: AbortSignal, confirmed: readonly string[] = []) {
    this.#context = context;
    this.#signal = signal;
    this.#confirmed = confirmed;
  }

  /**
   * Returns a reason against writing to the place. Undefined if its identity is the same, or a user has confirmed it. Throws the error that prevents
   * reading it.
   */
  async against({
    place,
    identity: then,
  }: Pick<JournalEntry, 'place' | 'identity'>): Promise<IdentityMismatch | undefined> {
    const { identity: now, problem } = await this.#read(place);
    const found = then === null ? 'unknown' : likeness(then, now);
    if (found === 'same') return undefined;
    if (found === 'unknown' && problem !== undefined) throw problem;
    const mayConfirm = found !== 'other';
    if (mayConfirm && this.#confirmed.includes(place.name)) return undefined;
    return { message: `${mismatchWords(place, found, then, now)} ${nextWords(place, mayConfirm)}`, mayConfirm };
  }

  async now(place: ChangePlace): Promise<Identity> {
    return (await this.#read(place)).identity;
  }

  /** Reads each place once, unless that failed. */
  #read(place: ChangePlace): Promise<IdentityReading> {
    const key = placeWords(place);
    const known = this.#readings.get(key) ?? readIdentity(this.#context, place, this.#signal);
    this.#readings.set(key, known);
    known.catch(() => this.#readings.delete(key));
    return known;
  }
}

function mismatchWords(place: ChangePlace, found: Likeness, then: Identity | null, now: Identity): string {
  const at = placeWords(place);
  const what = place.kind === 'host' ? 'machine' : 'server';
  if (then === null)
    return `An earlier version made this change without recording the identity of the ${what}. ${capital(at)} now has ${wordsOf(now)}.`;
  const both = `It has ${wordsOf(now)}; the ${what} that was changed had ${wordsOf(then)}.`;
  return found === 'other'
    ? `${capital(at)} is no longer the ${what} that was changed. ${both} Nothing was written to it.`
    : `${capital(at)} may not be the ${what} that was changed. ${both} Nothing was written to it.`;
}

function nextWords({ kind, name }: ChangePlace, mayConfirm: boolean): string {
  if (mayConfirm) return `If it is the same one, confirm it in the app or with “kneepoint restore --confirm ${name}”.`;
  const what = kind === 'host' ? 'machine' : 'server';
  return `Connect “${name}” to the ${what} that was changed, and try again. If it no longer exists, give up its original settings with “kneepoint restore --give-up ${name}”.`;
}

/** Refuses to change more at a place that is not the one whose first values are in the journal. */
export async function requireSamePlace(identities: Identities, entries: readonly JournalEntry[]): Promise<void> {
  for (const entry of entries) {
    // An earlier version of the app began this session: its further trials continue on the same place, and the end asks.
    if (entry.identity === null) continue;
    const mismatch = await identities.against(entry);
    if (!mismatch) continue;
    throw new KneepointError({
      code: 'change-not-possible',
      message: mismatch.message,
      ...(entry.place.kind === 'host' ? { host: entry.place.name } : { target: entry.place.name }),
      safe: 'Nothing was changed.',
    });
  }
}
