import { z } from 'zod';
import type { Tool } from './tool.ts';

const made = new WeakMap<Tool, Record<string, unknown>>();

/** A tool's options as JSON Schema of what a document may hold: nothing with a default is required. Made once per tool. */
export function optionSchema(tool: Tool): Record<string, unknown> {
  const known = made.get(tool);
  if (known) return known;
  const schema: Record<string, unknown> = { ...z.toJSONSchema(tool.options, { io: 'input' }) };
  made.set(tool, schema);
  return schema;
}
