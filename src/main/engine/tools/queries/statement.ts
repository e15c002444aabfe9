import { z } from 'zod';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { TOOK } from '../../../../shared/model/step.ts';
import { isTimedOut, limitedTo, timeOver } from '../step-time.ts';
import {
  defineTool,
  type ParseEvents,
  type ParseOutcome,
  type Parser,
  type PlanInput,
  type ToolPlan,
} from '../tool.ts';
import { QueriesParser, readLine } from './parse/index.ts';
import { connectionOf, PROGRAM, programCommand } from './plan/index.ts';

/** `at-most`: seconds; 0: no limit. */
const StatementOptions = z.strictObject({
  statement: z.union([z.string(), z.array(z.string())]).transform((all) => [all].flat()),
  'at-most': z.number(),
});
type StatementOptions = z.output<typeof StatementOptions>;

/** Checksums have 48 bits. */
const MODULUS = 2 ** 48;

function planStatements({ options, connection, nodePath, assetsDir }: PlanInput<StatementOptions>): ToolPlan {
  const settings = {
    ...{ step: 'statements' as const, connection: connectionOf(connection) },
    ...{ statements: options.statement, timed: true },
  };
  const seconds = options['at-most'];
  const shown = options.statement.map((statement) => `${statement.trim().replace(/;$/, '')};`).join('\n');
  const run = { ...programCommand({ nodePath, assetsDir }, settings), shown };
  if (seconds === 0) return { run };
  return { run: { ...run, argv: [...limitedTo(seconds), ...run.argv], plannedSeconds: seconds } };
}

/** Adds up time and rows of all statements. Everything else is read as for timed queries. */
class StatementParser implements Parser {
  readonly #inner: QueriesParser;
  readonly #seconds: number;
  #ms = 0;
  #rows = 0;
  #count = 0;
  #checksum = 0;

  constructor({ 'at-most': seconds }: StatementOptions, { finding, unparsed }: ParseEvents) {
    this.#seconds = seconds;
    this.#inner = new QueriesParser('run', { agreement: 'none' }, { finding, unparsed, sample: () => {} });
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    const line = stream === 'stdout' && !cut ? readLine(text) : undefined;
    if (line?.kind === 'execution') {
      this.#ms += line.ms;
      this.#rows += line.rows;
      this.#count += 1;
      this.#checksum = (this.#checksum + line.checksum) % MODULUS;
    }
    this.#inner.line(text, stream, cut);
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { ok, reason } = this.#inner.end(exit);
    const summary = {
      ...(ok && { took_s: this.#ms / 1000 }),
      ...{ rows_total: this.#rows, statements_total: this.#count, result_checksum: this.#checksum },
    };
    if (ok || !reason) return { summary, ok };
    return { summary, ok, reason: isTimedOut(exit) ? timeOver('The statement', this.#seconds) : reason };
  }
}

/** The step `do: statement`. */
export const statementTool = defineTool(
  {
    id: 'step-statement',
    title: 'Statement',
    options: StatementOptions,
    metrics: { primary: () => TOOK },
    parser: (_phase, options, events) => new StatementParser(options, events),
  },
  {
    summary: 'Sends statements to the target and measures their time.',
    drives: ['mysql', 'postgres', 'mongodb', 'clickhouse'],
    partOfApp: { runs: 'anywhere', program: PROGRAM },
    probedAs: 'queries',
    needs: () => ['mysql', 'postgres', 'mongodb', 'clickhouse'],
    plan: planStatements,
  },
);
