import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { formatCount, formatNumber } from '../../../../../shared/util/format.ts';
import { type EndingWords, exitFinding, failedExit } from '../../ending.ts';
import type { ParseEvents, ParseOutcome, Parser } from '../../tool.ts';
import { complaintFinding, failureFinding } from '../faults.ts';
import type { QueryOptions } from '../options.ts';
import { type Execution, Line, type Table } from '../program/lines.ts';
import { tableText } from './table-text.ts';

/** The measured part begins after second 0. */
const FIRST_MOMENT = 0.001;

const ENDING: EndingWords = {
  name: 'The program that sends the queries',
  crashNext: 'Repeat the run; if it happens again, look at its output.',
  missing: {
    code: 'tool-missing',
    severity: 'error',
    message: 'Node, or the program that sends the queries, was not found.',
    next: 'Test the host of the generator: it lists the Node that is found there. The program itself is sent anew with the next run.',
  },
};

const TITLES: Readonly<Record<Table['what'], (name: string) => string>> = {
  plan: (name) => `The server’s plan of “${name}”.`,
  profile: (name) => `The server’s profile of one execution of “${name}”.`,
  facts: (name) => `Facts: ${name}.`,
};

function parsed(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Result = Pick<Execution, 'rows' | 'checksum'>;
const same = (one: Result, other: Result, agreement: QueryOptions['agreement']): boolean =>
  agreement === 'none' || (one.rows === other.rows && (agreement === 'rows' || one.checksum === other.checksum));

/** Reads the lines of `program/lines.ts`. Standard error holds text for a person only. */
export class QueriesParser implements Parser {
  readonly #step: 'prepare' | 'run' | 'cleanup';
  readonly #agreement: QueryOptions['agreement'];
  readonly #events: ParseEvents;
  readonly #executions: Execution[] = [];
  #reference: (Result & { name: string; ms: number }) | undefined;
  #setUpSeconds = 0;
  #fatal: Finding | undefined;
  #ended: 'complete' | 'time-over' | 'stopped' | 'failed' | undefined;
  #expected = 0;
  #complaint: string | undefined;

  constructor(
    step: 'prepare' | 'run' | 'cleanup',
    { agreement }: Pick<QueryOptions, 'agreement'>,
    events: ParseEvents,
  ) {
    this.#step = step;
    this.#agreement = agreement;
    this.#events = events;
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    const line = stream === 'stdout' && !cut ? parsed(text) : undefined;
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
        if (this.#step === 'run') this.#execution(line);
        break;
      case 'reference':
        this.#reference = line;
        break;
      case 'made':
        if (line.what.startsWith('the set-up')) this.#setUpSeconds += line.seconds;
        break;
      case 'table':
        this.#events.finding({
          code: `query-${line.what}`,
          severity: 'note',
          message: TITLES[line.what](line.name),
          evidence: tableText(line),
        });
        break;
      case 'error':
        if (line.fatal) this.#fatal ??= failureFinding(line);
        else this.#events.finding(failureFinding(line));
        break;
      case 'summary':
        this.#ended = line.ended;
        this.#expected = line.executions;
        break;
      case 'start':
        break;
    }
  }

  #execution(line: Execution): void {
    this.#executions.push(line);
    if (line.measured) this.#events.sample({ t: Math.max(FIRST_MOMENT, line.t), metrics: { latency_avg_ms: line.ms } });
  }

  get #measured(): number[] {
    return this.#executions.filter(({ measured }) => measured).map(({ ms }) => ms);
  }

  #summary(): Record<string, number> {
    if (this.#step !== 'run') return {};
    const [first] = this.#executions;
    const times = this.#measured.sort((a, b) => a - b);
    const [least] = times;
    const middle = times.length / 2;
    return {
      ...(least !== undefined && {
        latency_min_ms: least,
        latency_avg_ms: times.reduce((sum, ms) => sum + ms, 0) / times.length,
        latency_p50_ms: ((times[Math.ceil(middle) - 1] as number) + (times[Math.floor(middle)] as number)) / 2,
        latency_max_ms: times.at(-1) as number,
      }),
      executions_total: times.length,
      ...(first && { result_rows: first.rows, result_checksum: first.checksum }),
      ...(this.#setUpSeconds > 0 && { set_up_seconds: this.#setUpSeconds }),
      ...(this.#reference && { reference_ms: this.#reference.ms }),
    };
  }

  *#remarks(): Generator<Finding> {
    const [first, ...others] = this.#executions;
    const changed = first && others.find((other) => !same(first, other, this.#agreement));
    if (changed)
      yield {
        code: 'result-changed',
        severity: 'warn',
        message: `Execution ${changed.n} had another result than the first one: ${rowsOf(changed)} against ${rowsOf(first)}.`,
        next: 'Somebody changed the data meanwhile, or the statement is not the same each time (now(), random(), LIMIT without ORDER BY).',
      };
    if (this.#ended === 'time-over')
      yield {
        code: 'time-over',
        severity: 'note',
        message: `The time of the experiment was over after ${formatCount(this.#measured.length, 'execution')} that count.`,
        next: 'Give it a longer duration to have all of them.',
      };
  }

  #reason(exit: ExitStatus | undefined): Finding | undefined {
    if (this.#fatal) return this.#fatal;
    if (this.#ended === 'stopped')
      return {
        code: 'stopped',
        severity: 'error',
        message: `The queries were stopped after ${formatCount(this.#measured.length, 'execution')}. Their times are kept.`,
      };
    if (this.#ended === undefined) return this.#withoutEnd(exit);
    if (failedExit(exit)) return exitFinding(exit, ENDING);
    if (this.#step !== 'run') return undefined;
    if (this.#executions.length !== this.#expected) return truncated();
    if (this.#measured.length === 0)
      return {
        code: 'no-events',
        severity: 'error',
        message: 'No execution ended whose time counts.',
        next: 'Leave fewer executions out at first, or give more time.',
      };
    return this.#disagreement();
  }

  #withoutEnd(exit: ExitStatus | undefined): Finding {
    if (this.#complaint !== undefined) return complaintFinding(this.#complaint);
    return failedExit(exit) ? exitFinding(exit, ENDING) : truncated();
  }

  #disagreement(): Finding | undefined {
    const [own] = this.#executions;
    const reference = this.#reference;
    if (!own || !reference || same(own, reference, this.#agreement)) return undefined;
    return {
      code: 'results-differ',
      severity: 'error',
      message: `This variant gives another result than “${reference.name}”: ${rowsOf(own)} against ${rowsOf(reference)}${own.rows === reference.rows ? ', with other values' : ''}. Their times say nothing of each other.`,
      next: 'Align the statements, or say with the option agreement what they have in common.',
    };
  }
}

const rowsOf = ({ rows }: Result): string => `${formatNumber(rows)} ${rows === 1 ? 'row' : 'rows'}`;

const truncated = (): Finding => ({
  code: 'output-truncated',
  severity: 'error',
  message: 'The output ends before the end of the queries. What was printed before is kept.',
  next: 'Look whether the disk was full or the program was ended, then repeat the run.',
});
