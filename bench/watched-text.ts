import { randomFrom } from '../src/shared/util/numbers.ts';

const CORES = 10;
const DISKS = ['nvme0n1', 'nvme1n1', 'sda', 'sdb'];
const LINKS = ['eth0', 'eth1'];
const PROCESSES = ['mariadbd', 'sysbench', 'kworker', 'sshd'];
const MEMORY = 14;

/** Output of a host's collector in each second: some two hundred counters of a busy, uneven host. */
export class WatchedText {
  readonly #random: () => number;
  readonly #counters = new Map<string, number>();

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** The block of one second, with its last line. */
  block(t: number): string {
    const lines = [
      `@ ${t.toFixed(2)}`,
      `cpu ${this.#grown('cpu', [700, 0, 160, 40, 30, 0, 25, 1])}`,
      ...Array.from(
        { length: CORES },
        (_, core) => `cpu${core} ${this.#grown(`cpu${core}`, [70, 0, 16, 4, 3, 0, 2, 0])}`,
      ),
      `intr ${this.#grown('intr', [90_000])}`,
      `ctxt ${this.#grown('ctxt', [150_000])}`,
      `processes ${this.#grown('processes', [3])}`,
      `procs_running ${this.#around(14)}`,
      `procs_blocked ${this.#around(3)}`,
      'f 100 -',
      `m ${Array.from({ length: MEMORY }, (_, index) => (index % 3 === 0 ? 65_000_000 : this.#around(900_000))).join(' ')}`,
      `v ${this.#grown('v', [4000, 90_000, 0, 0, 1])}`,
      `l ${(this.#around(1400) / 100).toFixed(2)}`,
      ...['cpu', 'memory', 'io'].map((kind) => `P ${kind} ${this.#grown(`P${kind}`, [200_000, 60_000])}`),
      ...DISKS.map((name) => `d ${name} ${this.#disk(name)}`),
      ...LINKS.map((name) => `n ${name} ${this.#grown(name, [9e6, 30_000, 0, 0, 9e7, 70_000, 0, 0])}`),
      ...LINKS.map((name) => `s ${name} 25000`),
      `t ${this.#grown('t', [2])} ${this.#around(120)}`,
      `c ${this.#grown('c', [0.3])}`,
      ...PROCESSES.map((name) => `x ${name} ${this.#process(name)}`),
    ];
    const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
    return `${lines.join('\n')}\n. ${length} ${t.toFixed(2)}\n`;
  }

  #disk(name: string): string {
    const before = this.#grown(name, [900, 30_000, 700, 4000, 260_000, 2500]);
    return `${before} ${this.#around(4)} ${this.#grown(`${name} busy`, [640, 3200, 90, 60])}`;
  }

  #process(name: string): string {
    const before = this.#grown(name, [200, 40]);
    return `${before} ${this.#around(2_000_000)} 42 ${this.#grown(`${name} io`, [3e6, 8e7])} - -`;
  }

  /** Counters that have grown by about this much. */
  #grown(name: string, by: readonly number[]): string {
    return by
      .map((pace, index) => {
        const key = `${name} ${index}`;
        const value = (this.#counters.get(key) ?? Math.round(pace * 10_000)) + pace * (0.7 + 0.6 * this.#random());
        this.#counters.set(key, value);
        return Math.floor(value);
      })
      .join(' ');
  }

  #around(level: number): number {
    return Math.round(level * (0.8 + 0.4 * this.#random()));
  }
}
