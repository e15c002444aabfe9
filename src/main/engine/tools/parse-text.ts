import { kindOf } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { type Source, uncarried } from './carried-text.ts';
import { decoded, uncopied, withoutLineNumbers } from './copied-text.ts';
import { evidenceOf } from './faults.ts';
import { normaliseOptions } from './normalise.ts';
import type { ParsedSample, ParseOutcome, Parser, Tool, ToolReader } from './tool.ts';

/** The content of a recorded output. Times in seconds of the tool's own counter, metrics by the ids of `shared/metrics`. */
export interface ParsedText {
  samples: ParsedSample[];
  summary: Record<string, number>;
  findings: Finding[];
  unparsed: string[];
  /** Intermediate reports, if the tool printed any. */
  checkpoints?: { t: number; summary: Record<string, number> }[];
}

type Output = string | Uint8Array;

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
 * Reads a recorded output of a tool: two streams, or one that contains both (a terminal recording). Since the exit status is unknown, the text alone
 * decides. Changes to lines by copying from a page, logs, containers and terminals are reverted first if this makes the tool's own lines readable,
 * and a finding reports it. `others`: tools to try if the output contains nothing of this tool. Throws `bad-request` for options that the tool
 * refuses.
 */
export function parseText(
  tool: ToolReader,
  stdout: Output,
  stderr: Output = '',
  options: Record<string, unknown> = {},
  others: readonly ToolReader[] = [],
): ParsedText {
  const [output, errors] = [decoded(stdout), decoded(stderr)];
  const parsed = readBest(tool, output, errors, options);
  if (hasFigures(parsed) || isBlank(output + errors)) return parsed;
  const other = others.find((each) => each.id !== tool.id && isOutputOf(each, output, errors));
  if (other)
    return { ...parsed, summary: {}, findings: [otherToolFinding(tool, other), ...parsed.findings.filter(isNote)] };
  const lines = linesIn(output + errors);
  const isForeign = parsed.unparsed.length >= lines;
  const findings = parsed.findings.filter((finding) => !(isForeign && isOfEnd(finding, lines)));
  if (findings.some((finding) => !isNote(finding))) return { ...parsed, findings };
  // A recording of only one stream may contain error messages instead of a report.
  const complaints = isBlank(errors) && parsed.unparsed.length > 0 ? readBest(tool, '', output, options) : undefined;
  if (complaints?.findings.some((finding) => !isNote(finding) && !isOfEnd(finding, lines + 1))) return complaints;
  return { ...parsed, findings: [...findings, nothingRead(tool, output + errors, parsed.unparsed, isForeign)] };
}

/** Whether a finding is about a missing end. It means nothing in another tool's output, or for a single line, whose end may be lost by copying. */
function isOfEnd(finding: Pick<Finding, 'code' | 'from'>, lines: number): boolean {
  const { about } = kindOf(finding);
  return about === 'end' || (about === 'last-line' && lines > 1);
}

const isNote = ({ severity }: Finding): boolean => severity === 'note';
const isBlank = (text: string): boolean => text.trim() === '';

const figuresIn = ({ samples, summary }: ParsedText): number =>
  samples.reduce((sum, { metrics }) => sum + Object.keys(metrics).length, Object.keys(summary).length);
/** Counts of 0 are no figures. */
const hasFigures = ({ samples, summary }: ParsedText): boolean =>
  samples.length > 0 || Object.values(summary).some((value) => value !== 0);

const linesIn = (text: string): number => text.split('\n').filter((line) => !isBlank(line)).length;

/** The patterns of a user's own command define its output, so it is never a candidate. */
function isOutputOf(tool: ToolReader, output: string, errors: string): boolean {
  if (Object.hasOwn(tool.options.shape, 'pattern')) return false;
  const parsed = readBest(tool, output, errors, {});
  return hasFigures(parsed) && parsed.unparsed.length * 2 < linesIn(output) + linesIn(errors);
}

const otherToolFinding = (tool: ToolReader, other: ToolReader): Finding => ({
  code: 'other-tool',
  severity: 'error',
  message: `This is output of ${other.title}, not of ${tool.title}.`,
  next: `Parse it with: kneepoint parse ${other.id}.`,
});

const firstLine = (text: string): string => text.split('\n').find((line) => !isBlank(line)) ?? '';

const COMPLAINT =
  /not found|No such file|[Pp]ermission denied|^Killed|Segmentation fault|^Terminated|cannot execute|not recognized as/;

function nothingRead({ title }: ToolReader, text: string, unparsed: readonly string[], isForeign: boolean): Finding {
  const [first = firstLine(text)] = unparsed;
  const code = 'nothing-read';
  if (unparsed.length === 0)
    return { code, severity: 'note', message: `This is output of ${title}, but contains no figures of a run.` };
  const evidence = evidenceOf(first);
  if (!isForeign)
    return {
      code,
      severity: 'warn',
      message: `It contains lines of ${title}, but no figures can be parsed from them.`,
      evidence,
      next: 'Use the whole output, from the first line to the last: single lines lack their context.',
    };
  return {
    code,
    severity: 'error',
    message: COMPLAINT.test(first)
      ? `${title} did not run: instead of its output there is a message of the shell or the system.`
      : `This is not output of ${title}: no figures found.`,
    evidence,
    next: 'Use the output of the tool itself.',
  };
}

/** Reads the output unchanged and without carriers. Returns the version that the tool understands best. */
function readBest(tool: ToolReader, output: string, errors: string, options: Record<string, unknown>): ParsedText {
  let best = readCopied(tool, output, errors, options);
  if (best.unparsed.length === 0 && hasFigures(best)) return best;
  const [layers, errorLayers] = [uncarried(output), uncarried(errors)];
  for (let depth = 0; depth < Math.max(layers.length, errorLayers.length); depth += 1) {
    const layer = layers[depth] ?? layers.at(-1);
    const errorLayer = errorLayers[depth] ?? errorLayers.at(-1);
    const own = errorLayer?.sources.map(({ stdout, stderr }) => stdout + stderr).join('') ?? errors;
    const read = readSources(tool, layer?.sources ?? [{ name: '', stdout: output, stderr: '' }], own, options);
    const took = (layer ?? errorLayer)?.took ?? [];
    if (isBetter(read.parsed, best, read.several))
      best = { ...read.parsed, findings: [carriedFinding(took, tool), ...read.parsed.findings] };
  }
  return best;
}

const errorCodes = ({ findings }: ParsedText): string[] =>
  findings.flatMap(({ code, severity }) => (severity === 'note' ? [] : [code]));

/** Several interleaved outputs together yield more figures than the first of them, but figures of no run. */
function isBetter(other: ParsedText, known: ParsedText, several: boolean): boolean {
  const [more, less] = [figuresIn(other) - figuresIn(known), known.unparsed.length - other.unparsed.length];
  if (several) return hasFigures(other) && less > 0;
  if (more > 0) return less >= 0;
  if (hasFigures(other)) return more === 0 && less > 0;
  // Help, messages, data preparation: neither has figures, but the other one is fully understood or contains a new message.
  const isUnderstood = other.unparsed.length === 0 && other.findings.length >= known.findings.length;
  return (
    more === 0 && less > 0 && (isUnderstood || errorCodes(other).some((code) => !errorCodes(known).includes(code)))
  );
}

const carriedFinding = (took: readonly string[], { title }: ToolReader): Finding => ({
  code: 'lines-carried',
  severity: 'note',
  message: `Each line ${took.join(', then ')}, which is not part of ${title}: this was removed before parsing.`,
});

/** Maximum outputs read from one file. */
const MOST_SOURCES = 32;

/** Lines of the tool with an error message of its own, as opposed to those of a server or another program that ran at the same time. */
const isFailedRun = (parsed: ParsedText, lines: number): boolean =>
  parsed.unparsed.length * 2 < lines && errorCodes(parsed).some((code) => !isOfEnd({ code }, lines + 1));

function readSources(
  tool: ToolReader,
  sources: readonly Source[],
  errors: string,
  options: Record<string, unknown>,
): { parsed: ParsedText; several: boolean } {
  const all = sources.slice(0, MOST_SOURCES).map(({ name, stdout, stderr }) => {
    const parsed = readCopied(tool, stdout, stderr + errors, options);
    return { name, parsed, isRun: hasFigures(parsed) || isFailedRun(parsed, linesIn(stdout + stderr)) };
  });
  const read = all.filter(({ isRun }) => isRun);
  const measured = read.filter(({ parsed }) => hasFigures(parsed));
  const wentWell = measured.find(({ parsed }) => parsed.findings.every(({ severity }) => severity !== 'error'));
  const first = wentWell ?? measured[0] ?? read[0] ?? all[0];
  if (!first) return { parsed: readCopied(tool, '', errors, options), several: false };
  if (read.length < 2) return { parsed: first.parsed, several: false };
  const finding: Finding = {
    code: 'several-runs',
    severity: 'warn',
    message: `The output contains ${read.length} runs of ${tool.title}, distinguished by the names in front of their lines: ${read.map(({ name }) => name).join(', ')}. Only ${first.name} is read.`,
    next: 'Split the recording into one file per run.',
  };
  return { parsed: { ...first.parsed, findings: [finding, ...first.parsed.findings] }, several: true };
}

function readCopied(tool: ToolReader, stdout: string, stderr: string, options: Record<string, unknown>): ParsedText {
  const [output, errors] = [uncopied(stdout), uncopied(stderr)];
  const parsed = readStreams(tool, output, errors, options);
  const unnumbered = withoutLineNumbers(output);
  if (unnumbered === undefined) return parsed;
  // A program's own output can begin with consecutive numbers.
  const other = readStreams(tool, unnumbered, errors, options);
  return other.unparsed.length < parsed.unparsed.length ? other : parsed;
}

function readStreams(tool: ToolReader, stdout: string, stderr: string, options: Record<string, unknown>): ParsedText {
  const parsed: ParsedText = { samples: [], summary: {}, findings: [], unparsed: [] };
  const parser = parserOf(tool, options, parsed);
  for (const { text, cut } of lines(stdout)) parser.line(text, 'stdout', cut);
  for (const { text, cut } of lines(stderr)) parser.line(text, 'stderr', cut);
  const outcome = finish(parser, parsed);
  if (outcome.checkpoints) parsed.checkpoints = [...outcome.checkpoints];
  return parsed;
}

/** The figures of a run with this output. */
export interface ReadRun extends ParsedText {
  readonly latencies?: ParseOutcome['latencies'];
  readonly ok: boolean;
}

/** Reads an output unchanged, as in a run: without reverting the effects of copying. Throws as `parseText` does. */
export function readRun(tool: ToolReader, output: string, options: Record<string, unknown> = {}): ReadRun {
  const parsed: ParsedText = { samples: [], summary: {}, findings: [], unparsed: [] };
  const parser = parserOf(tool, options, parsed);
  for (const { text, cut } of lines(output)) parser.line(text, 'stdout', cut);
  const { ok, latencies } = finish(parser, parsed);
  return { ...parsed, ok, ...(latencies && { latencies }) };
}

/** An output line and the samples read from it. A line without meaning of its own has no samples but counts as understood. */
export interface TriedLine {
  /** Counts from 1. */
  number: number;
  text: string;
  understood: boolean;
  samples: ParsedSample[];
}

/** The user is waiting for the result, and this blocks the engine. */
const LONGEST_TRIAL_MS = 2000;

/** Like `parseText` of one stream, but by line, and limited to two seconds. A last line without its end is complete: it was copied, not truncated. */
export function tryText(
  tool: ToolReader,
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
  message: `Parsing took too long: only the first ${formatCount(count, 'line')} ${count === 1 ? 'was' : 'were'} parsed.`,
  next: 'Simplify the patterns, or test them on fewer lines.',
});

function finish(parser: Parser, parsed: ParsedText): ParseOutcome {
  const outcome = parser.end();
  parsed.summary = outcome.summary;
  const { reason } = outcome;
  if (reason && !parsed.findings.some((finding) => finding.code === reason.code)) parsed.findings.push(reason);
  return outcome;
}

/** A parser of a run that adds everything to `parsed`. */
function parserOf(tool: ToolReader, options: Record<string, unknown>, parsed: ParsedText): Parser {
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

/** About thirty years. Only a counter overflow yields more; no run takes this long. */
const IMPLAUSIBLE_MS = 1e12;
const TIME = /(?:^|_)latency_\w*ms$/;

const isNone = (key: string, value: number): boolean => TIME.test(key) && Math.abs(value) >= IMPLAUSIBLE_MS;

/** Undefined if all of them are possible. */
function possible(values: Record<string, number>): Record<string, number> | undefined {
  const entries = Object.entries(values);
  const kept = entries.filter(([key, value]) => !isNone(key, value));
  return kept.length === entries.length ? undefined : Object.fromEntries(kept);
}

/** The tool, with a parser that omits impossible latencies and reports this once. */
export const withPossibleTimes = (tool: Tool): Tool => ({
  ...tool,
  parser(phase, options, events): Parser {
    let pending: string | undefined;
    const checked = (values: Record<string, number>): Record<string, number> => {
      const kept = possible(values);
      if (kept) pending ??= Object.keys(values).find((key) => !Object.hasOwn(kept, key));
      return kept ?? values;
    };
    const parser = tool.parser(phase, options, {
      finding: (finding, atOnce) => events.finding(finding, atOnce),
      unparsed: (line) => events.unparsed(line),
      sample(sample) {
        const metrics = checked(sample.metrics);
        if (Object.keys(metrics).length > 0) events.sample({ ...sample, metrics });
      },
    });
    return {
      line: (text, stream, cut) => parser.line(text, stream, cut),
      end(exit) {
        const outcome = parser.end(exit);
        const summary = checked(outcome.summary);
        if (pending !== undefined)
          events.finding({
            code: 'values-implausible',
            severity: 'note',
            message: `An impossible latency in the output (${pending}) was omitted: a counter wrapped around, as when the clock is set during an operation.`,
          });
        return { ...outcome, summary };
      },
    };
  },
});
