import type { CheckedDocument, ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { Experiment, Scalar } from '../../../../shared/model/experiment.ts';
import { KneepointError, type Problem, problemOf } from '../../../../shared/model/problem.ts';
import { changeBetween, changed, type Moment, NO_HISTORY, type Place, stepBack, stepForth, TEXT } from './history.ts';

/** The two engine calls of an open document. */
export interface DocumentDoors {
  check(text: string, signal: AbortSignal): Promise<CheckedDocument>;
  format(experiment: Experiment, base: string, signal: AbortSignal): Promise<string>;
}

/** One document, as text and as forms. The forms may be ahead of the text, and both ahead of what was checked. */
export interface DocumentState {
  readonly text: string;
  /** Content of the forms: the last one that could be parsed. */
  readonly experiment: Experiment | undefined;
  readonly checked: CheckedDocument | undefined;
  /** Whether the forms match the text: false while the text cannot be parsed. */
  readonly readable: boolean;
  /** Whether the text lacks a change made in the forms: it is read-only until then. */
  readonly textBehind: boolean;
  /** Text or check are not up to date with the last change. */
  readonly busy: boolean;
  /** Why the engine call failed. */
  readonly problem: Problem | undefined;
  /** Whether a change can be undone, or redone. */
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

const TYPING_PAUSE_MS = 150;

/** An experiment document being edited, as text or through forms: the last change wins. */
export class ExperimentDocument {
  #state: DocumentState;
  #doors: DocumentDoors;
  #pause: number;
  #watchers = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: AbortController | undefined;
  #history = NO_HISTORY;
  #now: () => number;

  constructor(
    start: { text: string } | { experiment: Experiment },
    doors: DocumentDoors,
    pause = TYPING_PAUSE_MS,
    now: () => number = Date.now,
  ) {
    const experiment = 'experiment' in start ? start.experiment : undefined;
    const text = 'text' in start ? start.text : '';
    this.#state = {
      text,
      experiment,
      checked: undefined,
      readable: true,
      textBehind: experiment !== undefined,
      busy: true,
      problem: undefined,
      canUndo: false,
      canRedo: false,
    };
    this.#doors = doors;
    this.#pause = pause;
    this.#now = now;
    this.#schedule(0);
  }

  readonly state = (): DocumentState => this.#state;

  readonly onChanged = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** A change made in a form. */
  edit(change: (experiment: Experiment) => Experiment): void {
    const before = this.#state.experiment;
    if (!before) return;
    const experiment = change(before);
    const difference = changeBetween(before, experiment);
    if (!difference) return;
    this.#history = changed(this.#history, this.#state, difference, this.#now());
    this.#set({ experiment, textBehind: true, busy: true });
    this.#schedule(this.#pause);
  }

  /** A change made in the text. */
  setText(text: string): void {
    if (text === this.#state.text) return;
    this.#history = changed(this.#history, this.#state, { place: TEXT, typed: true }, this.#now());
    this.#set({ text, textBehind: false, busy: true });
    this.#schedule(this.#pause);
  }

  /** Undoes the last change, or redoes it. Returns its place; undefined if there is none. */
  readonly undo = (): Place | undefined => this.#go(stepBack(this.#history, this.#state));
  readonly redo = (): Place | undefined => this.#go(stepForth(this.#history, this.#state));

  /** Retries after the engine could not be reached. */
  retry(): void {
    this.#set({ busy: true, problem: undefined });
    this.#schedule(0);
  }

  /** Resolves with the text that includes the last change. Rejects if the engine cannot provide it. */
  async settle(): Promise<string> {
    if (this.#timer !== undefined) this.#schedule(0);
    while (this.#state.busy) {
      await new Promise<void>((resolve) => {
        const stop = this.onChanged(() => {
          stop();
          resolve();
        });
      });
    }
    if (this.#state.problem) throw new KneepointError(this.#state.problem);
    return this.#state.text;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asking?.abort();
    this.#watchers.clear();
  }

  #go(moved: ReturnType<typeof stepBack>): Place | undefined {
    if (!moved) return undefined;
    this.#history = moved.history;
    const { text, experiment, textBehind }: Moment = moved.moment;
    this.#set({ text, experiment, textBehind, busy: true });
    this.#schedule(0);
    return moved.place;
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const controller = new AbortController();
      this.#asking = controller;
      void this.#ask(controller.signal);
    }, wait);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    try {
      const { experiment, textBehind } = this.#state;
      if (textBehind && experiment) {
        const text = await this.#doors.format(experiment, this.#state.text, signal);
        if (signal.aborted) return;
        this.#set({ text, textBehind: false });
      }
      const checked = await this.#doors.check(this.#state.text, signal);
      if (signal.aborted) return;
      const readable = checked.experiment !== undefined;
      // A document equal to the displayed one stays the same object, so that nothing is rendered again.
      const read =
        changeBetween(this.#state.experiment, checked.experiment) && readable ? { experiment: checked.experiment } : {};
      this.#set({ checked, readable, ...read, busy: false, problem: undefined });
    } catch (error) {
      if (!signal.aborted) this.#set({ busy: false, problem: problemOf(error) });
    }
  }

  #set(change: Partial<DocumentState>): void {
    const { back, forth } = this.#history;
    this.#state = { ...this.#state, ...change, canUndo: back.length > 0, canRedo: forth.length > 0 };
    for (const watcher of [...this.#watchers]) watcher();
  }
}

const PLAIN_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** A text as the value in a document: a number if it is written as one. */
export const readScalar = (text: string): Scalar => {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return PLAIN_NUMBER.test(trimmed) && String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
};

export const pathOf = (file: ExperimentFile): string => `/experiments/${encodeURIComponent(file.id)}`;

/** Makes the factor with this name the one under test; without a name, none. */
export const withTested = (experiment: Experiment, name?: string): Experiment => ({
  ...experiment,
  factors: experiment.factors.map(({ tested: _, ...factor }) =>
    factor.name === name ? { ...factor, tested: true as const } : factor,
  ),
});

/** Aim of a short plan, seconds. */
const SHORT = 300;
/** Most repeats, longest warm-up and pause, and shortest duration of a short plan. */
const SHORT_TRIALS = { repeats: 4, warmup: 3, pause: 2, duration: 10 };

/** A plan of few minutes that still has intervals. */
export interface ShortPlan {
  readonly measure: Pick<Experiment['measure'], 'repeats' | 'warmup' | 'pause' | 'duration'>;
  /** Estimated, in all. */
  readonly seconds: number;
}

/**
 * Fewer and shorter trials for a first answer, on the same cells and data. Undefined if that saves less than half of the time, without
 * repeats, and for documents whose steps or events have times of their own. `cells`, `trials`, `seconds`: those of the whole plan.
 */
export function shortPlan(
  { measure, steps }: Experiment,
  { cells, trials, seconds }: { readonly cells: number; readonly trials: number; readonly seconds: number },
): ShortPlan | undefined {
  if (steps || measure.events || measure.repeats < 2 || cells === 0) return undefined;
  const [repeats, warmup, pause] = [
    Math.min(measure.repeats, SHORT_TRIALS.repeats),
    Math.min(measure.warmup, SHORT_TRIALS.warmup),
    Math.min(measure.pause, SHORT_TRIALS.pause),
  ];
  const others = Math.max(0, seconds - trials * (measure.warmup + measure.duration + measure.pause));
  const fitting = Math.floor((SHORT - others) / (cells * repeats)) - warmup - pause;
  const duration = Math.min(measure.duration, Math.max(SHORT_TRIALS.duration, fitting));
  const short = others + cells * repeats * (warmup + duration + pause);
  return short * 2 > seconds ? undefined : { measure: { repeats, warmup, pause, duration }, seconds: short };
}
