import type { Suggestion, Suggestions } from './properties.ts';
import { placeOf } from './yaml-place.ts';

/** JSON Schema, with the words of options. */
export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Suggestions of the schema for the place where a document ends: names with their words, or values. */
export function suggestionsOf(schema: Schema, before: string): Suggestions | undefined {
  const place = placeOf(before);
  if (!place) return undefined;
  const found = place.path.reduce<readonly Schema[]>(below, [...branchesOf(schema)]);
  const options = place.in === 'name' ? found.flatMap(namesOf) : found.flatMap(valuesOf);
  return { word: place.word, options };
}

function* branchesOf(schema: Schema): Generator<Schema> {
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union)) for (const member of union.filter(isSchema)) yield* branchesOf(member);
  else yield schema;
}

function below(schemas: readonly Schema[], name: string): readonly Schema[] {
  return schemas.flatMap((schema) => {
    const properties = isSchema(schema.properties) ? schema.properties : {};
    const next = name === '[]' ? schema.items : (properties[name] ?? schema.additionalProperties);
    return isSchema(next) ? [...branchesOf(next)] : [];
  });
}

const namesOf = ({ properties }: Schema): Suggestion[] =>
  Object.entries(isSchema(properties) ? properties : {}).map(([name, property]) => ({
    label: name,
    insert: `${name}: `,
    kind: 'property',
    ...(isSchema(property) && wordsOf(property)),
  }));

function wordsOf(property: Schema): { detail?: string; info?: string } {
  const { title, unit, description, default: preset } = property;
  const detail = [title, isText(unit) && unit !== title ? `in ${unit}` : undefined].filter(isText).join(', ');
  const short = isText(preset) ? preset.length < 40 : preset !== undefined && typeof preset !== 'object';
  const info = [description, short ? `Default: ${preset}` : undefined].filter(isText).join('\n');
  return { ...(detail !== '' && { detail }), ...(info !== '' && { info }) };
}

function valuesOf(schema: Schema): Suggestion[] {
  const listed = [schema.enum, schema.examples].flatMap((values) => (Array.isArray(values) ? values : []));
  const values = schema.const === undefined ? listed : [...listed, schema.const];
  if (schema.type === 'boolean' && values.length === 0) values.push(true, false);
  const words = isSchema(schema.words) ? schema.words : {};
  return values.map((value) => {
    const label = String(value);
    const detail = words[label];
    return { label, kind: 'constant', ...(isText(detail) && { detail }) };
  });
}
