import { z } from 'zod';
import { ChartChoice, MOST_CHARTS } from './chart.ts';
import { DerivedMeasure, MOST_MEASURES } from './derived.ts';
import { Experiment } from './experiment.ts';
import { Level, withLevels } from './factor.ts';
import { Finding } from './finding.ts';
import { HostFacts } from './host.ts';
import { Plan, PlannedCell, SessionStep } from './plan.ts';
import { TargetDescription } from './target.ts';
import { ServerSetting } from './target-details.ts';

/**
 * A device that may be overwritten, by the name that a step uses, with the identity that distinguishes it from a device that has the name
 * later.
 */
export const GrantedDevice = z.object({ host: z.string(), device: z.string(), identity: z.string() });
export type GrantedDevice = z.infer<typeof GrantedDevice>;

/** The experiment that a user started, as it was interpreted then. Written with the session, never changed. */
export const StartSnapshot = z.object({
  experiment: Experiment,
  /** The YAML text as written. */
  experimentText: z.string(),
  plan: Plan.extend({ cells: z.array(PlannedCell) }),
  findings: z.array(Finding),
  appVersion: z.string(),
  /** The steps of every trial, in order. */
  steps: z.array(SessionStep).min(1).readonly(),
  /** Devices that the user allowed to be overwritten. */
  granted: z.array(GrantedDevice).optional(),
  /** Confirmations that the user typed for changes that cannot be undone, or on servers that others use too. */
  confirmed: z.array(z.string()).optional(),
});
export type StartSnapshot = z.infer<typeof StartSnapshot>;

/**
 * A table as reported by the server, with `rows` by its own estimate. `sample`: its first rows as text, with their size after deflate
 * (level 6).
 */
const StoredTable = z.object({
  name: z.string(),
  bytes: z.number(),
  rows: z.number().optional(),
  sample: z.object({ rows: z.number(), bytes: z.number(), packed: z.number() }).optional(),
});
export type StoredTable = z.infer<typeof StoredTable>;

/** Factor by which deflate shrinks the sampled rows of a table; undefined without a sample. */
export const compressionOf = ({ sample }: StoredTable): number | undefined =>
  sample && sample.packed > 0 ? sample.bytes / sample.packed : undefined;

/** Facts about a server, from the server itself. */
const ServerFacts = z.object({
  name: z.string(),
  kind: z.string(),
  address: z.string().optional(),
  /**
   * Name of the target of the server behind it: `server`, `hostFacts`, `process`, `tables`, `description` and `settings` belong to that
   * one.
   */
  behind: z.string().optional(),
  /** Host of the proxy, and how it was started. Absent: it is no proxy, or its host was unknown. */
  proxy: z.object({ host: z.string(), started: z.string() }).optional(),
  /** Host of the server, and how it was started, in words: “by systemd (mysql.service)”. Absent: its host was unknown. */
  server: z.object({ host: z.string(), started: z.string() }).optional(),
  /** Facts of that host; absent if they could not be read. */
  hostFacts: HostFacts.optional(),
  /** Start and environment of its process, by words: “control group” → “/system.slice/mysql.service”. Absent: not found, or not read. */
  process: z.record(z.string(), z.string()).optional(),
  /** The smallest round trip of a connection from each generator, milliseconds. Absent: no generator could measure it. */
  roundTrips: z.array(z.object({ from: z.string(), ms: z.number() })).optional(),
  /** The largest tables of its database. */
  tables: z.array(StoredTable).optional(),
  description: TargetDescription.optional(),
  /** All of its settings at the start. */
  settings: z.array(ServerSetting).optional(),
});

/** `nodes`: saved targets at its additional addresses; only name, kind and address of one that did not respond. Absent: none is saved. */
export const TargetFacts = ServerFacts.extend({ nodes: z.array(ServerFacts).optional() });
export type TargetFacts = z.infer<typeof TargetFacts>;

/** Ids of a start: of scopes, sessions and processes. */
const plain = (what: string, value: string): string => (what === 'control group' ? value.replace(/\d+/g, '#') : value);

/** Differences in how two processes were started: “limit of open files 10000 and 1024”. A value that one side lacks is no difference. */
export function processDifferences(one: TargetFacts['process'], other: TargetFacts['process']): string[] {
  if (!one || !other) return [];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((what) => {
    const fallback = what.startsWith('environment ') ? 'not set' : undefined;
    const [first = fallback, second = fallback] = [one[what], other[what]];
    if (first === undefined || second === undefined || plain(what, first) === plain(what, second)) return [];
    return [`${what} ${first} and ${second}`];
  });
}

/**
 * A folder in which a tool keeps its files, the data folder of a target's server, or a whole device, which has no file system. Absent: not
 * reported by the host.
 */
export const StoragePlace = z.object({
  host: z.string(),
  /** The target whose data folder it is. Absent: a folder or device of a tool. */
  target: z.string().optional(),
  /** As named in the document or target, or as the server reports it. */
  path: z.string(),
  /** With links resolved, if that path differs. */
  real: z.string().optional(),
  fileSystem: z
    .object({
      type: z.string(),
      /** Source of the mount: a device, a share. */
      source: z.string(),
      mount: z.string(),
      /** Mount options, in the order of the kernel. */
      options: z.array(z.string()),
    })
    .optional(),
  /**
   * The underlying block device. `disk`: the disk of a partition. `below`: the devices it consists of (LVM, RAID, encryption).
   */
  device: z
    .object({
      name: z.string(),
      disk: z.string().optional(),
      model: z.string().optional(),
      below: z.array(z.string()),
      /** From the queue of the disk. `rotational` is false for flash, and for virtual disks that report so. */
      scheduler: z.string().optional(),
      rotational: z.boolean().optional(),
    })
    .optional(),
});
export type StoragePlace = z.infer<typeof StoragePlace>;

/**
 * Facts reported by hosts and server before the first trial. A start that was interrupted before it reads them again; they never change
 * after it.
 */
export const FactsSnapshot = z.object({
  hosts: z.array(z.object({ name: z.string(), facts: HostFacts.optional() })),
  /** The target of all cells. */
  target: TargetFacts.optional(),
  /** Targets of cells that do not all use the same one, in the order in which cells name them; `target` is absent then. */
  targets: z.array(TargetFacts).optional(),
  toolVersion: z.string().optional(),
  /**
   * Folders and devices of the tools and data folders of targets, with their file systems. Absent: there are none, or an earlier version read the
   * facts.
   */
  places: z.array(StoragePlace).optional(),
});
export type FactsSnapshot = z.infer<typeof FactsSnapshot>;

/** Every target of a session, whether its cells use one or several. */
export const targetsOf = ({ target, targets }: Pick<FactsSnapshot, 'target' | 'targets'>): readonly TargetFacts[] =>
  targets ?? (target ? [target] : []);

/** The same with the nodes of each target after it. */
export const withNodes = (targets: readonly TargetFacts[]): readonly TargetFacts[] =>
  targets.flatMap((target) => [target, ...(target.nodes ?? [])]);

/** The same in stored form: a single target has its own field, as in data of earlier versions. */
export const storedTargets = (all: readonly TargetFacts[]): Pick<FactsSnapshot, 'target' | 'targets'> => {
  const [first] = all;
  if (!first) return {};
  return all.length === 1 ? { target: first } : { targets: [...all] };
};

/** Levels of a factor added to a session, with everything that follows from them. */
const GrownPart = z.object({
  factor: z.string(),
  levels: z.array(Level),
  /** Numbered after the existing ones. */
  cells: z.array(PlannedCell),
  /** The document with these levels. */
  text: z.string(),
  /** As in `StartSnapshot`. */
  granted: z.array(GrantedDevice).optional(),
  confirmed: z.array(z.string()).optional(),
});
export type GrownPart = z.infer<typeof GrownPart>;

/**
 * A later part of a session: trials added after it had ended, or while it ran. Written when the user requests them; its facts are written
 * before the first of them begins.
 */
export const LaterPart = z.object({
  /** Place of its first trial in the order of all, from 0. */
  from: z.number(),
  /** Time of the request, epoch milliseconds. */
  at: z.number(),
  /** Number of additional repeats among its trials; the others replace trials without a complete measurement. */
  added: z.number(),
  /** Absent: it has no cells of its own. */
  grown: GrownPart.optional(),
  facts: FactsSnapshot.optional(),
});
export type LaterPart = z.infer<typeof LaterPart>;

/** Measures added to a session after its start. They change no measurement, and can be changed and removed. */
export const AddedMeasures = z.object({ measures: z.array(DerivedMeasure).max(MOST_MEASURES) });

/** Charts added to a session after its start. They can be changed and removed. */
export const AddedCharts = z.object({ charts: z.array(ChartChoice).max(MOST_CHARTS) });

/** Everything that applied when a session started. Hosts have no facts until these are read. */
export type SessionSnapshot = StartSnapshot &
  FactsSnapshot & {
    later?: readonly LaterPart[];
    measures?: readonly DerivedMeasure[];
    charts?: readonly ChartChoice[];
  };

/** The document and plan that a session was started from, with the levels added by its later parts. */
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
