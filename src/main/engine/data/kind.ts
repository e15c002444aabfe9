import type { DataSetKind } from '../../../shared/model/data-set.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { Step, UsedPlaces } from '../plans/index.ts';
import type { RunsContext, Waiting } from '../runs/index.ts';
import type { DataPart, DataRecipe, DataSetRow, Store } from '../store/store.ts';
import type { Command, Tool } from '../tools/tool.ts';
import type { TrialContext } from '../trial/index.ts';

/** Adds the works on data in progress. */
export interface DataContext extends TrialContext {
  /** Places whose data is being looked at or removed by a person: words on that. */
  dataWork: Map<string, string>;
  /** Something about data sets was stored. */
  dataChanged(): void;
}

/** What is checked: parts, and the folder of those that are files. */
export interface Content {
  directory: string;
  parts: readonly DataPart[];
}

/** Data that has to be there before a cell is measured. */
export interface Need extends Content {
  kind: DataSetKind;
  /** Name of the target or of the host. */
  place: string;
  /** The same for cells that can use the same data. */
  key: string;
  title: string;
  /** How rows are stored: rows stored otherwise are other data, though they count the same. Empty for files. */
  shape: string;
  bytes?: number;
  /** Its prepare, begun again after it was interrupted, continues and ends with the same rows. */
  resumable?: true;
  /** The run changes it. */
  written: boolean;
  /** Every trial needs it as it was made. */
  eachTrial?: true;
  /** The run makes it itself, whatever was there. */
  selfMade?: true;
  /** What its clean-up is planned from, besides the options of the cell. */
  besides?: Record<string, unknown>;
}

/** A need that is to be seen to, and the steps that make it and take it away. */
export interface Preparation {
  /** The same for cells that can use the same data. */
  key: string;
  tool: Tool;
  prepare: Command;
  cleanup?: Command;
  /** Absent for what cannot be checked: data of tools that bring their own database, and files that only the tool knows. */
  need?: Need;
  recipe: DataRecipe;
}
export type KnownPreparation = Preparation & { need: Need };

/** Ways to where data lies. */
export interface Reach extends Pick<RunsContext, 'targets'> {
  machines: Pick<RunsContext['machines'], 'get'>;
}

type Put = Pick<Need, 'place' | 'directory'>;

/** What messages say of one kind of data set. */
export interface DataWords {
  noun: 'data set' | 'file set';
  /** What it consists of. */
  parts: 'tables' | 'files';
  /** As a clean-up step that is missing would remove it, and what a person can do instead. */
  it: string;
  byHand: string;
  /** Looks at it again: “count”. */
  look: string;

  /** What is done to it, as a session tells. */
  looking(title: string): string;
  preparing(title: string): string;
  removing: string;
  using(need: Need): string;
  writtenTo(by: string): string;

  /** A part that is not as wanted. `exact`: right after it was made. */
  wrongPart(part: DataPart, exact: boolean): string;
  /** What is wrong: “The data on db is not what this workload needs”. */
  wrong(place: Put): string;
  /** All is there, but its making did not come to its end. */
  notFinished(place: Put): string;
  /** Parts of another size are there, which are somebody's decision. */
  otherSize(place: Put, wrong: string): string;
  /** What a person can do about it in the document. */
  next: Record<'keep' | 'notFinished' | 'otherShape' | 'replace' | 'made', string>;
  /** The same before a start, as choices of a form. */
  choose: Record<'create' | 'replace' | 'fresh', string>;
  /** Before a start: what it is, and what will happen to it. */
  usedAsIs(need: Need): string;
  prepared(need: Need): string;
  replaced(need: Need): string;
  brokenOff(resumes: boolean): string;
}

/** All that tells tables of a target from files on a host. The life of a data set is the same for both. */
export interface DataKind {
  readonly kind: DataSetKind;
  readonly words: DataWords;
  /** Looking costs nothing and disturbs nobody: it is done before every trial too. */
  readonly looksAreFree: boolean;
  /** Parts that are missing are made beside those that are there; otherwise all of them are, or none. */
  readonly addsParts: boolean;

  /** Where cells have their data of this kind. */
  placesIn(used: UsedPlaces): readonly string[];
  places(store: Store): readonly { id: number; name: string }[];
  /** The same for two names that lead to one place. */
  placeKey(store: Store, name: string): string;
  /** Where a problem was met. */
  at(place: string): Pick<Problem, 'target' | 'host'>;
  /** What must not be loaded by a session while the place is checked, or its data removed from `generator`. */
  loads(place: string, generator?: string): UsedPlaces;
  /** Host on which its tool cleans it up. */
  cleanerOf(set: DataSetRow, place: string, generator?: string): string;
  /** Where that host connects to for it. */
  connection(context: RunsContext, place: string, cleaner: string): Promise<ConnectionFacts>;

  /** What a step needs; undefined when there is nothing to look at, or when its options do not fit: planning its commands names what is wrong. */
  needOf(context: Pick<RunsContext, 'tools' | 'targets'>, experiment: Experiment, step: Step): Need | undefined;
  /** The same parts with what was found; without it where a place cannot be asked. */
  look(context: Reach, place: string, content: Content, signal?: AbortSignal): Promise<DataPart[]>;
  /** Waits while the host is out of reach on which, or through which, the place is checked. */
  untilReachable<T>(context: RunsContext, place: string, waiting: Waiting, act: () => Promise<T>): Promise<T>;

  /** Whether a part that was checked serves a workload that needs it like this. */
  fits(part: DataPart): boolean;
  /** Whether nothing has changed its size since it was made. */
  isAsMade(part: DataPart): boolean;
  /** A part of a set as it is noted after it was checked for a workload. */
  noted(own: DataPart, seen: DataPart): DataPart;
  /** Whether a part as it was made is large enough for a workload. */
  serves(own: DataPart, wanted: DataPart): boolean;
  /** Whether what is there can be what a broken making of this set left, and nothing else. */
  isLeftOf(set: DataSetRow, seen: readonly DataPart[]): boolean;
}
