import { KneepointError } from '../../../shared/model/problem.ts';
import { type ParsedText, parseText, READERS, readerById } from '../../engine/tools/index.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readInput, readStandardInput } from '../files.ts';
import { jsonText, printStatus, terminal } from '../terminal.ts';

/**
 * `kneepoint parse TOOL`: a recorded output as JSON text with `samples`, `summary`, `findings` and `unparsed`. `options` are the tool's own, as in a
 * document. Throws `not-found` for an unknown tool, `bad-request` for options that it refuses.
 */
export function parseCommand(
  toolId: string,
  stdin: Uint8Array,
  stderr?: Uint8Array,
  options: Record<string, string> = {},
): string {
  const tool = readerById(toolId);
  if (!tool)
    throw new KneepointError({
      code: 'not-found',
      message: `There is no tool named “${toolId}”.`,
      next: `Tools: ${READERS.map((known) => known.id).join(', ')}.`,
    });
  return jsonText(parseText(tool, stdin, stderr ?? '', options, READERS));
}

/** Enough for hours of a tool's output, which is held in memory. */
const LARGEST_OUTPUT = 256 * 1024 * 1024;

export async function parseInput(toolId: string, options: { stderr?: string; option?: string[] }): Promise<number> {
  const stderr = options.stderr === undefined ? undefined : readInput(options.stderr, LARGEST_OUTPUT);
  const text = parseCommand(toolId, await readStandardInput(LARGEST_OUTPUT), stderr, given(options.option));
  terminal().stdout.write(`${text}\n`);
  const reason = whyNothing(JSON.parse(text) as Parsed);
  if (reason === undefined) return EXIT.done;
  printStatus(`kneepoint: No figures found. ${reason}`);
  return EXIT.runFailed;
}

interface Parsed extends Pick<ParsedText, 'samples' | 'summary'> {
  findings: readonly { severity: string; message: string; next?: string }[];
}

/** Why no figure was read. Undefined if any was. */
export function whyNothing({ samples, summary, findings }: Parsed): string | undefined {
  if (samples.length > 0 || Object.values(summary).some((value) => value !== 0)) return undefined;
  const [worst] = (['error', 'warn', 'note'] as const).flatMap((wanted) =>
    findings.filter(({ severity }) => severity === wanted),
  );
  return worst ? [worst.message, worst.next].filter(Boolean).join(' ') : 'The output is empty.';
}

/** Parses repeated `name=value` options. */
export function given(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw new UsageError(`--option takes name=value, not “${word}”.`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
}
