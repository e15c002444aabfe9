import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { uncopied, withoutLineNumbers } from './copied-text.ts';
import { normaliseOptions } from './normalise.ts';
import type { ParsedSample, ParseOutcome, Parser, Tool } from './tool.ts';

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
function* lines(text: string): Generator<{ text: string; cut: boolean }> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield { text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), cut: false };
    start = end + 1;
  }
  if (start < text.length) yield { text: text.slice(start), cut: true };
}

/**
 * Reads a tool's output that was recorded somewhere: two streams, or one with both in it (a terminal's recording).
 * How the tool ended is not known, so the text alone decides; what copying from a page changes in it is undone first. Throws `bad-request` for options that the tool refuses.
 */
export function parseText(
  tool: Tool,
  stdout: Output,
  stderr: Output = '',
  options: Record<string, unknown> = {},
): ParsedText {
  const [output, errors] = [uncopied(decoded(stdout)), uncopied(decoded(stderr))];
  const parsed = readStreams(tool, output, errors, options);
  const unnumbered = withoutLineNumbers(output);
  if (unnumbered === undefined) return parsed;
  // A program's own output can begin with numbers that count upwards.
  const other = readStreams(tool, unnumbered, errors, options);
  return other.unparsed.length < parsed.unparsed.length ? other : parsed;
}

function readStreams(tool: Tool, stdout: string, stderr: string, options: Record<string, unknown>): ParsedText {
  const parsed: ParsedText = { samples: [], summary: {}, findings: [], unparsed: [] };
  const parser = parserOf(tool, options, parsed);
  for (const { text, cut } of lines(stdout)) parser.line(text, 'stdout', cut);
  for (const { text, cut } of lines(stderr)) parser.line(text, 'stderr', cut);
  const outcome = finish(parser, parsed);
  if (outcome.checkpoints) parsed.checkpoints = [...outcome.checkpoints];
  return parsed;
}

/** A line of output, and what was read when it came. Lines that mean nothing by themselves have no samples and were understood. */
export interface TriedLine {
  /** From 1. */
  number: number;
  text: string;
  understood: boolean;
  samples: ParsedSample[];
}

/** A person waits for the answer, and with them everything else that the engine does. */
const LONGEST_TRIAL_MS = 2000;

/** As `parseText` of one stream, told line by line, as far as two seconds reach. A last line without its end is taken for a whole one: it was copied, not cut. */
export function tryText(
  tool: Tool,
  output: string,
  options: Record<string, unknown> = {},
  now: () => number = () => performance.now(),
): { lines: TriedLine[]; summary: Record<string, number>; findings: Finding[] } {
  const parsed: ParsedText = { samples: [], summary: {}, findings: [], unparsed: [] };
  const parser = parserOf(tool, options, parsed);
  const tried: TriedLine[] = [];
  const until = now() + LONGEST_TRIAL_MS;
  for (const { text } of lines(output)) {
    if (now() > until) {
      parsed.findings.push(stoppedAt(tried.length));
      break;
    }
    parsed.samples = [];
    parsed.unparsed = [];
    parser.line(text, 'stdout');
    tried.push({ number: tried.length + 1, text, understood: parsed.unparsed.length === 0, samples: parsed.samples });
  }
  finish(parser, parsed);
  return { lines: tried, summary: parsed.summary, findings: parsed.findings };
}

const stoppedAt = (count: number): Finding => ({
  code: 'not-all-tried',
  severity: 'warn',
  message: `Reading takes too long: only the first ${formatCount(count, 'line')} ${count === 1 ? 'was' : 'were'} read.`,
  next: 'Make the patterns simpler, or try them on fewer lines.',
});

function finish(parser: Parser, parsed: ParsedText): ParseOutcome {
  const outcome = parser.end();
  parsed.summary = outcome.summary;
  const { reason } = outcome;
  if (reason && !parsed.findings.some((finding) => finding.code === reason.code)) parsed.findings.push(reason);
  return outcome;
}

/** A parser of a run, telling everything to `parsed`. */
function parserOf(tool: Tool, options: Record<string, unknown>, parsed: ParsedText): Parser {
  const checked = tool.options.safeParse(normaliseOptions(tool, options));
  if (!checked.success)
    throw new KneepointError({
      code: 'bad-request',
      message: `These are not options of ${tool.title}: ${checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')}.`,
      details: checked.error.issues,
    });
  return tool.parser('run', checked.data, {
    sample: (sample) => parsed.samples.push(sample),
    finding: (finding) => parsed.findings.push(finding),
    unparsed: (line) => parsed.unparsed.push(line),
  });
}
