import { setTimeout as delay } from 'node:timers/promises';
import { KneepointError, problemKind } from '../../../shared/model/problem.ts';
import type { ServerState } from '../../../shared/model/target.ts';
import type { Machine } from '../hosts/machine.ts';
import { isLinkLoss, retrying } from '../jobs/protocol.ts';
import { isSilent } from '../targets/index.ts';
import { notBack, notPossible, refused, serverOf } from './problems.ts';
import type { Control, Controlled, Server, SettingsFile } from './server.ts';

const FIRST_POLL_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** A server with one kind of control. Starting, stopping and waiting are the same for all kinds. */
export function createServer(at: Controlled, control: Control, settingsFile: SettingsFile | undefined): Server {
  const { machine, limitMs } = at;

  const readState = async (signal: AbortSignal): Promise<ServerState> => {
    const present = await control.present(signal);
    if (present === false) return 'stopped';
    if (await answers(at, signal)) return 'running';
    return present ? 'starting' : 'stopped';
  };
  const state = (signal: AbortSignal) => retrying(machine, signal, () => readState(signal));

  const until = (condition: () => Promise<boolean>, ms: number, signal: AbortSignal) =>
    untilTrue(machine, condition, ms, signal);

  async function up(signal: AbortSignal): Promise<void> {
    let seen = false;
    const isUp = async (): Promise<boolean> => {
      const now = await readState(signal);
      if (now === 'stopped' && control.reportsEarlyExit)
        throw notBack(
          at,
          seen ? 'ended during its start.' : 'ended right after its start.',
          await control.logEnd(signal),
        );
      seen ||= now === 'starting';
      return now === 'running';
    };
    const ms = limitMs + (control.extraMs?.() ?? 0);
    if (!(await until(isUp, ms, signal)))
      throw notBack(at, `does not accept connections ${seconds(ms)} after its start.`, await control.logEnd(signal));
    await control.started?.(signal);
  }

  /** Runs a step of the control; repeats it after a lost link only if it is still needed. */
  const step = (needed: (signal: AbortSignal) => Promise<boolean>, run: Control['start'], signal: AbortSignal) =>
    retrying(machine, signal, async () => {
      if (await needed(signal)) await run(signal);
    });

  async function start(signal: AbortSignal): Promise<void> {
    await step(async () => (await readState(signal)) === 'stopped', control.start, signal);
    await up(signal);
  }

  async function stop(signal: AbortSignal): Promise<void> {
    const isThere = async (): Promise<boolean> => (await readState(signal)) !== 'stopped';
    await step(isThere, control.stop, signal);
    if (await until(async () => !(await isThere()), limitMs, signal)) return;
    throw refused(at, `has not stopped within ${seconds(limitMs)}.`, await control.logEnd(signal));
  }

  async function kill(send: NonNullable<Control['kill']>, signal: AbortSignal): Promise<void> {
    if ((await state(signal)) === 'stopped') throw refused(at, 'is not running, so there is nothing to kill.', '');
    const isGone = await send(signal);
    if (await until(() => isGone(signal), limitMs, signal)) return;
    throw refused(at, `has not ended within ${seconds(limitMs)} after SIGKILL.`, await control.logEnd(signal));
  }

  return {
    control: control.kind,
    settingsFile,
    state,
    start,
    stop,
    ...(control.kill && { kill: kill.bind(undefined, control.kill) }),
    async restart(signal) {
      const { restart } = control;
      if (restart && (await state(signal)) !== 'stopped') {
        await retrying(machine, signal, () => restart(signal));
        await up(signal);
        return;
      }
      await stop(signal);
      await start(signal).catch((error: unknown) => {
        throw afterStop(error);
      });
    },
    async reload(signal) {
      const { reload } = control;
      if (!reload) {
        throw notPossible(
          at,
          `${serverOf(at)} cannot reload its configuration: its control has no reload command.`,
          'Restart it instead, or give its target a reload command.',
        );
      }
      await retrying(machine, signal, () => reload(signal));
    },
  };
}

/** Polls until it is so; false on timeout. Time with a broken link does not count. */
async function untilTrue(
  machine: Machine,
  condition: () => Promise<boolean>,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  let end = performance.now() + ms;
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    try {
      if (await condition()) return true;
      if (performance.now() > end) return false;
    } catch (error) {
      if (!isLinkLoss(error)) throw error;
      const since = performance.now();
      await machine.ready(signal);
      end += performance.now() - since;
      if (performance.now() > end) throw error;
    }
    await delay(pause, undefined, { signal });
  }
}

/** Problems of a start state that nothing was changed, which is not true for a restart. */
const afterStop = (error: unknown): unknown =>
  error instanceof KneepointError && error.code === 'change-not-possible'
    ? new KneepointError({ ...error.problem, safe: 'The server was stopped for the restart, and is down.' })
    : error;

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/**
 * Whether the server accepts Kneepoint's own connections. A refused login counts as a response, and so does “too many connections”. Throws
 * if it cannot be determined: a broken link, a missing password.
 */
async function answers({ context, spec }: Controlled, signal: AbortSignal): Promise<boolean> {
  try {
    const session = await context.targets.open(spec.name, signal);
    if (!session) return false;
    try {
      await session.ping();
    } finally {
      await session.close();
    }
    return true;
  } catch (error) {
    if (!(error instanceof KneepointError)) throw error;
    if (isSilent(error)) return false;
    if (problemKind(error)?.about === 'target') return true;
    throw error;
  }
}
