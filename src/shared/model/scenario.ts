import { z } from 'zod';
import { formatNumber } from '../util/format.ts';
import { Scalar } from './factor.ts';
import type { Finding } from './finding.ts';

const at = z.number().min(0).max(864_000).meta({ description: 'Seconds since the tool started, including warm-up.' });

const text = z.string().min(1).max(10_000);
const name = z.string().min(1).max(1000);

/** An event during a trial, to observe its effect on the trial. */
export const ScenarioEvent = z.discriminatedUnion('do', [
  /** Through the control of the target. kill: SIGKILL to the server's main process. */
  z.strictObject({ at, do: z.literal('restart') }),
  z.strictObject({ at, do: z.literal('stop') }),
  z.strictObject({ at, do: z.literal('kill') }),
  z.strictObject({ at, do: z.literal('start') }),
  /** Over the app’s own connection. */
  z.strictObject({ at, do: z.literal('statement'), statement: text }),
  /** POSIX sh on a host. Default: the server host, or the first generator without a target. */
  z.strictObject({
    at,
    do: z.literal('run'),
    command: text,
    host: z.string().min(1).optional(),
    /** Block devices that it names without changing anything on them, separated by spaces. */
    'only-reads': z.string().max(2000).optional(),
  }),
  /** Set as a factor of the same kind sets it, and restored when the trial has ended. `on`: a target other than that of the trial. */
  z.strictObject({
    at,
    do: z.literal('server-setting'),
    setting: name,
    value: Scalar,
    on: z.string().min(1).optional(),
  }),
  /** The same for a host. `of`: the object of the setting; `on`: as in a factor, by default the host of the target. */
  z.strictObject({
    at,
    do: z.literal('host-setting'),
    setting: name,
    of: name.optional(),
    value: Scalar,
    on: z.string().min(1).optional(),
  }),
]);
export type ScenarioEvent = z.infer<typeof ScenarioEvent>;

/** Actions of an event in form order, with their titles. */
export const EVENT_TITLES = {
  restart: 'Restart the server',
  stop: 'Stop the server',
  kill: 'Kill the server (SIGKILL)',
  start: 'Start the server',
  statement: 'Send a statement',
  run: 'Run a command',
  'server-setting': 'Change a server setting',
  'host-setting': 'Change a host setting',
} as const satisfies Record<ScenarioEvent['do'], string>;

/** Events that change a setting. */
export type SettingEvent = Extract<ScenarioEvent, { value: Scalar }>;
export const isSettingEvent = (event: ScenarioEvent): event is SettingEvent =>
  event.do === 'server-setting' || event.do === 'host-setting';

/** Events carried out by the control of the server. */
export type ControlEvent = Extract<ScenarioEvent, { do: 'restart' | 'stop' | 'kill' | 'start' }>;
export const isControlEvent = (event: ScenarioEvent): event is ControlEvent =>
  ['restart', 'stop', 'kill', 'start'].includes(event.do);

/** In order of time; those of the same second in document order. */
export const inTheirOrder = (events: readonly ScenarioEvent[] = []): ScenarioEvent[] =>
  [...events].sort((one, other) => one.at - other.at);

/** Whether an event starts the server that the previous one stopped: together they cause a single dip. */
export const endsOutage = (events: readonly ScenarioEvent[], place: number): boolean =>
  events[place]?.do === 'start' && ['stop', 'kill'].includes(events[place - 1]?.do ?? '');

const DONE = { restart: 'restarted', stop: 'stopped', kill: 'killed', start: 'started' } as const;

/** The line of a control event in the timeline. */
export const controlSentence = (act: ControlEvent['do'], target: string): string =>
  `The server of “${target}” is ${DONE[act]}.`;

/** Lines of events in few words, for a narrow place: the act comes first, as the end may be cut. */
const SHORT: readonly [line: RegExp, short: string][] = [
  ...(Object.keys(DONE) as ControlEvent['do'][]).map((act): [RegExp, string] => [
    new RegExp(`^The server of “(.+)” is ${DONE[act]}\\.$`),
    `${act} $1`,
  ]),
  [/^The setting (\S+) of “.+?” is set to (.+)\.$/s, '$1 = $2'],
  [/^A statement is sent to “.+?”: (.+)$/s, 'statement: $1'],
  [/^A command is run(?: on .+?)?: (.+)$/s, 'run: $1'],
];

/** `The server of “shop” is killed.` → `kill shop`. Other lines are returned unchanged. */
export function shortEvent(line: string): string {
  const [pattern, short] = SHORT.find(([each]) => each.test(line)) ?? [];
  return pattern === undefined || short === undefined ? line : line.replace(pattern, short);
}

/** `t`: second of the run; `event`: its line in the timeline; `effect`: sentences on its effect. */
export const effectFinding = (t: number, event: string, effect: string): Finding => ({
  code: 'scenario-effect',
  severity: 'note',
  // A user's statement or command may end with its own punctuation.
  message: `Second ${formatNumber(t)}: ${event}${/[.;!?]$/.test(event) ? '' : '.'} ${effect}`,
});

/** Effects of the events of a scenario on a run's throughput: time to recover, and depth of the drop as a share of the rate before. */
export const RECOVERY = { seconds: 'recovery_s', depth: 'recovery_depth_pct' } as const;
const OF_RECOVERY: readonly string[] = Object.values(RECOVERY);
export const isRecovery = (id: string): boolean => OF_RECOVERY.includes(id);
