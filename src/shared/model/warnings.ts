import { isObject } from '../util/object.ts';

/** Warnings of switches that are on: `warns` of `OptionWords`, from the JSON Schema of a form. */
export function warningsOf(
  schema: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): string[] {
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && typeof property.warns === 'string' && values[name] === true ? [property.warns] : [],
  );
}
