import { KneepointError } from '../../shared/model/problem.ts';
import { parseText, TOOLS, toolById } from '../engine/tools/index.ts';
import { jsonText } from './output.ts';

/**
 * `kneepoint parse TOOL`: a recorded output as JSON text with `samples`, `summary`, `findings` and `unparsed`.
 * `options` are the tool's own, as a document has them.
 * Throws `not-found` for an unknown tool, `bad-request` for options that it refuses.
 */
export function parseCommand(
  toolId: string,
  stdin: Uint8Array,
  stderr?: Uint8Array,
  options: Record<string, string> = {},
): string {
  const tool = toolById(toolId);
  if (!tool)
    throw new KneepointError({
      code: 'not-found',
      message: `There is no tool named “${toolId}”.`,
      next: `Tools: ${TOOLS.map((known) => known.id).join(', ')}.`,
    });
  return jsonText(parseText(tool, stdin, stderr ?? '', options));
}
