import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { type TrialStep, wholeSteps } from '../../../shared/model/step.ts';
import type { Tool } from '../tools/tool.ts';
import { isAct, type Step } from './effects.ts';

type RunLoad = Pick<Experiment, 'measure' | 'steps'>;

/** The first second of this step's run at which an event or a parallel step acts on it. Undefined if none does. */
function firstFault({ measure, steps = [] }: RunLoad, place: number): number | undefined {
  const whole = wholeSteps(steps);
  const own = whole[place];
  const besides = own?.parallel === undefined ? [] : whole.filter(({ parallel }) => parallel === own.parallel);
  const seconds = [
    ...(measure.events ?? []).map(({ at }) => at),
    ...besides.map(({ from = 0 }: TrialStep) => from - (own?.from ?? 0)).filter((after) => after > 0),
  ];
  return seconds.length === 0 ? undefined : Math.min(...seconds);
}

/** How this step's tool is restarted when it dies during a trial. Undefined if it is not. */
export function restartOf(
  experiment: RunLoad,
  place: number,
  { tool, step }: { readonly tool: Tool; readonly step: Step },
): { argument: string; from: number } | undefined {
  if (experiment.measure['tool-died'] !== 'restart' || isAct(step)) return undefined;
  const argument = tool.restarts?.(step.options);
  const from = firstFault(experiment, place);
  return argument === undefined || from === undefined ? undefined : { argument, from };
}

/** Problems of a document that wants its tool restarted although that is impossible or never happens. */
export function restartProblems(
  experiment: Experiment,
  { tool, steps }: { readonly tool: Tool; readonly steps: readonly Step[] },
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  if (experiment.measure['tool-died'] !== 'restart') return [];
  const here = (message: string): DocumentProblem[] => [at(['measure', 'tool-died'], message)];
  const loads = steps.filter((step) => !isAct(step));
  if (loads.some(({ options }) => tool.restarts?.(options) === undefined))
    return here(`${tool.title} cannot be restarted within a trial with these options. Omit “tool-died”.`);
  const whole = wholeSteps(experiment.steps ?? []);
  const isMeant = (whole.length === 0 ? [0] : whole.keys().toArray()).some(
    (place) => firstFault(experiment, place) !== undefined,
  );
  return isMeant
    ? []
    : here('“tool-died” has no effect: add an event, or a parallel step that starts after the load (“from”).');
}
