import { z } from 'zod';
import { formatNumber } from '../util/format.ts';
import { Scalar } from './factor.ts';
import type { Finding } from './finding.ts';

const at = z.number().min(0).max(864_000).meta({ description: 'Seconds since the tool started, including warm-up.' });

const text = z.string().min(1).max(10_000);
const name = z.string().min(1).max(1000);

/** Something that is done while a trial runs, to see what it does to it. */
export const ScenarioEvent = z.discriminatedUnion('do', [
  /** By the control of the target. kill: SIGKILL to the server's main process. */
  z.strictObject({ at, do: z.literal('restart') }),
  z.strictObject({ at, do: z.literal('stop') }),
  z.strictObject({ at, do: z.literal('kill') }),
  z.strictObject({ at, do: z.literal('start') }),
  /** Over the app’s own connection. */
  z.strictObject({ at, do: z.literal('statement'), statement: text }),
  /** POSIX sh on a host; absent: the one that the server lives on, without a target the first generator. */
  z.strictObject({
    at,
    do: z.literal('run'),
    command: text,
    host: z.string().min(1).optional(),
    /** Block devices that it names and changes nothing on, with blanks between. */
    'only-reads': z.string().max(2000).optional(),
  }),
  /** As a factor of the same kind sets it, put back when the trial has ended. `on`: another target than that of the trial. */
  z.strictObject({
    at,
    do: z.literal('server-setting'),
    setting: name,
    value: Scalar,
    on: z.string().min(1).optional(),
  }),
  /** The same of a host. `of`: what the setting belongs to; `on`: as in a factor, the host of the target if absent. */
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

/** What an event can do, in the order of a form, and what each of them is called. */
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

/** Events that the control of the server carries out. */
export type ControlEvent = Extract<ScenarioEvent, { do: 'restart' | 'stop' | 'kill' | 'start' }>;
export const isControlEvent = (event: ScenarioEvent): event is ControlEvent =>
  ['restart', 'stop', 'kill', 'start'].includes(event.do);

/** In the order in which they are due; those of the same second as they stand. */
export const inTheirOrder = (events: readonly ScenarioEvent[] = []): ScenarioEvent[] =>
  [...events].sort((one, other) => one.at - other.at);

/** Whether an event starts the server that the one before it has taken down: what these two do to the rate is one dip. */
export const endsOutage = (events: readonly ScenarioEvent[], place: number): boolean =>
  events[place]?.do === 'start' && ['stop', 'kill'].includes(events[place - 1]?.do ?? '');

/** `t`: second of the run; `event`: its line in the timeline; `effect`: what it did, in sentences. */
export const effectFinding = (t: number, event: string, effect: string): Finding => ({
  code: 'scenario-effect',
  severity: 'note',
  // A statement or command of a person ends as it was written.
  message: `Second ${formatNumber(t)}: ${event}${/[.;!?]$/.test(event) ? '' : '.'} ${effect}`,
});
