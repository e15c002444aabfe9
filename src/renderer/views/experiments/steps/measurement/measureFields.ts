import { type Experiment, type Factor, MeasureForm, type Scalar } from '../../../../../shared/model/experiment.ts';
import { CHANGE_COSTS, type ChangeCost } from '../../../../../shared/model/factor.ts';
import { formSchema } from '../../../../../shared/model/form-schema.ts';
import type { Plan } from '../../../../../shared/model/plan.ts';
import { type Field, type FormValues, problemWith, readFields } from '../../../../forms/index.ts';

/** Settings of a group (`stop.minutes`) have its name as a prefix. */
export const MEASURE_FIELDS: readonly Field[] = readFields(formSchema(MeasureForm));

/** The measurement as the form's values: all of them, so that defaults count as unchanged. */
export const measureValues = ({ measure, workload }: Experiment): FormValues => ({
  ...scalarsOf(measure),
  ...Object.assign({}, ...Object.entries(measure).map(([group, settings]) => scalarsOf(settings, `${group}.`))),
  data: workload.data,
});

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

const scalarsOf = (settings: unknown, before = ''): FormValues =>
  typeof settings === 'object' && settings !== null
    ? Object.fromEntries(
        Object.entries(settings).flatMap(([name, value]) => (isScalar(value) ? [[`${before}${name}`, value]] : [])),
      )
    : {};

/** The document with the valid values; invalid ones stay in the form until they are corrected. */
export function withMeasure(experiment: Experiment, values: FormValues): Experiment {
  const measure: Record<string, unknown> = { ...experiment.measure };
  let { data } = experiment.workload;
  for (const field of MEASURE_FIELDS) {
    const value = values[field.name] ?? field.default;
    if (problemWith(field, value) !== undefined) continue;
    const [group = '', name] = field.name.split('.');
    const set = value === '' ? undefined : value;
    if (field.name === 'data') data = set as Experiment['workload']['data'];
    else if (name === undefined) measure[group] = set;
    else measure[group] = withSetting(measure[group], name, set);
  }
  return {
    ...experiment,
    measure: withoutAbsent(withoutNeedless(measure)) as Experiment['measure'],
    workload: { ...experiment.workload, data },
  };
}

/** Undefined for a group without any setting. */
function withSetting(group: unknown, name: string, value: Scalar | undefined): Record<string, unknown> | undefined {
  const settings = withoutAbsent({ ...(typeof group === 'object' ? group : {}), [name]: value });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** A canary is defined by its interval: without that there is none. */
const withoutNeedless = ({ canary, ...rest }: Record<string, unknown>): Record<string, unknown> =>
  typeof canary === 'object' && canary !== null && 'every' in canary ? { ...rest, canary } : rest;

const withoutAbsent = (group: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(group).filter(([, value]) => value !== undefined));

/** A trial preceded by a time-consuming change: its index in the order, from 0. */
export interface CostlyChange {
  readonly trial: number;
  readonly cost: ChangeCost;
}

const rank = (cost: ChangeCost): number => CHANGE_COSTS.indexOf(cost);

/** Where a plan reloads, restarts or loads between two trials. `costs`: highest cost of a change of each factor, in order. */
export function costlyChanges(
  { cells, trials }: Pick<Plan, 'cells' | 'trials'>,
  factors: readonly Pick<Factor, 'name'>[],
  costs: readonly ChangeCost[],
): CostlyChange[] {
  const costly = factors.flatMap(({ name }, index) => {
    const cost = costs[index] ?? 'none';
    return rank(cost) >= rank('reload') ? [{ name, cost }] : [];
  });
  return trials.flatMap((trial, index) => {
    const before = cells[trials[index - 1]?.cell ?? -1];
    const now = cells[trial.cell];
    if (!before || !now || before === now) return [];
    const made = costly.filter(({ name }) => before.levels[name] !== now.levels[name]).map(({ cost }) => cost);
    if (before.data !== now.data) made.push('load');
    const [dearest] = made.sort((a, b) => rank(b) - rank(a));
    return dearest === undefined ? [] : [{ trial: trial.index, cost: dearest }];
  });
}
