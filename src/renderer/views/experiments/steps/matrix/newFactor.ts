import type { Factor, Scalar } from '../../../../../shared/model/experiment.ts';
import type { FactorKindInfo, Level } from '../../../../../shared/model/factor.ts';
import type { Field } from '../../../../forms/index.ts';
import { freeName } from './factors.ts';
import { type MatrixContext, targetNames } from './kinds.ts';
import { firstLevels } from './levels.ts';

/** A factor of the tool's option. */
export function factorOfOption(field: Field, { experiment }: MatrixContext): Factor {
  const inForce = experiment.workload.options[field.name] ?? field.default;
  const name = freeName(
    field.name,
    experiment.factors.map((factor) => factor.name),
  );
  return {
    name,
    kind: 'option',
    ...(name !== field.name && { option: field.name }),
    levels: firstLevels(field, inForce),
  };
}

/** What a kind begins with: enough that a person sees what its levels are like. */
type Start = (context: MatrixContext) => { name?: string; levels: Level[] } & Readonly<Record<string, unknown>>;

const plain = (...levels: Scalar[]): { levels: Level[] } => ({ levels });

const STARTS: Readonly<Record<string, Start>> = {
  target({ experiment: { where }, targets, tool }) {
    const names = targetNames(targets, tool);
    const first = where.target === undefined ? [] : [where.target];
    const all = [...new Set([...first, ...names])].slice(0, 2);
    return { name: 'server', levels: all.length > 0 ? all : [''] };
  },
  generators: ({ experiment: { where } }) => ({
    name: 'clients',
    ...plain(...new Set([1, where.generators.length])),
  }),
  duration: ({ experiment: { measure } }) => ({
    name: 'length',
    ...plain(measure.duration, Math.min(864_000, measure.duration * 10)),
  }),
  workload: () => ({
    name: 'load',
    levels: [
      { name: 'as above', options: {} },
      { name: 'other', options: {} },
    ],
  }),
  data: () => ({ name: 'data', levels: [{ name: 'as above' }, { name: 'other' }] }),
  'server-setting': () => ({
    name: 'settings',
    levels: [
      { name: 'as found', set: {} },
      { name: 'changed', set: {} },
    ],
  }),
  'host-setting': () => ({
    name: 'huge-pages',
    setting: 'transparent-hugepages',
    levels: ['always', 'never'],
  }),
  'tool-cpus': ({ cpus = 1 }) => ({ name: 'tool-cpus', levels: ['0', ...(cpus > 1 ? [`0-${cpus - 1}`] : [])] }),
  'tool-limits': () => ({ name: 'open-files', limit: 'open-files', ...plain(1024, 65_536) }),
  price: () => ({
    name: 'price',
    levels: [
      { name: 'small', price: { amount: 50, per: 'month', currency: 'USD' } },
      { name: 'large', price: { amount: 100, per: 'month', currency: 'USD' } },
    ],
  }),
};

/** A factor of a kind, ready to be changed. */
export function factorOfKind(info: FactorKindInfo, context: MatrixContext): Factor {
  const start: ReturnType<Start> = STARTS[info.kind]?.(context) ?? { levels: info.level ? [{ name: 'first' }] : [1] };
  const { name = info.kind, levels, ...fields } = start;
  const taken = context.experiment.factors.map((factor) => factor.name);
  return { ...fields, name: freeName(name, taken), kind: info.kind, levels };
}

/** A further level: after the last one, with what that sets. */
export function nextLevel({ levels }: Factor): Level {
  const names = levels.map((level) => String(typeof level === 'object' ? level.name : level));
  const last = levels.at(-1);
  const name = freeName('level', names);
  return typeof last === 'object' ? { ...structuredClone(last), name } : { name };
}
