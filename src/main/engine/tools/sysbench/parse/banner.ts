/** Lines without new information: headers, options in words, progress of prepare and cleanup, help texts. */
const KNOWN: readonly RegExp[] = [
  /^sysbench \d+\.\d+(\.\d+)?(-\S+)?( \(using .*\)|: +multi-threaded system evaluation benchmark)?$/,
  /^Running the test with following options:$/,
  /^(Number of threads|Target transaction rate|Warmup time|Number of IO requests|Number of random requests for random IO): \S+$/,
  /^Report (intermediate results every \d+ second\(s\)|checkpoint\(s\) at [\d, ]+ seconds)$/,
  /^Forcing shutdown in \d+ seconds$/,
  /^Initializing (random number generator from|worker threads).*$/,
  /^Random number generator seed is \d+ and will be ignored$/,
  /^Threads started!$/,
  /^Warming up for \d+ seconds\.\.\.$/,
  /^Primer? numbers limit: \d+$/,
  /^Time limit exceeded, exiting\.\.\.$/,
  /^Maximum number of requests for \w+ test is limited to \d+$/,
  /^\(last message repeated \d+ times\)$/,
  /^Done\.$/,
  // memory
  /^Running memory speed test with the following options:$/,
  /^ +(block size|total size|operation|scope): \w+$/,
  // fileio
  /^Extra file open flags: .*$/,
  /^\d+ files, \d+\w+ each(, \d+\w+ total)?$/,
  /^\d+\w+ total file size$/,
  /^Block size \d+\w+$/,
  /^Read\/Write ratio for combined random IO test: [\d.]+$/,
  /^Periodic FSYNC enabled, calling fsync\(\) each \d+ requests\.$/,
  /^Calling f(data)?sync\(\) (after each write operation|at the end of test, (Enabled|Disabled))\.$/,
  /^Using (synchronous I\/O|asynchronous I\/O|fast mmaped I\/O|slow mmaped I\/O) mode$/,
  /^Doing (random|sequential) .* test$/,
  /^Creating files for the test\.\.\.$/,
  /^(Creating|Reusing existing) file \S+$/,
  // 0.4
  /^Doing (CPU performance benchmark|OLTP test\.|read-only test)$/,
  /^Running (mixed|simple) OLTP test$/,
  /^Doing (memory operations speed test|thread subsystem performance test|mutex performance test)$/,
  /^Memory (block|transfer) size: \w+$/,
  /^Memory (operations|scope) type: \w+$/,
  /^Maximum prime number checked in CPU test: \d+$/,
  /^Thread yields per test: \d+ Locks used: \d+$/,
  /^Using \d+ test tables$/,
  /^Using (Special|Uniform|Gaussian|Pareto) distribution.*$/,
  /^Using "[\w ]+" for starting transactions$/,
  /^(Using|Not using) auto_inc on the id column$/,
  /^Creating \d+ records in table '.*'\.\.\.$/,
  // The app's own library; several threads may print to one line.
  /^Creating the tables of \w+\.\.\.$/,
  /^(Filling [\w ]+\.\.\.)+$/,
  // help
  /^(Usage:|Compiled-in (tests|database drivers):|Commands( implemented by most tests)?: .*|See '.*' for a list of options for each test\.)$/,
  /^(General|Log|General database|Pseudo-Random Numbers Generator|\w+) options:$/,
  /^ +sysbench \[.*$/,
  /^ +--[a-z][\w-]*(\[?=.*)?$/,
  /^ +\w+ - \w.* (test|driver)$/,
];

/** Two messages can share a line when several threads prepare: `Creating table 'sbtest4'...Creating table 'sbtest3'...`. */
const TABLE_STEP =
  /(?:Creating table '[^']*'\.\.\.|Creating (?:a secondary index|secondary indexes) on '[^']*'\.\.\.|Inserting \d+ records into '[^']*'|Dropping table '[^']*'\.\.\.)/g;

export const isKnownLine = (line: string): boolean => line.trim() === '' || KNOWN.some((pattern) => pattern.test(line));

/** Counts steps of prepare and cleanup from their lines. */
export class DataSteps {
  readonly summary: Record<string, number> = {};
  #any = false;

  /** Whether any line reported such a step. */
  get any(): boolean {
    return this.#any;
  }

  /** Whether the line consists entirely of such messages. */
  line(text: string): boolean {
    const written = /^(\d+) bytes written in (\d+(?:\.\d+)?) seconds \((\d+(?:\.\d+)?) Mi?B\/sec\)\.$/.exec(text);
    if (written) {
      this.#any = true;
      this.summary.bytes_written_total = Number(written[1]);
      this.summary.total_time_s = Number(written[2]);
      this.summary.write_mib_s = Number(written[3]);
      return true;
    }
    if (/^(No bytes written\.|Removing test files\.\.\.)$/.test(text)) {
      this.#any = true;
      return true;
    }
    const steps = text.match(TABLE_STEP);
    if (!steps || text.replace(TABLE_STEP, '').trim() !== '') return false;
    this.#any = true;
    for (const step of steps) this.#count(step);
    return true;
  }

  #count(step: string): void {
    if (step.startsWith('Creating table')) this.#add('tables_created_total', 1);
    else if (step.startsWith('Dropping')) this.#add('tables_dropped_total', 1);
    else if (step.startsWith('Inserting')) this.#add('rows_inserted_total', Number(/\d+/.exec(step)?.[0] ?? 0));
  }

  #add(key: string, amount: number): void {
    this.summary[key] = (this.summary[key] ?? 0) + amount;
  }
}
