import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { wholeSteps } from '../../../shared/model/step.ts';
import type { Tool } from '../tools/tool.ts';
import { isAct, type Step } from './effects.ts';
import { firstFault } from './measures.ts';

/** How this step's tool is restarted when it dies during a trial. Undefined if it is not. */
export function restartOf(
  experiment: Pick<Experiment, 'measure' | 'steps'>,
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
