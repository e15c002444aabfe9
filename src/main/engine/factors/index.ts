import type { z } from 'zod';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import {
  Factor,
  type FactorKindInfo,
  levelName,
  MOST_TESTED_LEVELS,
  UNNAMED_KIND,
} from '../../../shared/model/factor.ts';
import { formSchema } from '../../../shared/model/form-schema.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { meantWords } from '../../../shared/util/nearest.ts';
import type { Tool } from '../tools/tool.ts';
import type { Changer } from './change.ts';
import { dataFactor } from './data/index.ts';
import { statementsChanger } from './data/statements.ts';
import { durationFactor } from './duration/index.ts';
import type { FactorKind, FactorRules, PlainDurations } from './factor.ts';
import { generatorsFactor } from './generators/index.ts';
import { hostSettingChanger, hostSettingFactor } from './host-setting/index.ts';
import { nodesFactor } from './nodes/index.ts';
import { optionFactor } from './option/index.ts';
import { priceFactor } from './price/index.ts';
import { settingChanger } from './server-setting/changer.ts';
import { serverSettingFactor } from './server-setting/index.ts';
import { serverStateChanger } from './server-state/index.ts';
import { targetFactor } from './target/index.ts';
import { toolCpusFactor } from './tool-cpus/index.ts';
import { toolLimitsFactor } from './tool-limits/index.ts';
import { workloadFactor } from './workload/index.ts';

export { COMMANDS } from './host-setting/index.ts';
export { RUNNING, STATE, STATE_CHANGER, STOPPED } from './server-state/index.ts';

/** Every kind of factor, in the order in which the levels of a cell take effect. */
export const KINDS: readonly FactorKind[] = [
  targetFactor,
  nodesFactor,
  workloadFactor,
  dataFactor,
  optionFactor,
  durationFactor,
  generatorsFactor,
  serverSettingFactor,
  hostSettingFactor,
  toolCpusFactor,
  toolLimitsFactor,
  priceFactor,
];

/** Changers for hosts and servers, by name. */
export const CHANGERS: readonly Changer[] = [settingChanger, hostSettingChanger, statementsChanger, serverStateChanger];

const kindOf = ({ kind }: Factor): FactorKind | undefined => KINDS.find((entry) => entry.kind === kind);

/** Converts a level of a document to its stored form: durations with a unit become numbers. Accepts any input. */
export function plainLevel(factor: Readonly<Record<string, unknown>>, level: unknown, plain: PlainDurations): unknown {
  const kind = KINDS.find((entry) => entry.kind === (factor.kind ?? UNNAMED_KIND));
  return kind?.plainLevel ? kind.plainLevel(level, factor, plain) : level;
}

/** Position of a factor's kind in the order in which factors take effect. */
export const rankOf = (factor: Factor): number => KINDS.findIndex(({ kind }) => kind === factor.kind);

/** Returns the rules of a factor of a checked document. Throws zod's error for fields that do not fit. */
export function rulesOf(factor: Factor, tool: Tool): FactorRules {
  const kind = kindOf(factor);
  if (!kind) throw new TypeError(`Factor “${factor.name}” has an unknown kind.`);
  return kind.rules(factor, kind.fields.parse(fieldsOf(factor)), tool);
}

const fieldsOf = ({
  name: _name,
  kind: _kind,
  when: _when,
  baseline: _baseline,
  tested: _tested,
  values: _values,
  pause: _pause,
  levels: _levels,
  ...fields
}: Factor): Record<string, unknown> => fields;

/** Factors of a checked document that its question can be about: not a load, and with few enough levels for a sentence. */
export const testableFactors = (factors: readonly Factor[], tool: Tool): Factor[] =>
  factors.filter(
    (factor) =>
      factor.levels.length > 1 &&
      factor.levels.length <= MOST_TESTED_LEVELS &&
      rulesOf(factor, tool).load === undefined,
  );

/** Why a factor's levels cannot be plotted at its `values`. */
function valueProblems({ name, levels, values }: Factor): string[] {
  if (!values) return [];
  const names = levels.map(levelName);
  if (names.every((level) => typeof level === 'number'))
    return [`The levels of “${name}” are numbers already. Remove the values.`];
  const called = names.map(String);
  const missing = called.find((level) => values[level] === undefined);
  if (missing !== undefined) return [`The level “${missing}” of “${name}” has no value.`];
  const numbers = called.map((level) => values[level]);
  const twice = numbers.find((value, index) => numbers.indexOf(value) < index);
  return twice === undefined ? [] : [`Two levels of “${name}” have the value ${twice}.`];
}

/** Problems of all factors: those found by the rules of their kinds, and duplicate names, levels and varied things. */
export function factorProblems(
  { factors, where }: Pick<Experiment, 'factors' | 'where'>,
  tool: Tool,
  at: (path: (string | number)[], message: string) => DocumentProblem,
): DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const names = new Set<string>();
  const varied = new Set<string>();
  factors.forEach((factor, index) => {
    const complain = (path: readonly (string | number)[], message: string): void => {
      problems.push(at(['factors', index, ...path], message));
    };
    if (names.has(factor.name)) complain(['name'], `Two factors are named “${factor.name}”.`);
    if (factor.tested && factors.slice(0, index).some(({ tested }) => tested))
      complain(['tested'], 'Only one factor can be under test.');
    for (const message of valueProblems(factor)) complain(['values'], message);
    const unlike = formProblems(factor);
    for (const { path, message } of unlike) complain(path, message);
    if (unlike.length > 0) return;
    const rules = rulesOf(factor, tool);
    rules.check(complain, where);
    const twice = rules.varies.find((what) => varied.has(what));
    if (twice !== undefined && !names.has(factor.name)) complain([], `Two factors vary “${twice}”.`);
    names.add(factor.name);
    for (const what of rules.varies) varied.add(what);
    const same = new Set(factor.levels.map(rules.levelKey)).size !== factor.levels.length;
    const called = new Set(factor.levels.map((level) => String(levelName(level)))).size !== factor.levels.length;
    if (same || called) complain(['levels'], `Factor “${factor.name}” has the same level twice.`);
  });
  return problems;
}

interface FormProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Problems found by the schemas of a factor's kind. */
function formProblems(factor: Factor): FormProblem[] {
  const kind = kindOf(factor);
  if (!kind) {
    const known = KINDS.map((entry) => entry.kind).join(', ');
    return [{ path: ['kind'], message: `this version has no such kind of factor. Known: ${known}.` }];
  }
  return [
    ...schemaProblems(kind.fields, fieldsOf(factor), []),
    ...factor.levels.flatMap((level, at) => levelProblems(kind, level, ['levels', at])),
  ];
}

function levelProblems(kind: FactorKind, level: Factor['levels'][number], path: (string | number)[]): FormProblem[] {
  if (typeof level !== 'object') {
    if (!kind.level || kind.plainLevels) return [];
    return [{ path, message: `a level of kind “${kind.kind}” needs a name and the settings of that level.` }];
  }
  if (!kind.level) return [{ path, message: `a level of kind “${kind.kind}” is a plain value.` }];
  const { name: _name, ...rest } = level;
  return schemaProblems(kind.level, rest, path);
}

function schemaProblems(schema: z.ZodObject, value: unknown, at: (string | number)[]): FormProblem[] {
  const read = schema.safeParse(value);
  if (read.success) return [];
  return read.error.issues.flatMap((issue): FormProblem[] => {
    const path = [...at, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
    if (issue.code !== 'unrecognized_keys')
      return [{ path, message: `${path.at(-1) ?? 'This'}: ${issueWords(issue)}` }];
    const known = [...Object.keys(Factor.shape), ...Object.keys(schema.shape)];
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `There is no setting named “${key}” here.${meantWords(key, known)}`,
    }));
  });
}

/** Information on a kind for forms and help. */
export const factorKindInfo = (kind: FactorKind): FactorKindInfo => ({
  kind: kind.kind,
  title: kind.title,
  description: kind.description,
  changes: kind.changes,
  takes: kind.takes,
  undone: kind.undone,
  schema: formSchema(kind.fields),
  ...(kind.level && { level: formSchema(kind.level) }),
  ...(kind.plainLevels && { plainLevels: true }),
  example: kind.example,
});
