import { z } from 'zod';
import { isObject } from '../util/object.ts';

/** JSON Schema of a form's input; `patternWords` is the sentence for a pattern, which JSON Schema has no place for. */
export const formSchema = (type: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(type, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.pattern === undefined) return;
      const messages = zodSchema._zod.def.checks?.map((check) => check._zod.def.error?.({} as never));
      const words = messages?.find((each) => typeof each === 'string');
      if (words !== undefined) jsonSchema.patternWords = words;
    },
  }),
});

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
