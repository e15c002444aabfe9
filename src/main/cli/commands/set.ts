import { DocumentStep, type Experiment, type Scalar } from '../../../shared/model/experiment.ts';
import { type GroupedStep, namedSteps, optionIn, settingOfStep } from '../../../shared/model/step.ts';
import { readDuration } from '../../../shared/util/duration.ts';
import { UsageError } from '../exit.ts';

/** Fields of a step that `--set` can change, in addition to its options, by the type of their value. */
const SECONDS = ['warmup', 'duration', 'at-most', 'for', 'from'] as const;
/** Groups, fields that define the identity of a step, and those that are more than a text. */
const NOT_SET = new Set<string>([
  'name',
  'do',
  'same',
  'options',
  'until',
  'gate',
  'else',
  'measured',
  'each',
  'parallel',
  'factors',
  'steady',
  ...SECONDS,
]);
const TEXTS = Object.keys(DocumentStep.shape).filter((field) => !NOT_SET.has(field));

/**
 * `threads=1,2,4`: replaces the levels of a factor, or adds a factor that varies the option with that name. `reads.threads=8`: a setting of one step,
 * or the levels of a factor within it.
 */
export function setIn(experiment: Experiment, assignment: string): Experiment {
  const [name, value] = splitOnce(assignment, '=');
  if (!name || !value)
    throw new UsageError(`--set takes factor=level,level,… or step.option=value; not valid: “${assignment}”.`);
  const step = stepNamed(experiment, name);
  return step ? setInStep(experiment, step, value, assignment) : setFactor(experiment, name, value, assignment);
}

type NamedSetting = NonNullable<ReturnType<typeof settingOfStep>>;

/** The step or group and its setting named by `STEP.SETTING`. Undefined for the name of a factor. */
function stepNamed({ steps = [], factors }: Experiment, name: string): NamedSetting | undefined {
  if (!name.includes('.') || steps.length === 0 || factors.some((factor) => factor.name === name)) return undefined;
  const found = settingOfStep(steps, name);
  if (found) return found;
  const known = [...new Set(namedSteps(steps).map((step) => step.name))].join(', ');
  throw new UsageError(`--set ${name}: there is no such step or factor. Steps are: ${known}.`);
}

function setInStep(
  experiment: Experiment,
  { at: [, place, list, placeInGroup], setting }: NamedSetting,
  value: string,
  assignment: string,
): Experiment {
  const changed = <Step extends GroupedStep>(step: Step): Step => withSetting(step, setting, value, assignment);
  const steps = (experiment.steps ?? []).map((step, index) => {
    if (index !== place) return step;
    if (placeInGroup === undefined) return changed(step);
    const inGroup = <Step extends GroupedStep>(own: Step, ownPlace: number): Step =>
      ownPlace === placeInGroup ? changed(own) : own;
    return list === 'parallel'
      ? { ...step, parallel: step.parallel?.map(inGroup) }
      : { ...step, each: step.each?.map(inGroup) };
  });
  return { ...experiment, steps };
}

function withSetting<Step extends GroupedStep>(step: Step, setting: string, value: string, assignment: string): Step {
  const varied = step.factors?.find((factor) => factor.name === setting || optionIn(factor) === setting);
  if (varied) {
    const levels = levelsIn(value, assignment);
    return { ...step, factors: step.factors?.map((factor) => (factor === varied ? { ...factor, levels } : factor)) };
  }
  if (isOf(SECONDS, setting)) {
    const seconds = readDuration(value, 's');
    if (seconds === undefined)
      throw new UsageError(`--set ${assignment}: ${setting} takes seconds or a duration such as 5m or 1h30.`);
    return { ...step, [setting]: seconds };
  }
  if (TEXTS.includes(setting)) return { ...step, [setting]: value };
  return { ...step, options: { ...step.options, [setting]: scalarOf(value.trim()) } };
}

const isOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  names.some((each) => each === name);

function setFactor(experiment: Experiment, name: string, list: string, assignment: string): Experiment {
  const levels = levelsIn(list, assignment);
  const known = experiment.factors.some((factor) => factor.name === name);
  const factors = known
    ? experiment.factors.map((factor) => (factor.name === name ? { ...factor, levels } : factor))
    : [...experiment.factors, { name, kind: 'option' as const, levels }];
  return { ...experiment, factors };
}

function levelsIn(list: string, assignment: string): Scalar[] {
  const levels = list.split(',').map((level) => scalarOf(level.trim()));
  if (levels.includes('')) throw new UsageError(`--set ${assignment}: a level between the commas is empty.`);
  return levels;
}

export function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function scalarOf(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
