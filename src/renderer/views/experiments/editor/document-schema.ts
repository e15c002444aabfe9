import { z } from 'zod';
import { Experiment } from '../../../../shared/model/experiment.ts';
import type { FactorKindInfo } from '../../../../shared/model/factor.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import type { Schema } from '../../../code-editor/index.ts';
import { MEASURE_FIELDS } from '../steps/measurement/measureFields.ts';

const EXPERIMENT: Schema = z.toJSONSchema(Experiment, { io: 'input' });

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? { ...value } : {});
const propertiesOf = (schema: Schema | undefined): Schema => asSchema(schema?.properties);
const within = (schema: Schema, name: string): Schema => asSchema(propertiesOf(schema)[name]);
const withProperties = (schema: Schema, properties: Schema): Schema => ({
  ...schema,
  properties: { ...propertiesOf(schema), ...properties },
});

/** Context of a document, as far as its text determines it. */
export interface WrittenFor {
  readonly tool: string | undefined;
  /** Kind of the factor being written; absent: not specified yet. */
  readonly kind?: string | undefined;
}

/**
 * JSON Schema of a document for this tool: its options with their words, the tools by name, the measurement as in its form, and factors
 * with the fields and levels of their kind.
 */
export function documentSchema(
  tools: readonly ToolInfo[],
  kinds: readonly FactorKindInfo[],
  { tool: toolId, kind }: WrittenFor,
): Schema {
  const tool = tools.find((entry) => entry.id === toolId);
  const byTitle = Object.fromEntries(tools.map(({ id, title }) => [id, title]));
  const workload = { tool: { enum: tools.map(({ id }) => id), words: byTitle }, options: tool?.options ?? {} };
  return withProperties(EXPERIMENT, {
    workload: withProperties(within(EXPERIMENT, 'workload'), workload),
    steps: { ...within(EXPERIMENT, 'steps'), items: stepSchema(tool?.options ?? {}) },
    factors: { ...within(EXPERIMENT, 'factors'), items: factorSchema(kinds, kind, tool) },
    measure: withProperties(within(EXPERIMENT, 'measure'), measureWords()),
  });
}

const STEP = asSchema(within(EXPERIMENT, 'steps').items);
const FACTOR = asSchema(within(EXPERIMENT, 'factors').items);
const LEVELS = asSchema(propertiesOf(FACTOR).levels);

/** A step, or a group of steps, with the options of a tool. */
const stepSchema = (options: Schema): Schema => {
  const grouped = (list: Schema): Schema => ({ ...list, items: withProperties(asSchema(list.items), { options }) });
  return withProperties(STEP, {
    options,
    each: grouped(within(STEP, 'each')),
    parallel: grouped(within(STEP, 'parallel')),
  });
};

/** A factor of a kind; for an unknown kind, with the fields of all kinds. */
function factorSchema(kinds: readonly FactorKindInfo[], kind: string | undefined, tool: ToolInfo | undefined): Schema {
  const known = kinds.filter((info) => info.kind === kind);
  const chosen = known.length > 0 ? known : kinds;
  const options = { examples: Object.keys(propertiesOf(tool?.options)) };
  const fields: Schema = Object.assign({}, ...chosen.map(({ schema }) => propertiesOf(schema)));
  const level: Schema = Object.assign({}, ...chosen.map((info) => propertiesOf(info.level)));
  const ofOption = chosen.some((info) => info.kind === 'option');
  return withProperties(
    { type: 'object', ...FACTOR },
    {
      name: ofOption ? options : {},
      kind: {
        enum: kinds.map((info) => info.kind),
        words: Object.fromEntries(kinds.map((info) => [info.kind, info.title])),
        title: 'Kind',
        description: known[0]?.description ?? 'Kind of factor. Default: an option of the tool.',
      },
      levels: {
        ...LEVELS,
        title: 'Levels',
        description: 'Values, named sets, or a range such as 1..64 doubling.',
        items: Object.keys(level).length > 0 ? { type: 'object', properties: levelNames(level, tool) } : {},
      },
      ...fields,
      ...(fields.option !== undefined && { option: { ...asSchema(fields.option), ...options } }),
    },
  );
}

/** A named level; its options of the tool are those of the tool. */
const levelNames = (level: Schema, tool: ToolInfo | undefined): Schema => ({
  name: { title: 'Name of the level' },
  ...level,
  ...(level.options !== undefined && { options: { ...asSchema(level.options), ...asSchema(tool?.options) } }),
});

const ITEM = /^(\s*)- /;

/** Kind specified in the factor at the end of a text; undefined outside of factors, or without a kind. */
export function kindAtEnd(before: string): string | undefined {
  const lines = before.split('\n');
  const start = lines.map((line) => /^factors:/.test(line)).lastIndexOf(true);
  const inside = lines.slice(start + 1);
  if (start < 0 || inside.some((line) => /^[A-Za-z]/.test(line))) return undefined;
  const indents = inside.map((line) => ITEM.exec(line)?.[1]);
  const indent = indents.find((found) => found !== undefined);
  const item = indent === undefined ? '' : inside.slice(indents.lastIndexOf(indent)).join('\n');
  return /\bkind:\s*["']?([\w-]+)/.exec(item)?.[1];
}

function measureWords(): Schema {
  const properties = propertiesOf(within(EXPERIMENT, 'measure'));
  const fields = MEASURE_FIELDS.filter(({ name }) => name in properties);
  return Object.fromEntries(
    fields.map(({ name, title, description, unit }) => [
      name,
      { ...asSchema(properties[name]), title, description, unit },
    ]),
  );
}
