import { z } from 'zod';
import { ChartChoice, MOST_CHARTS } from './chart.ts';
import { DerivedMeasure, MOST_MEASURES } from './derived.ts';
import { Experiment } from './experiment.ts';
import { Level, withLevels } from './factor.ts';
import { Finding } from './finding.ts';
import { HostFacts } from './host.ts';
import { Plan, PlannedCell, SessionStep } from './plan.ts';
import { StoragePlace } from './storage-place.ts';
import { TargetDescription } from './target.ts';
import { ServerSetting } from './target-details.ts';

/** A device that may be overwritten, as a step names it, and what tells it from one that has its name later. */
export const GrantedDevice = z.object({ host: z.string(), device: z.string(), identity: z.string() });
export type GrantedDevice = z.infer<typeof GrantedDevice>;

/** What a person started, as it was understood then. Written with the session, never changed. */
export const StartSnapshot = z.object({
  experiment: Experiment,
  /** The YAML as it was written. */
  experimentText: z.string(),
  plan: Plan.extend({ cells: z.array(PlannedCell) }),
  findings: z.array(Finding),
  appVersion: z.string(),
  /** The steps of every trial, in order. */
  steps: z.array(SessionStep).min(1).readonly(),
  /** Devices that a person allowed to be overwritten. */
  granted: z.array(GrantedDevice).optional(),
  /** What a person typed to go ahead with changes that cannot be undone, or on servers that others use too. */
  confirmed: z.array(z.string()).optional(),
});
export type StartSnapshot = z.infer<typeof StartSnapshot>;

/** A table as the server tells it, `rows` by its own estimate. `sample`: its first rows as text, and what deflate (level 6) makes of them. */
const StoredTable = z.object({
  name: z.string(),
  bytes: z.number(),
  rows: z.number().optional(),
  sample: z.object({ rows: z.number(), bytes: z.number(), packed: z.number() }).optional(),
});
export type StoredTable = z.infer<typeof StoredTable>;

/** How many times smaller deflate makes the sampled rows of a table; undefined: there are none. */
export const compressionOf = ({ sample }: StoredTable): number | undefined =>
  sample && sample.packed > 0 ? sample.bytes / sample.packed : undefined;

/** What a server said of itself. */
export const TargetFacts = z.object({
  name: z.string(),
  kind: z.string(),
  address: z.string().optional(),
  /** The target of the server behind it, by name: `server`, `hostFacts`, `process`, `tables`, `description` and `settings` are of that one. */
  behind: z.string().optional(),
  /** Where the proxy lived, and how it was started. Absent: it is none, or its host was unknown. */
  proxy: z.object({ host: z.string(), started: z.string() }).optional(),
  /** Where the server lived, and how it was started, in words: “by systemd (mysql.service)”. Absent: nobody had said it. */
  server: z.object({ host: z.string(), started: z.string() }).optional(),
  /** What that host says of itself; absent: it could not be asked. */
  hostFacts: HostFacts.optional(),
  /** How its process was started and what it runs under, by words: “control group” → “/system.slice/mysql.service”. Absent: not found, or not asked. */
  process: z.record(z.string(), z.string()).optional(),
  /** The smallest round trip of a connection from each generator, milliseconds. Absent: no generator could tell. */
  roundTrips: z.array(z.object({ from: z.string(), ms: z.number() })).optional(),
  /** The largest tables of its database. */
  tables: z.array(StoredTable).optional(),
  description: TargetDescription.optional(),
  /** All of them, as they were at the start. */
  settings: z.array(ServerSetting).optional(),
});
export type TargetFacts = z.infer<typeof TargetFacts>;

/** Ids of a start: of scopes, sessions and processes. */
const plain = (what: string, value: string): string => (what === 'control group' ? value.replace(/\d+/g, '#') : value);

/** In what two processes were started otherwise: “limit of open files 10000 and 1024”. What one side does not tell is no difference. */
export function processDifferences(one: TargetFacts['process'], other: TargetFacts['process']): string[] {
  if (!one || !other) return [];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((what) => {
    const untold = what.startsWith('environment ') ? 'not set' : undefined;
    const [first = untold, second = untold] = [one[what], other[what]];
    if (first === undefined || second === undefined || plain(what, first) === plain(what, second)) return [];
    return [`${what} ${first} and ${second}`];
  });
}

/** What hosts and server said of themselves before the first trial. Read again by a start that was interrupted before it, never changed after. */
export const FactsSnapshot = z.object({
  hosts: z.array(z.object({ name: z.string(), facts: HostFacts.optional() })),
  /** The target that all cells meet. */
  target: TargetFacts.optional(),
  /** Those of cells that do not all meet the same one, in the order in which cells name them; `target` is absent then. */
  targets: z.array(TargetFacts).optional(),
  toolVersion: z.string().optional(),
  /** Folders of the tools with their file systems. Absent: tools name none, or an earlier version read the facts. */
  places: z.array(StoragePlace).optional(),
});
export type FactsSnapshot = z.infer<typeof FactsSnapshot>;

/** Every target of a session, whether its cells meet one or several. */
export const targetsOf = ({ target, targets }: Pick<FactsSnapshot, 'target' | 'targets'>): readonly TargetFacts[] =>
  targets ?? (target ? [target] : []);

/** The same as they are stored: one target has a place of its own, as in what earlier versions wrote. */
export const storedTargets = (all: readonly TargetFacts[]): Pick<FactsSnapshot, 'target' | 'targets'> => {
  const [first] = all;
  if (!first) return {};
  return all.length === 1 ? { target: first } : { targets: [...all] };
};

/** Levels of a factor that were added to a session, with all that came of them. */
const GrownPart = z.object({
  factor: z.string(),
  levels: z.array(Level),
  /** Numbered behind those that there were. */
  cells: z.array(PlannedCell),
  /** The document with these levels. */
  text: z.string(),
  /** As for a start. */
  granted: z.array(GrantedDevice).optional(),
  confirmed: z.array(z.string()).optional(),
});
export type GrownPart = z.infer<typeof GrownPart>;

/**
 * A later part of a session: trials that were added when it had ended, or while it ran. Written when a person asks for them; the facts
 * before the first of them begins.
 */
export const LaterPart = z.object({
  /** Place of its first trial in the order of all, from 0. */
  from: z.number(),
  /** When a person asked for it, epoch milliseconds. */
  at: z.number(),
  /** Further repeats among its trials; the others replace trials without a complete measurement. */
  added: z.number(),
  /** Absent: it has no cells of its own. */
  grown: GrownPart.optional(),
  facts: FactsSnapshot.optional(),
});
export type LaterPart = z.infer<typeof LaterPart>;

/** Measures that were added to a session after its start. They change no measurement, and may be changed and removed. */
export const AddedMeasures = z.object({ measures: z.array(DerivedMeasure).max(MOST_MEASURES) });

/** Charts that were added to a session after its start. They may be changed and removed. */
export const AddedCharts = z.object({ charts: z.array(ChartChoice).max(MOST_CHARTS) });

/** Everything that was true when a session started. Hosts have no facts until they were asked. */
export type SessionSnapshot = StartSnapshot &
  FactsSnapshot & {
    later?: readonly LaterPart[];
    measures?: readonly DerivedMeasure[];
    charts?: readonly ChartChoice[];
  };

/** What a session was started from, with the levels that its later parts have added. */
export function withLaterLevels(start: StartSnapshot, later: readonly LaterPart[]): StartSnapshot {
  const parts = later.flatMap(({ grown }) => grown ?? []);
  const last = parts.at(-1);
  if (!last) return start;
  const { experiment, plan, granted = [], confirmed = [] } = start;
  const allGranted = [...granted, ...parts.flatMap((part) => part.granted ?? [])];
  const allConfirmed = [...confirmed, ...parts.flatMap((part) => part.confirmed ?? [])];
  const factors = experiment.factors.map((factor) =>
    parts
      .filter((part) => part.factor === factor.name)
      .reduce((grown, { levels }) => withLevels(grown, levels), factor),
  );
  return {
    ...start,
    experiment: { ...experiment, factors },
    experimentText: last.text,
    plan: { ...plan, cells: [...plan.cells, ...parts.flatMap(({ cells }) => cells)] },
    ...(allGranted.length > 0 && { granted: allGranted }),
    ...(allConfirmed.length > 0 && { confirmed: allConfirmed }),
  };
}
