const TUPLES =
  /^(\d+) of (\d+) tuples \((\d+)%\)(?: of pgbench_accounts)? done \(elapsed [\d.]+ s, remaining [\d.]+ s\) *$/;
const DONE = /^done(?: in ([\d.]+) s(?: \((.*)\))?)?\.$/;
const PART =
  /^(drop tables|create tables|client-side generate|server-side generate|vacuum|primary keys|foreign keys) ([\d.]+) s$/;
const WORDS =
  /^(dropping old tables|creating tables|creating \d+ partitions|generating data \((client|server)-side\)|vacuuming|creating primary keys|creating foreign keys|set primary keys|generating data)\.\.\.$/;

/** What `--initialize` prints: how far it is, and what took how long. */
export class InitReader {
  readonly #summary: Record<string, number> = {};
  #done = false;

  get done(): boolean {
    return this.#done;
  }

  get summary(): Record<string, number> {
    return this.#summary;
  }

  line(line: string): boolean {
    const tuples = TUPLES.exec(line);
    if (tuples) this.#summary.rows_inserted_total = Number(tuples[1]);
    const done = DONE.exec(line);
    if (done) this.#finished(done[1], done[2]);
    return tuples !== null || done !== null || WORDS.test(line);
  }

  #finished(total: string | undefined, parts: string | undefined): void {
    this.#done = true;
    if (total !== undefined) this.#summary.total_time_s = Number(total);
    for (const part of parts?.split(', ') ?? []) {
      const [, name, seconds] = PART.exec(part) ?? [];
      if (name) this.#summary[`${name.replaceAll(/[ -]/g, '_')}_s`] = Number(seconds);
    }
  }
}
