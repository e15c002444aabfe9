import type { EngineFinding } from '../../../shared/checks/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { inTheirOrder, isControlEvent, isSettingEvent } from '../../../shared/model/scenario.ts';
import type { RunFact } from '../../../shared/model/session.ts';
import { processDifferences, targetsOf } from '../../../shared/model/session-snapshot.ts';
import { formatDuration, named } from '../../../shared/util/format.ts';
import { type Kills, kernelName, killedBetween, processNow, readKills } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { eventSettings, type Step } from '../plans/index.ts';
import { atServer, toolOf, untilReachable, type Waiting } from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import { isSilent, programsOf, targetByKind } from '../targets/index.ts';
import { placeWords, readBack, whilePlaceReachable } from '../world/index.ts';
import type { TrialContext } from './context.ts';
import { toolStart } from './zero.ts';

/*
 * A trial has measured what its label states if its settings and its server were the same from its launch to its end. So settings are read back once
 * more, and a restart of the server meanwhile is detected, whoever caused it.
 */

/** State of a server and its host right before a trial. */
export interface ServerUptime {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly upSeconds: number | undefined;
  readonly kills: Kills | undefined;
  /** The launch was not observed: the app that launched it has ended since. */
  readonly isReattached?: true;
}

/**
 * State for a trial that is found again after a restart of the app: if its server has been up for a shorter time than the trial, it was restarted.
 * The kernel's log shows which processes it killed.
 */
export const uptimeAtLaunch = ({ startedAt }: RunRow): ServerUptime | undefined =>
  startedAt === null ? undefined : { at: startedAt, upSeconds: 0, kills: undefined, isReattached: true };

/** Uptime of a server; throws if it does not respond. */
export const serverUptime = async (
  context: TrialContext,
  target: string,
  signal: AbortSignal,
): Promise<ServerUptime> => ({
  upSeconds: await uptimeOf(context, target, signal),
  at: context.clock.now(),
  kills: undefined,
});

/** Whether a server has been up for less time than has passed. It counts whole seconds. */
export const hasRestarted = (before: ServerUptime | undefined, { at, upSeconds }: ServerUptime): boolean =>
  before?.upSeconds !== undefined && upSeconds !== undefined && upSeconds < (at - before.at) / 1000 - 1;

/** Undefined if there is no server, or it does not report this. */
export async function uptimeBefore(
  context: TrialContext,
  step: Step,
  waiting: Waiting,
): Promise<ServerUptime | undefined> {
  const { target } = atServer(context, step);
  if (target === undefined || !targetByKind(context.targets.spec(target).kind).settings) return undefined;
  const kills = await killsOn(context, target, waiting, undefined).catch(unlessAborted(waiting));
  const upSeconds = await uptimeOf(context, target, waiting.signal).catch(unlessAborted(waiting));
  return upSeconds === undefined && kills === undefined ? undefined : { at: context.clock.now(), upSeconds, kills };
}

/** A check is worth less than the trial: if it fails, nothing is reported. */
const unlessAborted =
  ({ signal }: Waiting) =>
  (error: unknown): undefined => {
    if (signal.aborted || !(error instanceof KneepointError)) throw error;
  };

async function uptimeOf({ targets }: TrialContext, target: string, signal: AbortSignal): Promise<number | undefined> {
  const session = await targets.open(target, signal);
  try {
    return (await (await session?.settingsControl?.())?.shared())?.upSeconds;
  } finally {
    await session?.close();
  }
}

const hostOf = ({ targets, machines }: TrialContext, target: string): Machine | undefined => {
  const { server } = targets.spec(target);
  return server && machines.get(server.host);
};

async function killsOn(
  context: TrialContext,
  target: string,
  waiting: Waiting,
  known: Kills | undefined,
): Promise<Kills | undefined> {
  const machine = hostOf(context, target);
  return machine && readKills(machine, { programs: programsOf(context.targets.spec(target).kind), known }, waiting);
}

/** A trial whose tools have all ended. */
export interface EndedTrial {
  readonly run: RunRow;
  readonly step: Step;
  /** Whether its tools report success. For a failed trial, only the reason of its server's end is worth a look, and no waiting. */
  readonly isGood: boolean;
  readonly before: ServerUptime | undefined;
}

/** Findings against a trial that has ended. */
export async function proofOf(context: TrialContext, trial: EndedTrial, waiting: Waiting): Promise<EngineFinding[]> {
  const server = await serverFindings(context, trial, waiting);
  const isGone = server.some(({ code }) => code === 'server-gone');
  return [...server, ...(isGone || !trial.isGood ? [] : await settingFindings(context, trial, waiting))];
}

async function serverFindings(
  context: TrialContext,
  { run, step, before, isGood }: EndedTrial,
  waiting: Waiting,
): Promise<EngineFinding[]> {
  const { target } = atServer(context, step);
  const { experiment } = context.store.sessions.snapshot(run.sessionId);
  const isMeant = experiment.measure.events?.some((event) => isControlEvent(event) || event.do === 'run');
  if (target === undefined || !before || isMeant || experiment.measure['tool-died'] === 'restart') return [];
  const asked = context.clock.now();
  const ask = (): Promise<number | undefined> => uptimeOf(context, target, waiting.signal);
  const readUptime = (): Promise<number | undefined> =>
    isGood ? whilePlaceReachable(context, { kind: 'server', name: target }, waiting, ask) : ask();
  const up =
    before.upSeconds === undefined
      ? undefined
      : await readUptime().catch((error: unknown) => {
          if (waiting.signal.aborted) throw error;
          return isSilent(error) ? null : undefined;
        });
  const isRestarted = typeof up === 'number' && hasRestarted(before, { at: asked, upSeconds: up, kills: undefined });
  const kills = before.kills && (await killsOn(context, target, waiting, before.kills).catch(unlessAborted(waiting)));
  const victims =
    before.isReattached || killedBetween(before.kills, kills) > 0
      ? ((await victimsOf(context, run, target, waiting).catch(unlessAborted(waiting))) ?? [])
      : [];
  const killed = before.isReattached ? victims.length : killedBetween(before.kills, kills);
  const back = isRestarted ? secondOf(context, run, asked - up * 1000) : undefined;
  const became =
    up === null ? 'no longer responded at the end of the trial' : `restarted at second ${back} of the trial`;
  if (killed > 0)
    return [memoryFinding(context, target, { killed, victims, became, isLost: up === null || isRestarted })];
  if (up === null && !isGood) return [];
  if (up === null)
    return [
      error('server-gone', `The server of target “${target}” ${became}.`, 'Check its log, then repeat the trial.'),
    ];
  if (!isRestarted)
    return typeof up === 'number' ? startFindings(context, run, target, asked - up * 1000, waiting) : [];
  return [
    error(
      'server-started-anew',
      `The server of target “${target}” ${became}, but not because of this session: it has been up for ${formatDuration(up ?? 0)}. Its caches and in-memory settings were lost.`,
      'Check its log for the cause, then repeat the trial.',
    ),
  ];
}

/** Reports differences in how the server was started, if that was after its facts were read: a change of a setting, for example, takes a restart. */
async function startFindings(
  context: TrialContext,
  run: RunRow,
  target: string,
  startedAt: number,
  waiting: Waiting,
): Promise<EngineFinding[]> {
  const { later = [], ...snapshot } = context.store.sessions.snapshot(run.sessionId);
  const facts = later.findLast(({ from }) => from <= run.trial)?.facts ?? snapshot;
  const known = targetsOf(facts).find(({ name, behind }) => (behind ?? name) === target);
  if (!known?.process || !(startedAt > (known.description?.readAt ?? Number.POSITIVE_INFINITY))) return [];
  const now = await processNow(context, target, waiting.signal).catch(unlessAborted(waiting));
  const differing = processDifferences(known.process, now);
  if (differing.length === 0) return [];
  return [
    {
      code: 'start-changed',
      severity: 'warn',
      message: `The server of target “${target}” was restarted before this trial and now runs differently: ${named(differing)}.`,
      next: 'Start it the same way throughout, or compare only trials with the same start method.',
    },
  ];
}

const error = (code: EngineFinding['code'], message: string, next: string): EngineFinding => ({
  code,
  severity: 'error',
  message,
  next,
});

const secondOf = ({ store }: TrialContext, run: RunRow, at: number): number =>
  Math.max(0, Math.round((at - toolStart(store, run, 0)) / 1000));

/** A line of the kernel's log, with the seconds since its start. */
const KILLED = /\[\s*(\d+\.\d+)\].*Killed process (\d+) \(([^)]*)\)/;

const KERNEL_LOG = `LC_ALL=C; export LC_ALL
cut -d' ' -f1 /proc/uptime
{ dmesg || sudo -n dmesg || journalctl -k -o short-monotonic -n 1000 --no-pager; } 2>/dev/null | grep 'Killed process' | tail -n 50
:`;

interface Victim {
  readonly name: string;
  readonly pid: string;
  readonly second: number;
}

/** A trial may end up to this much later than planned. */
const LATE_S = 60;

/** Processes killed during the trial, by the kernel's log. Empty if the account may not read it, or the host is unknown. */
async function victimsOf(context: TrialContext, run: RunRow, target: string, waiting: Waiting): Promise<Victim[]> {
  const machine = hostOf(context, target);
  if (!machine) return [];
  const { stdout } = await untilReachable(machine, waiting, () => machine.exec(KERNEL_LOG, { signal: waiting.signal }));
  const now = context.clock.now();
  const [uptime = '', ...lines] = stdout.split('\n');
  const start = toolStart(context.store, run, 0);
  return lines.flatMap((line): Victim[] => {
    const [, at, pid, name] = KILLED.exec(line) ?? [];
    const moment = now - (Number(uptime) - Number(at)) * 1000;
    const second = Math.round((moment - start) / 1000);
    const isWithin = moment > start - 1000 && second <= run.warmup + run.duration + LATE_S;
    return pid === undefined || name === undefined || !isWithin ? [] : [{ name, pid, second: Math.max(0, second) }];
  });
}

function memoryFinding(
  context: TrialContext,
  target: string,
  { killed, victims, became, isLost }: { killed: number; victims: readonly Victim[]; became: string; isLost: boolean },
): EngineFinding {
  const { name: host } = hostOf(context, target) as Machine;
  const own = programsOf(context.targets.spec(target).kind).map(kernelName);
  const shown = victims.toSorted((a, b) => Number(own.includes(b.name)) - Number(own.includes(a.name)))[0];
  const who = shown
    ? `“${shown.name}” (process ${shown.pid}) at second ${shown.second} of the trial: out of memory`
    : `${killed === 1 ? 'a process' : `${killed} processes`} during the trial: out of memory. The account has no permission to read the kernel log, which names ${killed === 1 ? 'it' : 'them'}`;
  return {
    code: 'out-of-memory',
    severity: isLost ? 'error' : 'warn',
    message: `The kernel of ${host} killed ${who}.${isLost ? ` The server of target “${target}” ${became}.` : ''}`,
    ...(shown && { evidence: `${shown.name} ${shown.pid}` }),
    next: 'Give the server less memory than the host or its control group has, or fewer clients, and repeat the trial.',
  };
}

/** Reports settings that differ from the launch, except those set by events of the document. */
async function settingFindings(
  context: TrialContext,
  { run, step }: EndedTrial,
  waiting: Waiting,
): Promise<EngineFinding[]> {
  const { experiment } = context.store.sessions.snapshot(run.sessionId);
  const tool = toolOf(context, step.workload.tool);
  const ofEvents = inTheirOrder(experiment.measure.events)
    .filter(isSettingEvent)
    .flatMap((event) => eventSettings(event, step, tool).map(({ what }) => what));
  const settings = step.settings.filter(({ what }) => !ofEvents.includes(what));
  const changed = await readBack(context, settings, waiting).catch((error: unknown): EngineFinding[] => {
    if (waiting.signal.aborted || !(error instanceof KneepointError)) throw error;
    return [
      {
        code: 'setting-changed',
        severity: 'warn',
        message: `Settings could not be read back at the end of the trial and may have changed. ${error.message}`,
      },
    ];
  });
  return changed.map((each) => ('code' in each ? each : changedFinding(each, run)));
}

function changedFinding({ place, what, wanted, found }: RunFact, { facts }: RunRow): EngineFinding {
  const first = facts.find((fact) => fact.what === what && placeWords(fact.place) === placeWords(place))?.first;
  const now = found === null ? 'unset' : `“${found}”`;
  return error(
    'setting-changed',
    `“${what}” of ${placeWords(place)} was “${wanted}” at the start of the trial and is ${now} at its end. Something else changed it, so the trial does not match its label.`,
    `It stays ${now} until a trial of this session needs another value. It is restored to ${first === undefined || first === null ? 'its original value' : `“${first}”`} only if this session was the last to set it. Pause the session if the new value is intended.`,
  );
}
