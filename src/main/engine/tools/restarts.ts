import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { formatCount, formatDuration } from '../../../shared/util/format.ts';
import { evidenceOf } from './faults.ts';
import { shownCommand } from './secret.ts';
import { NOW } from './step-time.ts';
import type { Command, ParsedSample, ParseEvents, ParseOutcome, Parser } from './tool.ts';

/*
 * A load tool that dies because of a fault during its trial is restarted on its host for the remaining time. Its output contains that of all its
 * starts, each preceded by a line. The seconds in between count as no work.
 */

/** How to restart a tool. */
interface RestartOptions {
  /** Prefix of the tool argument that contains its run time in seconds. */
  readonly argument: string;
  /** A tool that dies before this second of its run has failed by itself and is not restarted. */
  readonly from: number;
}

const MARK = 'kneepoint-again:';
/** The lines go to both streams, as each is read separately. */
export const RESTART_LOOP = `${NOW}
say() { printf '\\n%s\\n' "${MARK} $*"; printf '\\n%s\\n' "${MARK} $*" >&2; }
prefix=$1 total=$2 from=$3; shift 3
now; began=\${at%%.*} left=$total
while :; do
  for word; do
    shift
    case $word in "$prefix"*) word=$prefix$left ;; esac
    set -- "$@" "$word"
  done
  now; say "starts $at"
  "$@"; code=$?
  now; spent=$((\${at%%.*} - began)); left=$((total - spent))
  [ $code != 0 ] && [ $spent -ge $from ] || exit $code
  say "died $at $code"
  [ $left -ge 2 ] || { sleep $((left > 0 ? left : 0)); now; say "over $at"; exit 0; }
  sleep 0.2 2>/dev/null || sleep 1
done`;

/** The arguments of the loop before the command. */
export const loopArguments = (
  { plannedSeconds }: Pick<Command, 'plannedSeconds'>,
  { argument, from }: RestartOptions,
): string[] => ['kneepoint-again', argument, String(plannedSeconds), String(Math.floor(from))];

/** Wraps the command in this loop. `plannedSeconds` is its run time. */
export const withRestarts = (command: Command, { argument, from }: RestartOptions): Command => ({
  ...command,
  argv: ['sh', '-c', RESTART_LOOP, ...loopArguments(command, { argument, from }), ...command.argv],
  shown: shownCommand(command),
});

const LINE = new RegExp(`^${MARK} (starts|died|over) (\\d{1,12}(?:\\.\\d+)?)(?: (\\d{1,3}))?$`);

/** One start of the tool. */
interface Start {
  readonly parser: Parser;
  readonly at: number;
  readonly findings: Finding[];
  code?: number;
}

/**
 * Reads the output of all starts of a tool, each with its own parser, on the clock of the first start. Between starts, rates are 0. Figures of the
 * whole run exist only if the tool was never restarted; otherwise each start has counted separately, and only the samples are known.
 */
export class RestartParser implements Parser {
  readonly #make: (events: ParseEvents) => Parser;
  readonly #events: ParseEvents;
  readonly #starts: Start[] = [];
  /** The start that the next line of each stream belongs to. */
  readonly #place = { stdout: -1, stderr: -1 };
  readonly #rates = new Set<string>();
  /** The stream of the current line, and the one whose lines are samples. */
  #reading: 'stdout' | 'stderr' = 'stdout';
  #sampled: 'stdout' | 'stderr' | undefined;
  #reached = 0;
  #down = 0;
  /** When it died, in seconds of the run. Undefined while it runs. */
  #diedAt: number | undefined;

  constructor(make: (events: ParseEvents) => Parser, events: ParseEvents) {
    this.#make = make;
    this.#events = events;
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    const [, what, at, code] = LINE.exec(text) ?? [];
    if (what === undefined) {
      this.#reading = stream;
      this.#starts[this.#place[stream]]?.parser.line(text, stream, cut);
      return;
    }
    const seconds = Number(at) - (this.#starts[0]?.at ?? Number(at));
    if (what === 'starts') {
      this.#place[stream] += 1;
      if (this.#starts.length <= this.#place[stream]) this.#starts.push(this.#begin(Number(at), seconds));
    }
    const start = this.#starts[this.#place[stream]];
    if (what === 'died' && start) start.code = Number(code);
    // The other stream may be read earlier or later; the one with the samples determines the seconds.
    if (stream !== this.#sampled) return;
    if (what === 'died') this.#diedAt ??= Math.max(this.#reached, seconds);
    if (this.#diedAt !== undefined) this.#idle(seconds);
    if (what === 'over' && this.#diedAt !== undefined) this.#resumedAt(seconds);
  }

  #begin(at: number, offset: number): Start {
    const findings: Finding[] = [];
    const parser = this.#make({
      sample: (sample) => this.#sample({ ...sample, t: round(sample.t + offset) }),
      finding: (finding) => void findings.push(finding),
      unparsed: (line) => this.#events.unparsed(line),
    });
    return { parser, at, findings };
  }

  #sample(sample: ParsedSample): void {
    this.#sampled ??= this.#reading;
    if (sample.t <= this.#reached) return;
    if (this.#diedAt !== undefined) this.#resumedAt(sample.t - 1);
    for (const id of Object.keys(sample.metrics)) if (metricOf(id).better === 'higher') this.#rates.add(id);
    this.#reached = sample.t;
    this.#events.sample(sample);
  }

  /** Emits samples of 0 for the whole seconds up to this one in which no tool runs. */
  #idle(seconds: number): void {
    const metrics = Object.fromEntries([...this.#rates].map((id) => [id, 0]));
    while (this.#rates.size > 0 && this.#reached + 1 <= seconds) {
      this.#reached = round(this.#reached + 1);
      this.#events.sample({ t: this.#reached, metrics });
    }
  }

  #resumedAt(seconds: number): void {
    this.#down += Math.max(0, seconds - (this.#diedAt ?? seconds));
    this.#diedAt = undefined;
  }

  end(exit?: Parameters<Parser['end']>[0]): ParseOutcome {
    const last = this.#starts.at(-1);
    if (!last) return this.#make(this.#events).end(exit);
    const dead = this.#starts.filter(({ code }) => code !== undefined);
    const [first] = dead.map(({ parser, code = 1 }) => parser.end({ code }));
    const outcome = last.code === undefined ? last.parser.end(exit) : undefined;
    // A tool that loses its server, and finds none, is part of the experiment and not a fault of the run.
    for (const finding of outcome ? last.findings : []) this.#events.finding(finding);
    if (dead.length === 0 && outcome) return outcome;
    const summary = { tool_restarts: this.#starts.length - 1, tool_down_s: round(this.#down) };
    const reason = first?.reason?.message;
    this.#events.finding({
      ...{ code: 'tool-restarted', severity: 'warn' },
      message: `The tool died and was restarted ${formatCount(summary.tool_restarts, 'time')}: ${formatDuration(summary.tool_down_s)} without load count as zero throughput.`,
      ...(reason !== undefined && { evidence: evidenceOf(reason) }),
    });
    if (outcome && !outcome.ok) return { summary, ok: false, ...(outcome.reason && { reason: outcome.reason }) };
    if (exit === undefined || exit.code === 0) return { summary, ok: true };
    return { summary, ok: false, ...(first?.reason && { reason: first.reason }) };
  }
}

const round = (seconds: number): number => Math.round(seconds * 100) / 100;
