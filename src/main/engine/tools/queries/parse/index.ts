import { factMetric } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { type EndingWords, exitFinding, failedExit } from '../../faults.ts';
import type { ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { complaintFinding, failureFinding } from '../faults.ts';
import type { QueryOptions } from '../options.ts';
import { type Execution, Line, type Table } from '../program/lines.ts';
import { Executions } from './executions.ts';

/** Maximum numbers from facts of a run that are stored as figures. */
const MOST_FACTS = 200;
/** The measured part begins after second 0. */
const FIRST_MOMENT = 0.001;

const ENDING: EndingWords = {
  name: 'The program that sends the queries',
  crashNext: 'Repeat the run; if it happens again, check its output.',
  missing: {
    code: 'tool-missing',
    severity: 'error',
    message: 'Node, or the program that sends the queries, was not found.',
    next: 'Test the generator host: the test shows which Node it found. The next run sends the program again.',
  },
};

const TITLES: Readonly<Record<Table['what'], (name: string) => string>> = {
  plan: (name) => `The server’s plan of “${name}”.`,
  profile: (name) => `The server’s profile of one execution of “${name}”.`,
  facts: (name) => `Facts: ${name}.`,
};

/** Parses a line of the program. Undefined for any other text. */
export function readLine(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads the lines of `program/lines.ts`. Standard error contains only messages. */
export class QueriesParser implements Parser {
  readonly #phase: Phase;
  readonly #events: ParseEvents;
  readonly #executions: Executions;
  readonly #facts: Record<string, number> = {};
  #setUpSeconds = 0;
  #fatal: Finding | undefined;
  #ended: 'complete' | 'time-over' | 'stopped' | 'failed' | undefined;
  #expected = 0;
  #complaint: string | undefined;

  constructor(phase: Phase, { agreement }: Pick<QueryOptions, 'agreement'>, events: ParseEvents) {
    this.#phase = phase;
    this.#executions = new Executions(agreement);
    this.#events = events;
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    const line = stream === 'stdout' && !cut ? readLine(text) : undefined;
    if (line) this.#take(line);
    else if (text.trim() !== '') {
      if (stream === 'stderr') this.#complaint ??= text.trim();
      this.#events.unparsed(text);
    }
  }

  end(exit?: ExitStatus): ParseOutcome {
    for (const finding of this.#remarks()) this.#events.finding(finding);
    const summary = this.#summary();
    const reason = this.#reason(exit);
    return reason ? { summary, ok: false, reason } : { summary, ok: true };
  }

  #take(line: Line): void {
    switch (line.kind) {
      case 'execution':
        if (this.#phase === 'run') this.#execution(line);
        break;
      case 'stream':
        this.#executions.stream(line.stream, line.seconds);
        break;
      case 'reference':
        this.#executions.reference = line;
        break;
      case 'made':
        if (line.what.startsWith('the set-up')) this.#setUpSeconds += line.seconds;
        break;
      case 'table':
        if (line.what === 'facts' && this.#phase === 'run') this.#noteFacts(line);
        this.#events.finding({
          code: `query-${line.what}`,
          severity: 'note',
          message: TITLES[line.what](line.name),
          evidence: tableText(line),
        });
        break;
      case 'error':
        if (line.fatal) this.#fatal ??= failureFinding(line);
        else this.#events.finding(failureFinding(line), true);
        break;
      case 'summary':
        this.#ended = line.ended;
        this.#expected = line.executions;
        break;
      case 'read':
        if (this.#phase === 'run') this.#executions.reads = line;
        break;
      case 'start':
        break;
    }
  }

  /**
   * Numbers in fact tables become final figures: from a single row, each column; from several rows, each column but the first, which names the row.
   */
  #noteFacts({ name, columns, rows }: Table): void {
    const several = rows.length > 1;
    for (const row of rows)
      for (const [place, column] of columns.entries()) {
        const value = several && place === 0 ? undefined : numberOf(row[place]);
        const key = factMetric(name, column, several ? (row[0] ?? 'NULL') : undefined);
        if (value === undefined || key in this.#facts) continue;
        if (Object.keys(this.#facts).length >= MOST_FACTS) return;
        this.#facts[key] = value;
      }
  }

  #execution(line: Execution): void {
    this.#executions.add(line);
    if (!line.measured) return;
    // Executions of several clients are ordered by their ends.
    const t = line.client === undefined ? line.t : line.t + line.ms / 1000;
    this.#events.sample({ t: Math.max(FIRST_MOMENT, t), metrics: { latency_avg_ms: line.ms } });
  }

  #summary(): Record<string, number> {
    if (this.#phase !== 'run') return {};
    const { summary, reference } = this.#executions;
    return {
      ...summary,
      ...(this.#setUpSeconds > 0 && { set_up_seconds: this.#setUpSeconds }),
      ...(reference && { reference_ms: reference.ms }),
      ...this.#facts,
    };
  }

  *#remarks(): Generator<Finding> {
    const table = this.#executions.table();
    if (table)
      yield {
        code: 'query-streams',
        severity: 'note',
        message: 'Time of each query in each stream, in ms.',
        evidence: tableText(table),
      };
    const changed = this.#executions.changed();
    if (changed) yield changed;
    if (this.#ended === 'time-over')
      yield {
        code: 'time-over',
        severity: 'note',
        message: `The duration of the experiment ended after ${formatCount(this.#executions.measured.length, 'counted execution')}.`,
        next: 'Set a longer duration to run all of them.',
      };
  }

  #reason(exit: ExitStatus | undefined): Finding | undefined {
    if (this.#fatal) return this.#fatal;
    if (this.#ended === 'stopped')
      return {
        code: 'stopped',
        severity: 'error',
        message: `The queries were stopped after ${formatCount(this.#executions.measured.length, 'execution')}. Their times are stored.`,
      };
    if (this.#ended === undefined) return this.#withoutEnd(exit);
    if (failedExit(exit)) return exitFinding(exit, ENDING);
    if (this.#phase !== 'run') return undefined;
    if (this.#executions.count !== this.#expected) return truncated();
    if (this.#executions.measured.length === 0)
      return {
        code: 'no-events',
        severity: 'error',
        message: 'No counted execution finished.',
        next: 'Discard fewer executions at the start, or set a longer duration.',
      };
    return this.#executions.disagreement();
  }

  #withoutEnd(exit: ExitStatus | undefined): Finding {
    if (this.#complaint !== undefined) return complaintFinding(this.#complaint);
    return failedExit(exit) ? exitFinding(exit, ENDING) : truncated();
  }
}

const truncated = (): Finding => ({
  code: 'output-truncated',
  severity: 'error',
  message: 'The output ends before the end of the queries. Earlier output is stored.',
  next: 'Check whether the disk was full or the program was terminated, then repeat the run.',
});

/** Undefined for text, including `12 MB`. */
const numberOf = (text: string | null | undefined): number | undefined =>
  text != null && /^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/.test(text) ? Number(text) : undefined;

/** Maximum width of a column: a table with several columns fits on a screen. A single column, such as a plan, is never truncated. */
const WIDEST = 60;

const shown = (value: string | null): string => (value === null ? 'NULL' : value.replaceAll(/[\r\n\t]/g, ' '));

/** A table as aligned text. A single column is returned as lines. */
export function tableText({ columns, rows, left }: Omit<Table, 'kind' | 'what' | 'name'>): string {
  const rest = left > 0 ? [`… and ${left} more rows`] : [];
  if (columns.length === 1) return [...rows.map(([value = null]) => value ?? 'NULL'), ...rest].join('\n');
  const cells = [columns, ...rows.map((row) => row.map(shown))].map((row) => row.map((cell) => cell.slice(0, WIDEST)));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...rest].join('\n');
}
