import { z } from 'zod';
import { Experiment } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import type { Schema } from '../../../code-editor/index.ts';
import { MEASURE_FIELDS } from '../steps/measurement/measureFields.ts';

const EXPERIMENT: Schema = z.toJSONSchema(Experiment, { io: 'input' });

/** JSON Schema of a document for this tool: its options with their words, the tools by name, the measurement as its form says it. */
export function documentSchema(tools: readonly ToolInfo[], toolId: string | undefined): Schema {
  const tool = tools.find((entry) => entry.id === toolId);
  const option = { examples: Object.keys(propertiesOf(tool?.options)) };
  const byTitle = Object.fromEntries(tools.map(({ id, title }) => [id, title]));
  const workload = { tool: { enum: tools.map(({ id }) => id), words: byTitle }, options: tool?.options ?? {} };
  const factors = within(EXPERIMENT, 'factors');
  return withProperties(EXPERIMENT, {
    workload: withProperties(within(EXPERIMENT, 'workload'), workload),
    factors: { ...factors, items: withProperties(ofAnyKind(asSchema(factors.items)), { name: option, option }) },
    measure: withProperties(within(EXPERIMENT, 'measure'), measureWords()),
  });
}

/** What is suggested for a factor whose kind is not written yet: what any kind has. */
function ofAnyKind({ oneOf, ...items }: Schema): Schema {
  const kinds = Array.isArray(oneOf) ? oneOf.map(asSchema) : [];
  return withProperties({ type: 'object', ...items }, Object.assign({}, ...kinds.map(propertiesOf)));
}

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? { ...value } : {});
const propertiesOf = (schema: Schema | undefined): Schema => asSchema(schema?.properties);
const within = (schema: Schema, name: string): Schema => asSchema(propertiesOf(schema)[name]);
const withProperties = (schema: Schema, properties: Schema): Schema => ({
  ...schema,
  properties: { ...propertiesOf(schema), ...properties },
});

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
