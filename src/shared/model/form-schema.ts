import { z } from 'zod';

/** JSON Schema of a form's input; `patternWords` is the sentence for a pattern, which JSON Schema has no place for. */
export const formSchema = (type: z.ZodType): Record<string, unknown> => ({
  ...z.toJSONSchema(type, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (jsonSchema.pattern === undefined) return;
      const said = zodSchema._zod.def.checks?.map((check) => check._zod.def.error?.({} as never));
      const words = said?.find((each) => typeof each === 'string');
      if (words !== undefined) jsonSchema.patternWords = words;
    },
  }),
});
