import { type Experiment, Factor, type Scalar } from '../../../../../shared/model/experiment.ts';
import { type ChangeCost, type FactorKindInfo, optionOf } from '../../../../../shared/model/factor.ts';
import { formSchema } from '../../../../../shared/model/form-schema.ts';
import type { Host, HostFacts } from '../../../../../shared/model/host.ts';
import type { Target } from '../../../../../shared/model/target.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { isObject } from '../../../../../shared/util/object.ts';
import { type Field, readFields } from '../../../../forms/index.ts';

/** The parts of a document that factors depend on: exclusions of cells do not affect them. */
type Varied = Pick<Experiment, 'workload' | 'where' | 'factors' | 'design' | 'base' | 'measure'>;

/** Sources of levels and fields of factors. */
export interface MatrixContext {
  readonly experiment: Varied;
  readonly tool: ToolInfo | undefined;
  /** Options of the tool. */
  readonly options: readonly Field[];
  readonly kinds: readonly FactorKindInfo[];
  readonly hosts: readonly Host[];
  readonly targets: readonly Target[];
  /** CPUs of the first generator, if known. */
  readonly cpus: number | undefined;
  /** Facts of the host that host settings apply to by default, if known. */
  readonly varied?: HostFacts | undefined;
}

/** Documentation marks names of a document with backticks: here they are removed. */
export const plainWords = (text: string): string => text.replaceAll('`', '');

export const COST_WORDS: Readonly<Record<ChangeCost, string>> = {
  none: 'Changing levels only affects the command of the tool.',
  live: 'Changing levels needs no restart or reload.',
  reload: 'Changing levels may need a server reload.',
  restart: 'Changing levels may need a server restart.',
  load: 'Changing levels reloads the data.',
};

/** The subject of a factor, for the head of its column: “Threads”, “3 settings”, “sysctl vm.swappiness”. */
export function variedWords(factor: Factor, options: readonly Field[]): string {
  if (factor.kind === 'option') {
    const name = optionOf(factor);
    return options.find((field) => field.name === name)?.title ?? name;
  }
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  if (factor.setting !== undefined || factor.limit !== undefined)
    return [text(factor.setting ?? factor.limit), text(factor.of)].filter(Boolean).join(' ');
  const names = namesOfSets(factor);
  const [only] = names;
  if (only === undefined) return '';
  return names.length === 1 ? only : `${names.length} ${factor.kind.endsWith('setting') ? 'settings' : 'options'}`;
}

/** The part of a level that is a set of values by name. */
export function setOf(level: Factor['levels'][number], part?: string): Readonly<Record<string, Scalar | null>> {
  if (typeof level !== 'object') return {};
  const found = part === undefined ? (level.set ?? level.options) : level[part];
  return typeof found === 'object' && found !== null ? (found as Record<string, Scalar | null>) : {};
}

/** Every name that a level sets, in document order. */
export const namesOfSets = ({ levels }: Pick<Factor, 'levels'>, part?: string): string[] => [
  ...new Set(levels.flatMap((level) => Object.keys(setOf(level, part)))),
];

const field = (shape: Field['shape'], more: Partial<Field> = {}): Field => ({
  name: '',
  title: '',
  description: '',
  group: '',
  required: false,
  main: false,
  shape,
  ...more,
});
const wholeNumber = field({ kind: 'number', integer: true, words: [], minimum: 0 });

/** Field of a plain level of a factor; undefined: any value. */
export function levelField(factor: Factor, { options, targets, tool }: MatrixContext): Field | undefined {
  switch (factor.kind) {
    case 'option':
      return options.find((option) => option.name === optionOf(factor));
    case 'target':
      return field({ kind: 'choice', choices: targetNames(targets, tool) });
    case 'duration':
      return field({ kind: 'number', integer: false, words: [], minimum: 1, duration: 's' }, { unit: 's' });
    case 'nodes':
      return field({ kind: 'number', integer: true, words: [], minimum: 1, maximum: 1000 });
    case 'tool-limits':
      return wholeNumber;
    case 'tool-cpus':
      return field({ kind: 'text', multiline: false });
    default:
      return undefined;
  }
}

/** Targets that the tool drives, or all if there are none. */
export function targetNames(targets: readonly Target[], tool: ToolInfo | undefined): string[] {
  const driven = targets.filter(({ spec }) => tool?.drives.includes(spec.kind));
  return (driven.length > 0 ? driven : targets).map(({ spec }) => spec.name);
}

/** Whether levels of the kind have a name and parts: `either` if they may also be a value. */
export const levelsAre = (info: FactorKindInfo | undefined): 'plain' | 'named' | 'either' =>
  info?.level === undefined ? 'plain' : info.plainLevels ? 'either' : 'named';

/** A part of a named level, and its editor. */
export interface LevelPart {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly is: 'set' | 'texts' | 'text' | 'price';
  /** Whether null means “as it was found”. */
  readonly nullable: boolean;
}

export function partsOf(info: FactorKindInfo | undefined): LevelPart[] {
  const properties = isObject(info?.level?.properties) ? info.level.properties : {};
  return Object.entries(properties).flatMap(([name, schema]): LevelPart[] => {
    if (!isObject(schema)) return [];
    const { title, description, type, additionalProperties, anyOf } = schema;
    const is =
      isObject(additionalProperties) && type === 'object'
        ? 'set'
        : type === 'array'
          ? 'texts'
          : anyOf
            ? 'price'
            : 'text';
    return [
      {
        name,
        title: typeof title === 'string' ? title : name,
        description: typeof description === 'string' ? description : '',
        is,
        nullable: JSON.stringify(additionalProperties ?? '').includes('"null"'),
      },
    ];
  });
}

/** Fields of every factor. */
const OF_ALL_KINDS = readFields(formSchema(Factor)).filter(({ name }) => name === 'pause');

/** Fields of a factor of the kind as shown in a form for this document; fields for names offer the existing ones. */
export function factorFields(
  factor: Factor,
  info: FactorKindInfo,
  { options, targets, hosts }: MatrixContext,
): Field[] {
  const sets = factor.levels.some((level) => typeof level === 'object') && info.plainLevels === true;
  const targetChoices = targets.map(({ spec }) => spec.name);
  const hostChoices = ['target', 'generators', ...hosts.map(({ spec }) => spec.name)];
  return [...readFields(info.schema), ...OF_ALL_KINDS].flatMap((each): Field[] => {
    const choices = (names: readonly string[]): Field => {
      const now = factor[each.name];
      return {
        ...each,
        shape: { kind: 'choice', choices: [...new Set([...names, ...(typeof now === 'string' ? [now] : [])])] },
      };
    };
    if (each.name === 'option') return [choices(options.map(({ name }) => name))];
    if (each.name === 'on') return [choices(info.changes === 'host' ? hostChoices : targetChoices)];
    if (info.kind === 'server-setting' && each.name === 'setting') return [];
    if (sets && info.changes === 'host' && each.name !== 'pause') return [];
    if (['apply', 'read', 'undo'].includes(each.name))
      return [{ ...each, when: { option: 'setting', in: ['commands'] } }];
    return [each];
  });
}
