import type { DataSetKind } from '../../../shared/model/data-set.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { Step, UsedPlaces } from '../plans/index.ts';
import type { RunsContext, Waiting } from '../runs/index.ts';
import type { DataPart, DataRecipe, DataSetRow, Store } from '../store/store.ts';
import type { Command, Tool } from '../tools/tool.ts';
import type { TrialContext } from '../trial/index.ts';

/** Adds operations on data in progress. */
export interface DataContext extends TrialContext {
  /** Places whose data a user is checking or removing, with words for messages. */
  dataWork: Map<string, string>;
  /** Called after a change to data sets was stored. */
  dataChanged(): void;
}

/** Parts to check, and their folder if they are files. */
export interface Content {
  directory: string;
  parts: readonly DataPart[];
}

/** Data that has to exist before a cell is measured. */
export interface Need extends Content {
  kind: DataSetKind;
  /** Name of the target or host. */
  place: string;
  /** Equal for cells that can use the same data. */
  key: string;
  title: string;
  /** Storage format of rows. Data with a different one is different, even with the same number of rows. Empty for files. */
  shape: string;
  bytes?: number;
  /** An interrupted prepare can be started again; it continues and ends with the same rows. */
  resumable?: true;
  /** The run changes it. */
  written: boolean;
  /** Every trial needs it unchanged. */
  eachTrial?: true;
  /** The run makes it itself, whatever exists. */
  selfMade?: true;
  /** Inputs of the clean-up plan besides the cell's options. */
  extraOptions?: Record<string, unknown>;
}

/** Data to make available, and the steps that make and remove it. */
export interface Preparation {
  /** Equal for cells that can use the same data. */
  key: string;
  tool: Tool;
  prepare: Command;
  cleanup?: Command;
  /** Undefined if the data cannot be checked: of tools that bring their own database, and files known only to the tool. */
  need?: Need;
  recipe: DataRecipe;
}
export type KnownPreparation = Preparation & { need: Need };

/** Access to the places of data. */
export interface Reach extends Pick<RunsContext, 'targets'> {
  machines: Pick<RunsContext['machines'], 'get'>;
}

type Placement = Pick<Need, 'place' | 'directory'>;

/** Message texts of one kind of data set. */
export interface DataWords {
  noun: 'data set' | 'file set';
  /** Name of its parts. */
  parts: 'tables' | 'files';
  /** For a missing clean-up step: the object that it would remove, and what a user can do instead. */
  it: string;
  byHand: string;
  /** Verb for checking it again: “count”. */
  inspect: string;

  /** Activities and findings in a session's log. */
  inspecting(title: string): string;
  preparing(title: string): string;
  removing: string;
  using(need: Need): string;
  writtenTo(by: string): string;

  /** Describes a part that is not as needed. `exact`: right after it was made. */
  wrongPart(part: DataPart, exact: boolean): string;
  /** The problem: “The data on db is not what this workload needs”. */
  wrong(place: Placement): string;
  /** Everything exists, but it was not made completely. */
  notFinished(place: Placement): string;
  /** Parts of another size exist, which Kneepoint does not replace on its own. */
  otherSize(place: Placement, wrong: string): string;
  /** Next step for the user in the document. */
  next: Record<'keep' | 'notFinished' | 'otherShape' | 'replace' | 'made', string>;
  /** The same before a start, as choices of a form. */
  choose: Record<'create' | 'replace' | 'fresh', string>;
  /** Before a start: the state of the data, and what will happen to it. */
  usedAsIs(need: Need): string;
  prepared(need: Need): string;
  replaced(need: Need): string;
  brokenOff(resumes: boolean): string;
}

/** Differences between tables of a target and files on a host. The life cycle of a data set is the same for both. */
export interface DataKind {
  readonly kind: DataSetKind;
  readonly words: DataWords;
  /** Checking is cheap and does not disturb a measurement, so it is repeated before every trial. */
  readonly isCheapToInspect: boolean;
  /** Missing parts can be added to existing ones. Otherwise all of them are made, or none. */
  readonly addsParts: boolean;

  /** Places of a cell's data of this kind. */
  placesIn(used: UsedPlaces): readonly string[];
  places(store: Store): readonly { id: number; name: string }[];
  /** Equal for two names that lead to the same place. */
  placeKey(store: Store, name: string): string;
  /** Target or host of a problem. */
  at(place: string): Pick<Problem, 'target' | 'host'>;
  /** Places that no session may load while this place is checked, or while its data is removed from `generator`. */
  loads(place: string, generator?: string): UsedPlaces;
  /** Host whose tool cleans it up. */
  cleanerOf(set: DataSetRow, place: string, generator?: string): string;
  /** Connection from that host to the data. */
  connection(context: RunsContext, place: string, cleaner: string): Promise<ConnectionFacts>;

  /**
   * Data that a step needs. Undefined if there is nothing to check, or if its options are invalid: planning its commands then reports the
   * problem.
   */
  needOf(context: Pick<RunsContext, 'tools' | 'targets'>, experiment: Experiment, step: Step): Need | undefined;
  /** Returns the parts with what was found; without `found` if the place cannot be asked. */
  inspect(context: Reach, place: string, content: Content, signal?: AbortSignal): Promise<DataPart[]>;
  /** Waits while the host is unreachable on which, or through which, the place is checked. */
  untilReachable<T>(context: RunsContext, place: string, waiting: Waiting, act: () => Promise<T>): Promise<T>;

  /** Whether a checked part is usable for a workload with this need. */
  fits(part: DataPart): boolean;
  /** Whether its size is unchanged since it was made. */
  isAsMade(part: DataPart): boolean;
  /** Returns the part to store after a check for a workload. */
  noted(own: DataPart, seen: DataPart): DataPart;
  /** Whether a part, as it was made, is large enough for a workload. */
  serves(own: DataPart, wanted: DataPart): boolean;
  /** Whether everything found can be left over from an interrupted making of this set, and nothing else. */
  isRemainderOf(set: DataSetRow, seen: readonly DataPart[]): boolean;
}
