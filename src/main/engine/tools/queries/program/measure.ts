import { createHash } from 'node:crypto';
import type { Answer, Driver, Interruptible } from './driver.ts';
import type { Failure, Line, Table } from './lines.ts';
import type { Run } from './settings.ts';

/** Maximum rows kept of a plan or of facts; the others are counted. */
const MOST_ROWS = 500;
const LONGEST_VALUE = 4000;

type Write = (line: Line) => void;
type Variant = Run['variant'];

/** A failure that ends the run, with its context. */
export class Failed extends Error {
  readonly doing: string;
  constructor(doing: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.doing = doing;
  }
}

/** No clock is more precise than a nanosecond. */
const rounded = (value: number): number => Number(value.toFixed(6));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code used by the server or the system: SQLSTATE and number, or an errno. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  const code = ['code', 'codeName', 'sqlState', 'errno']
    .map((name) => Reflect.get(error, name))
    .filter((value) => value !== undefined);
  // MongoDB's network errors have a class but no code.
  return [...(error.name.startsWith('Mongo') ? [error.name] : []), ...code.map(String)].join(' ');
};

export const failureOf = (doing: string, error: unknown, fatal: boolean): Failure => ({
  kind: 'error',
  doing,
  fatal,
  code: codeOf(error instanceof Failed ? error.cause : error),
  message: messageOf(error),
});

/** Error codes of MySQL, PostgreSQL, MongoDB and ClickHouse for a missing object. */
const NOT_THERE =
  /\b(?:ER_BAD_TABLE_ERROR|ER_UNKNOWN_TABLE|ER_NO_SUCH_TABLE|ER_DB_DROP_EXISTS|ER_BAD_DB_ERROR|ER_CANT_DROP_FIELD_OR_KEY|ER_SP_DOES_NOT_EXIST|ER_TRG_DOES_NOT_EXIST|42P01|3F000|3D000|42704|42883|42703|NamespaceNotFound|IndexNotFound)\b|^(?:60|81)$/;

async function all(
  sender: Pick<Driver, 'run'>,
  what: string,
  statements: readonly string[],
  write: Write,
  clearing = false,
): Promise<void> {
  if (statements.length === 0) return;
  const start = performance.now();
  for (const statement of statements) {
    try {
      await sender.run(statement);
    } catch (error) {
      if (clearing && NOT_THERE.test(codeOf(error))) continue;
      throw new Failed(what, error);
    }
  }
  write({ kind: 'made', what, seconds: rounded((performance.now() - start) / 1000) });
}

/** Sends statements one after the other. */
export const send = (
  sender: Pick<Interruptible, 'run' | 'stopped'>,
  {
    statements,
    clearing,
    timed,
  }: { statements: readonly string[]; clearing?: boolean | undefined; timed?: boolean | undefined },
  write: Write,
): Promise<void> =>
  timed ? sendTimed(sender, statements, write) : all(sender, 'the statements', statements, write, clearing);

async function sendTimed(
  sender: Pick<Interruptible, 'run' | 'stopped'>,
  statements: readonly string[],
  write: Write,
): Promise<void> {
  const start = performance.now();
  for (const [index, statement] of statements.entries()) {
    const began = performance.now();
    const doing = statements.length === 1 ? 'the statement' : `statement ${index + 1} of ${statements.length}`;
    const answer = await sender.run(statement).catch((error: unknown) => {
      throw new Failed(doing, error);
    });
    const ms = performance.now() - began;
    // Some servers report an interrupted statement as completed.
    if (sender.stopped) throw new Failed(doing, new Error('It was stopped.'));
    const t = rounded((began - start) / 1000);
    const checksum = checksumOf(answer, 'any');
    write({ kind: 'execution', n: index + 1, t, ms: rounded(ms), rows: answer.rows, checksum, measured: true });
  }
}

/** Milliseconds after which an unfinished tear-down is reported, and cancelled. */
export interface TearDownLimits {
  readonly report: number;
  readonly end: number;
}
const TEAR_DOWN: TearDownLimits = { report: 15_000, end: 300_000 };

interface Tools {
  driver: Driver;
  sender: Interruptible;
  write: Write;
  limits: TearDownLimits;
  /** Connections of the other clients. */
  others: readonly Interruptible[];
}

/** A tear-down is never interrupted, so a blocked one, for example by a lock, is reported and has a time limit. */
async function tearDown(
  { driver, write, limits }: Pick<Tools, 'driver' | 'write' | 'limits'>,
  what: string,
  statements: readonly string[],
): Promise<void> {
  const failed = (message: unknown): void => write(failureOf(what, message, false));
  const after = (ms: number): string => `it is not done after ${ms / 1000} s`;
  let isOver = false;
  const reportTimer = setTimeout(
    () =>
      failed(
        new Error(
          `${after(limits.report)}; something may hold a lock on it. It is stopped after ${limits.end / 1000} s.`,
        ),
      ),
    limits.report,
  );
  let ending: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    ending = setTimeout(() => {
      isOver = true;
      failed(new Error(`${after(limits.end)} and was stopped: check what it should have removed.`));
      // The statement should not continue during the next trial. Whether the cancel request succeeds no longer matters.
      Promise.race([driver.cancel(), new Promise((resolve) => setTimeout(resolve, CANCEL_MS).unref())]).then(
        () => resolve(),
        () => resolve(),
      );
    }, limits.end);
  });
  const work = all(driver, what, statements, (line) => (isOver ? undefined : write(line))).catch((error: unknown) =>
    isOver ? undefined : failed(error),
  );
  await Promise.race([work, end]);
  clearTimeout(reportTimer);
  clearTimeout(ending);
}

const CANCEL_MS = 5_000;

/** Runs the set-up of a variant, and always its tear-down. */
async function around(
  { driver, sender, write, limits }: Omit<Tools, 'others'>,
  variant: Variant,
  act: () => Promise<void>,
): Promise<void> {
  const named = (what: string): string => `${what} of “${variant.name}”`;
  try {
    await all(sender, named('the set-up'), variant.setUp, write);
    await act();
  } finally {
    await tearDown({ driver, write, limits }, named('the tear-down'), variant.tearDown);
  }
}

type End = 'complete' | 'time-over' | 'stopped';

/** Queries of a client, in order. */
interface Job {
  stream?: number;
  queries: readonly Variant[];
}

/** Executes queries over several connections on one clock. */
class Clients {
  readonly #run: Run;
  readonly #senders: readonly Interruptible[];
  readonly #write: Write;
  /** Number of executions started. */
  #count = 0;
  #start: number | undefined;
  #isOver = false;
  #failure: Failed | undefined;

  constructor({ sender, others, write }: Tools, run: Run) {
    this.#run = run;
    this.#senders = [sender, ...others];
    this.#write = write;
  }

  /** Runs until all executions are done, the time is over, or it is stopped. Throws `Failed`. */
  async execute(): Promise<End> {
    const { variant, list, discard, executions } = this.#run;
    const often = (times: number): Job => ({ queries: Array.from({ length: times }, () => variant) });
    const passes: Job = { queries: Array.from({ length: discard }, () => list?.variants ?? []).flat() };
    // The list warms the caches for all connections, a single statement also those of each connection.
    await this.#all(list ? [passes] : this.#senders.map(() => often(discard)));
    this.#start = performance.now();
    await this.#all(list ? list.streams.map(ordered(list.variants)) : this.#senders.map(() => often(executions)));
    if (this.#failure) throw this.#failure;
    if (this.#senders.some(({ stopped }) => stopped)) return 'stopped';
    return this.#isOver ? 'time-over' : 'complete';
  }

  /** Each client takes the next job until none remain. */
  async #all(jobs: readonly Job[]): Promise<void> {
    const remaining = [...jobs];
    await Promise.all(
      this.#senders.map(async (sender, index) => {
        for (let job = remaining.shift(); job; job = remaining.shift())
          if (!(await this.#do(sender, index + 1, job))) return;
      }),
    );
  }

  /** False if nothing more may be sent. */
  async #do(sender: Interruptible, client: number, { stream, queries }: Job): Promise<boolean> {
    const start = performance.now();
    for (const query of queries) if (!(await this.#one(sender, client, query, stream))) return false;
    if (stream !== undefined)
      this.#write({ kind: 'stream', stream, seconds: rounded((performance.now() - start) / 1000) });
    return true;
  }

  async #one(sender: Interruptible, client: number, query: Variant, stream?: number): Promise<boolean> {
    if (sender.stopped) return false;
    const began = performance.now();
    const t = this.#start === undefined ? 0 : (began - this.#start) / 1000;
    if (t >= this.#run.seconds) {
      this.#isOver = true;
      return false;
    }
    this.#count += 1;
    const n = this.#count;
    let answer: Answer;
    try {
      answer = await sender.run(query.statement);
    } catch (error) {
      if (!sender.stopped) this.#fail(new Failed(`the statement of “${query.name}”`, error));
      return false;
    }
    const ms = performance.now() - began;
    // Some servers report an interrupted query as completed.
    if (sender.stopped) return false;
    this.#write({
      ...{ kind: 'execution', n, t: rounded(t), ms: rounded(ms), rows: answer.rows },
      ...{ checksum: checksumOf(answer, this.#run.rowOrder), measured: this.#start !== undefined },
      ...(this.#run.clients !== undefined && { client }),
      ...(this.#run.list && { query: query.name }),
      ...(stream !== undefined && { stream }),
    });
    return true;
  }

  /** The run has failed, so the other clients stop as well. */
  #fail(failure: Failed): void {
    this.#failure ??= failure;
    for (const sender of this.#senders) void sender.stop();
  }
}

const ordered =
  (variants: readonly Variant[]) =>
  (places: readonly number[], index: number): Job => ({
    stream: index + 1,
    queries: places.flatMap((place) => variants[place] ?? []),
  });

function tableOf(what: Table['what'], name: string, { columns, values }: Answer): Table {
  const shown = (value: string | Uint8Array | null): string | null =>
    value === null ? null : Buffer.from(value).toString('utf8').slice(0, LONGEST_VALUE);
  return {
    kind: 'table',
    what,
    name,
    columns,
    rows: values.slice(0, MOST_ROWS).map((row) => row.map(shown)),
    left: Math.max(0, values.length - MOST_ROWS),
  };
}

/** Reports rows and bytes read by the server for the statement on one connection. False if it was stopped. */
async function readBy({ sender, write }: Pick<Tools, 'sender' | 'write'>, run: Run): Promise<boolean> {
  if (run.list || run.clients !== undefined) return true;
  try {
    const reads = await sender.act((own) => own.reads?.(run.variant.statement) ?? Promise.resolve(undefined));
    if (reads) write({ kind: 'read', rows: rounded(reads.rows), bytes: rounded(reads.bytes) });
  } catch (error) {
    if (sender.stopped) return false;
    write(failureOf('the rows and bytes that the server read', error, false));
  }
  return true;
}

/** Data in addition to the times. A failure of one of these questions does not affect the times. */
async function collectDetails({ driver, sender, write }: Tools, run: Run): Promise<void> {
  const ask = async (what: Table['what'], name: string, question: () => Promise<Answer>): Promise<void> => {
    try {
      write(tableOf(what, name, await question()));
    } catch (error) {
      if (sender.stopped) return;
      write(failureOf(what === 'facts' ? `the facts “${name}”` : `the ${what} of “${name}”`, error, false));
    }
  };
  if (!(await readBy({ sender, write }, run))) return;
  for (const { name, statement } of run.list?.variants ?? [run.variant]) {
    if (run.serverPlan === 'profile') {
      await ask('profile', name, () =>
        sender.act(({ profile }) => profile?.(statement) ?? Promise.reject(new Error('This server has no profiles.'))),
      );
    } else if (run.serverPlan !== 'none') {
      const explain = driver.explain(statement, run.serverPlan);
      if (explain !== undefined) await ask('plan', name, () => sender.run(explain));
    }
  }
  for (const facts of run.facts) await ask('facts', facts.name, () => sender.run(facts.statement));
}

async function compare(tools: Tools, reference: Variant, run: Run): Promise<void> {
  const { sender, write } = tools;
  await around(tools, reference, async () => {
    const began = performance.now();
    const answer = await sender.run(reference.statement).catch((error: unknown) => {
      throw new Failed(`the statement of “${reference.name}”, with which this one is compared`, error);
    });
    const ms = performance.now() - began;
    const checksum = checksumOf(answer, run.rowOrder);
    write({ kind: 'reference', name: reference.name, rows: answer.rows, checksum, ms: rounded(ms) });
  });
}

/** Runs the set-ups of all variants in order, and their tear-downs in reverse. */
async function aroundAll(tools: Tools, variants: readonly Variant[], act: () => Promise<void>): Promise<void> {
  const [first, ...rest] = variants;
  await (first ? around(tools, first, () => aroundAll(tools, rest, act)) : act());
}

/** Measures one variant or a list, from its set-up to its tear-down. Resolves with how it ended. Throws `Failed`. */
export async function measure(
  driver: Driver,
  sender: Interruptible,
  run: Run,
  write: Write,
  { limits = TEAR_DOWN, others = [] }: Partial<Pick<Tools, 'limits' | 'others'>> = {},
): Promise<End> {
  const tools: Tools = { driver, sender, write, limits, others };
  let ended: End = 'stopped';
  const shared: Variant = { name: 'all', setUp: run.setUp, statement: '', tearDown: run.tearDown };
  await around(tools, shared, async () => {
    await aroundAll(tools, run.list?.variants ?? [run.variant], async () => {
      ended = await new Clients(tools, run).execute();
      if (!sender.stopped) await collectDetails(tools, run);
    });
    if (run.reference && !sender.stopped) await compare(tools, run.reference, run);
  });
  return sender.stopped ? 'stopped' : ended;
}

/** Integers in JavaScript have 53 bits. */
const MODULUS = 2 ** 48;
const BYTES = 6;

/**
 * A 48-bit hash of all values of a result that distinguishes NULL from an empty text, and boundaries of values. `any`: independent of the row order.
 */
function checksumOf({ values }: Pick<Answer, 'values'>, order: 'any' | 'kept'): number {
  let sum = 0;
  for (const row of values) {
    const hash = createHash('sha256');
    if (order === 'kept') hash.update(String(sum));
    for (const value of row) {
      const bytes = value === null ? undefined : Buffer.from(value);
      hash.update(bytes ? `${bytes.length}:` : 'null:');
      if (bytes) hash.update(bytes);
    }
    const own = hash.digest().readUIntBE(0, BYTES);
    sum = order === 'kept' ? own : (sum + own) % MODULUS;
  }
  return sum;
}
