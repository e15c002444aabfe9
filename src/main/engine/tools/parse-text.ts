import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { normaliseOptions } from './normalise.ts';
import type { ParsedSample, Tool } from './tool.ts';

/** What a bare output holds. Times in seconds on the tool's counter, metrics by the ids of `shared/metrics`. */
export interface ParsedText {
  samples: ParsedSample[];
  summary: Record<string, number>;
  findings: Finding[];
  unparsed: string[];
  /** Reports on the way, where the tool printed some. */
  checkpoints?: { t: number; summary: Record<string, number> }[];
}

type Output = string | Uint8Array;

/** Bytes that are no UTF-8 become U+FFFD: a foreign byte costs its line at most. */
const decoded = (output: Output): string =>
  typeof output === 'string' ? output : new TextDecoder('utf-8').decode(output);

/** Lines without their ends (LF or CR LF). `cut`: the output ends without one. */
function* lines(output: Output): Generator<{ text: string; cut: boolean }> {
  const text = decoded(output);
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield { text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), cut: false };
    start = end + 1;
  }
  if (start < text.length) yield { text: text.slice(start), cut: true };
}

/**
 * Reads a tool's output that was recorded somewhere: two streams, or one with both in it (a terminal's recording).
 * How the tool ended is not known, so the text alone decides. Throws `bad-request` for options that the tool refuses.
 */
export function parseText(
  tool: Tool,
  stdout: Output,
  stderr: Output = '',
  options: Record<string, unknown> = {},
): ParsedText {
  const checked = tool.options.safeParse(normaliseOptions(tool, options));
  if (!checked.success)
    throw new KneepointError({
      code: 'bad-request',
      message: `These are not options of ${tool.title}: ${checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')}.`,
      details: checked.error.issues,
    });
  const parsed: ParsedText = { samples: [], summary: {}, findings: [], unparsed: [] };
  const parser = tool.parser('run', checked.data, {
    sample: (sample) => parsed.samples.push(sample),
    finding: (finding) => parsed.findings.push(finding),
    unparsed: (line) => parsed.unparsed.push(line),
  });
  for (const { text, cut } of lines(stdout)) parser.line(text, 'stdout', cut);
  for (const { text, cut } of lines(stderr)) parser.line(text, 'stderr', cut);
  const outcome = parser.end();
  parsed.summary = outcome.summary;
  const { reason } = outcome;
  if (reason && !parsed.findings.some((finding) => finding.code === reason.code)) parsed.findings.push(reason);
  if (outcome.checkpoints) parsed.checkpoints = [...outcome.checkpoints];
  return parsed;
}
