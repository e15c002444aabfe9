import type { Factor, Scalar } from '../../../../../shared/model/experiment.ts';
import { type FactorKindInfo, type Level, optionOf } from '../../../../../shared/model/factor.ts';
import type { HostFacts } from '../../../../../shared/model/host.ts';
import { countOfAddresses } from '../../../../../shared/model/target.ts';
import type { ServerSetting } from '../../../../../shared/model/target-details.ts';
import { isObject } from '../../../../../shared/util/object.ts';
import { type Field, shapeProblem, shownFields } from '../../../../forms/index.ts';
import { readScalar } from '../../document/document.ts';
import { settingFacts } from '../../document/useServerSettings.ts';
import { freeName } from './factors.ts';
import { levelField, levelsAre, type MatrixContext, plainWords, targetNames } from './kinds.ts';

/** A possible factor: found by its words, and complete once it has levels. */
export interface Proposal {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Facts about it, in a line. */
  readonly words: string;
  /** Named after what it varies. */
  readonly factor: Omit<Factor, 'levels' | 'when' | 'baseline'> & { readonly name: string; readonly kind: string };
  /** Suggested levels; the user chooses these first. */
  readonly suggestions: readonly Scalar[];
  /** The value in force, if known. */
  readonly now?: Scalar;
  /** The kind of object that it belongs to, which has to be named as well. */
  readonly belongsTo?: string;
  /** Levels have names and parts, which are edited in a side panel. */
  readonly sets?: true;
  /** Levels have a name and an amount. */
  readonly priced?: true;
}

const MOST_SUGGESTED = 12;

/** Everything that this document can vary, options of the tool first. `settings`: those of the server, as far as it could be queried. */
export function proposals(context: MatrixContext, settings: readonly ServerSetting[], server?: string): Proposal[] {
  const has = (kind: string): boolean => context.kinds.some((info) => info.kind === kind);
  return [
    ...optionProposals(context),
    ...context.kinds.flatMap((info) => kindProposals(info, context)),
    ...(has('server-setting') ? settings.map((setting) => settingProposal(setting, server)) : []),
  ];
}

function optionProposals({ experiment, options }: MatrixContext): Proposal[] {
  const { factors, workload } = experiment;
  const varied = new Set(factors.filter(({ kind }) => kind === 'option').map(optionOf));
  // An option varied by a factor may make others applicable: these count as well.
  return shownFields(options, workload.options)
    .filter((field) => !varied.has(field.name))
    .map((field): Proposal => {
      const now = workload.options[field.name] ?? field.default;
      return {
        id: `option ${field.name}`,
        group: 'Tool options',
        title: `${field.title} (${field.name})`,
        words: [
          field.group,
          now === undefined || now === ''
            ? ''
            : `now ${now}${typeof now === 'number' && field.unit ? ` ${field.unit}` : ''}`,
        ]
          .filter(Boolean)
          .join(' · '),
        factor: { name: field.name, kind: 'option' },
        suggestions: optionValues(field, now),
        ...(now !== undefined && { now }),
      };
    });
}

/** Suggested values of a setting: its words, or values around the current one. */
function settingProposal(setting: ServerSetting, server: string | undefined): Proposal {
  const now = readScalar(setting.value);
  return {
    id: `setting ${setting.name}`,
    group: server === undefined ? 'Server settings' : `Settings of ${server}`,
    title: setting.name,
    words: settingFacts(setting),
    factor: { name: setting.name, kind: 'server-setting', setting: setting.name },
    suggestions: settingValues(setting),
    now,
  };
}

export function settingValues({ value, takes }: ServerSetting): Scalar[] {
  const now = readScalar(value);
  if (takes && 'list' in takes) return takes.list.slice(0, MOST_SUGGESTED).map(readScalar);
  if (typeof now !== 'number') return [now];
  const bounds = takes ? { minimum: Number(takes.least), maximum: Number(takes.most) } : {};
  return around(now, { integer: Number.isInteger(now), ...bounds });
}

/** A setting that no server has reported: only its name is known. */
export const namedSetting = (name: string, why = ''): Proposal => ({
  id: `setting ${name}`,
  group: 'Server settings',
  title: `Server setting “${name}”`,
  words: ['By this name.', why].filter(Boolean).join(' '),
  factor: { name, kind: 'server-setting', setting: name },
  suggestions: [],
});

function kindProposals(info: FactorKindInfo, context: MatrixContext): Proposal[] {
  if (info.kind === 'option') return [];
  if (info.kind === 'host-setting') return [...hostSettings(info, context), combinedSettings(info)];
  if (info.kind === 'server-setting') return [combinedSettings(info)];
  const known = PLAIN[info.kind]?.(context);
  const base = { id: info.kind, group: 'Other', title: info.title, words: plainWords(info.description) };
  if (info.kind === 'price')
    return [{ ...base, factor: { name: 'price', kind: 'price' }, suggestions: [], priced: true }];
  if (known) return [{ ...base, ...known, factor: { name: info.kind, kind: info.kind, ...known.factor } }];
  const sets = levelsAre(info) !== 'plain' && { sets: true as const };
  return [{ ...base, factor: { name: info.kind, kind: info.kind }, suggestions: [], ...sets }];
}

/** Several settings that change together: levels are named sets. */
const combinedSettings = ({ kind, changes }: FactorKindInfo): Proposal => ({
  id: `several ${kind}`,
  group: changes === 'server' ? 'Server settings' : 'Host settings',
  title: changes === 'server' ? 'Several server settings together' : 'Several host settings together',
  words: 'each level is a named set of values',
  factor: { name: 'settings', kind },
  suggestions: [],
  sets: true,
});

/** Present values of a host, by the setting that changes them. */
const presentOf = ({ cpuGovernor, cpuBoost, hugePages }: HostFacts): Readonly<Record<string, string | undefined>> => ({
  'cpu-governor': cpuGovernor,
  'cpu-boost': cpuBoost === undefined ? undefined : cpuBoost ? 'on' : 'off',
  'transparent-hugepages': hugePages,
});

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

function hostSettings({ kind, schema }: FactorKindInfo, { varied }: MatrixContext): Proposal[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const { setting } = properties;
  if (!isObject(setting) || !isObject(setting.choices)) return [];
  const belongs = isObject(setting.belongsTo) ? setting.belongsTo : {};
  const suggests = isObject(setting.suggests) ? setting.suggests : {};
  const present = varied ? presentOf(varied) : {};
  return Object.entries(setting.choices).map(([name, words]) => {
    const common = suggests[name];
    const now = present[name];
    const suggestions = Array.isArray(common) ? common.filter(isScalar) : [];
    return {
      id: `host ${name}`,
      group: 'Host settings',
      title: name,
      words: String(words),
      factor: { name, kind, setting: name },
      suggestions: now === undefined || suggestions.includes(now) ? suggestions : [now, ...suggestions],
      ...(now !== undefined && { now }),
      ...(typeof belongs[name] === 'string' && { belongsTo: belongs[name] }),
    };
  });
}

type Plain = Pick<Proposal, 'suggestions'> & Partial<Pick<Proposal, 'now' | 'group'>> & { factor?: { limit: string } };

const upTo = (count: number): number[] => Array.from({ length: Math.min(count, MOST_SUGGESTED) }, (_, at) => at + 1);

/** Kinds whose levels are plain values, with the possible ones. */
const PLAIN: Readonly<Record<string, (context: MatrixContext) => Plain>> = {
  target: ({ experiment: { where }, targets, tool }) => ({
    group: 'Targets',
    suggestions: [...new Set([...(where.target === undefined ? [] : [where.target]), ...targetNames(targets, tool)])],
    ...(where.target !== undefined && { now: where.target }),
  }),
  generators: ({ experiment: { where }, hosts }) => ({
    suggestions: [...where.generators.map((_, index) => index + 1), ...hosts.map(({ spec }) => spec.name)],
    now: where.generators.length,
  }),
  nodes: ({ experiment: { where }, targets }) => ({
    suggestions: upTo(countOfAddresses(targets.find(({ spec }) => spec.name === where.target)?.spec)),
  }),
  duration: ({ experiment: { measure } }) => ({
    suggestions: around(measure.duration, { integer: false, minimum: 1, maximum: 864_000 }),
    now: measure.duration,
  }),
  'tool-cpus': ({ cpus = 1 }) => ({ suggestions: ['0', ...(cpus > 1 ? [`0-${cpus - 1}`] : [])] }),
  'tool-limits': () => ({ suggestions: [1024, 65_536], factor: { limit: 'open-files' } }),
};

export function optionValues({ shape }: Field, now: Scalar | undefined): Scalar[] {
  if (shape.kind === 'switch') return [false, true];
  if (shape.kind === 'choice') return shape.choices.slice(0, MOST_SUGGESTED);
  if (shape.kind === 'number' && typeof now === 'number')
    return around(now, shape).filter((value) => shapeProblem(shape, value) === undefined);
  return now === undefined || shapeProblem(shape, now) !== undefined ? [] : [now];
}

interface Bounds {
  readonly integer: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Halves and doubles of a value, within its range; all values of a short range. */
export function around(now: number, { integer, minimum = -Infinity, maximum = Infinity }: Bounds): number[] {
  const all = integer && maximum - minimum < MOST_SUGGESTED;
  const values = all
    ? Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index)
    : [now / 4, now / 2, now, now * 2, now * 4, now * 8];
  const fitting = values.filter(
    (value) => value >= minimum && value <= maximum && (!integer || Number.isInteger(value)),
  );
  return [...new Set(fitting)];
}

/** The factor for a proposal, with a unique name. `of`: the object it belongs to. */
export function factorOf(
  { factor }: Pick<Proposal, 'factor'>,
  levels: readonly Level[],
  { experiment }: Pick<MatrixContext, 'experiment'>,
  of = '',
): Factor {
  const { name, kind, ...fields } = factor;
  const free = freeName(
    of === '' ? name : of,
    experiment.factors.map((each) => each.name),
  );
  return {
    ...fields,
    ...(of !== '' && { of }),
    name: free,
    kind,
    ...(kind === 'option' && free !== name && { option: name }),
    levels: [...levels],
  };
}

/** The field of one typed level of it. */
export const proposedField = (proposal: Proposal, context: MatrixContext): Field | undefined =>
  levelField({ ...proposal.factor, levels: [''] }, context);

/** An additional level: placed after the last one, with a copy of its settings. */
export function nextLevel({ levels }: Factor): Level {
  const names = levels.map((level) => String(typeof level === 'object' ? level.name : level));
  const last = levels.at(-1);
  const name = freeName('level', names);
  return typeof last === 'object' ? { ...structuredClone(last), name } : { name };
}
