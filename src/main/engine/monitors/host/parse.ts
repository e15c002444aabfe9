import type { MonitorParser, MonitorRow } from '../monitor.ts';

/** More lines than the largest host prints in one block: a longer block has lost its end. */
const LONGEST_BLOCK = 20_000;

const NUMBER = /^\d{1,20}(\.\d{1,9})?$/;

/** Seconds since 1970, up to the year 5138: any of them is a date. */
const TIME = /^\d{1,11}(\.\d{1,9})?$/;

const END = /^\. (\d{1,9}) (\S+)$/;

/** Names of a line's values, in order; a value with an empty name is ignored. */
type Names = readonly string[];

/** New kernels also report the guests' part, which is in "user" too; old ones report fewer. */
const CPU: Names = ['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal', '', ''];
const KERNEL: Readonly<Record<string, Names>> = {
  intr: ['sys.interrupts'],
  ctxt: ['sys.context_switches'],
  btime: [''],
  processes: ['sys.forks'],
  procs_running: ['sys.running'],
  procs_blocked: ['sys.blocked'],
};
/** Lines without an instance: their values by letter. */
const SINGLE: Readonly<Record<string, Names>> = {
  f: ['sys.hz', 'sys.page_bytes'],
  m: [
    'mem.total_kib',
    'mem.free_kib',
    'mem.available_kib',
    'mem.buffers_kib',
    'mem.cached_kib',
    'mem.dirty_kib',
    'mem.writeback_kib',
    'mem.anon_kib',
    'mem.slab_kib',
    'mem.swap_total_kib',
    'mem.swap_free_kib',
    'mem.huge_total',
    'mem.huge_free',
    'mem.anon_huge_kib',
  ],
  v: ['vm.page_in_kib', 'vm.page_out_kib', 'vm.swap_in_pages', 'vm.swap_out_pages', 'vm.major_faults', 'vm.refaults'],
  l: ['load.1'],
  t: ['tcp.retransmitted', 'tcp.established'],
  q: ['freq.mean_khz', 'freq.min_khz'],
  h: ['temperature.max_millidegrees'],
  c: ['collector.cpu_ticks'],
};
/** Lines whose second word is an instance: a prefix, and the following values. */
const INSTANCES: Readonly<Record<string, readonly [string, Names]>> = {
  P: ['pressure', ['some_us', 'full_us']],
  d: [
    'disk',
    [
      'read_ios',
      'read_sectors',
      'read_ms',
      'write_ios',
      'write_sectors',
      'write_ms',
      'in_flight',
      'busy_ms',
      'queue_ms',
      'flush_ios',
      'flush_ms',
    ],
  ],
  n: [
    'net',
    ['rx_bytes', 'rx_packets', 'rx_errors', 'rx_dropped', 'tx_bytes', 'tx_packets', 'tx_errors', 'tx_dropped'],
  ],
  s: ['net', ['speed_mbps']],
  a: ['net', ['elsewhere']],
  x: [
    'proc',
    [
      'user_ticks',
      'system_ticks',
      'rss_kib',
      'threads',
      'read_bytes',
      'write_bytes',
      'voluntary_switches',
      'forced_switches',
      'major_faults',
      'stopped',
    ],
  ],
  g: ['proc', ['quota_cores', 'periods', 'throttled_periods']],
  b: ['proc', ['busiest_thread']],
  k: ['sockets', ['unread', 'unconfirmed', 'unconfirmed_bytes', 'least_us']],
};
/** Devices of kernels before 5.5 have no figures on flushes; earlier collectors reported no refaults, and no faults of processes. */
const FEWER: Readonly<Record<string, number>> = { d: 9, v: 5, x: 8 };
const INSTANCE = /^[^\p{C}\p{Z}\uFFFD]{1,100}$/u;

/**
 * Reads the blocks that the collector prints (docs/monitors.md). A block counts only if its last line has the right length and time, so a block that
 * is cut, or merged from two, yields nothing. An unreadable line is omitted.
 */
export class HostParser implements MonitorParser {
  #block: string[] | undefined;
  #unread = 0;
  /** By the names of a line, and the prefix of its instance. */
  readonly #names = new Map<Names, Map<string, Names>>();

  get unread(): number {
    return this.#unread;
  }

  line(text: string): MonitorRow | undefined {
    if (text.startsWith('@ ')) {
      this.#drop();
      this.#block = [text];
      return undefined;
    }
    if (!this.#block || this.#block.length >= LONGEST_BLOCK) {
      this.#drop();
      if (text !== '') this.#unread += 1;
      return undefined;
    }
    if (!text.startsWith('. ')) {
      this.#block.push(text);
      return undefined;
    }
    return this.#read(this.#block, text);
  }

  #read(lines: readonly string[], end: string): MonitorRow | undefined {
    const [first = '', ...rest] = lines;
    const time = first.slice(2);
    const [, length, endTime] = END.exec(end) ?? [];
    if (!isWhole(lines, Number(length)) || endTime !== time || !TIME.test(time)) {
      this.#unread += 1;
      this.#drop();
      return undefined;
    }
    this.#block = undefined;
    const metrics: Record<string, number> = {};
    const unread = this.#unread;
    let cores = 0;
    for (const line of rest) {
      const read = lineOf(line.trim().split(/ +/));
      const isRead = read !== undefined && this.#keep(read, metrics);
      if (!isRead) this.#unread += 1;
      else if (/^cpu\d/.test(line)) cores += 1;
    }
    if (cores > 0 && this.#unread === unread) metrics['cpu.count'] = cores;
    return { t: Number(time), metrics };
  }

  /** Keeps nothing of a line if one value is unreadable, or there are too few or too many. A hyphen: unknown. */
  #keep({ prefix, names, words, fewest = names.length }: Line, metrics: Record<string, number>): boolean {
    if (words.length > names.length || words.length < fewest) return false;
    if (!words.every((word) => word === '-' || NUMBER.test(word))) return false;
    const full = this.#namesOf(prefix, names);
    for (const [index, word] of words.entries()) {
      const name = full[index];
      if (name && word !== '-') metrics[name] = Number(word);
    }
    return true;
  }

  /** Built once: every block of a host has the same hundreds of names. */
  #namesOf(prefix: string, names: Names): Names {
    const known = this.#names.get(names) ?? new Map<string, Names>();
    this.#names.set(names, known);
    const found = known.get(prefix);
    if (found) return found;
    if (known.size >= LONGEST_BLOCK) known.clear();
    const full = names.map((name) => name && prefix + name);
    known.set(prefix, full);
    return full;
  }

  /** Drops a block without its end. */
  #drop(): void {
    this.#unread += this.#block?.length ?? 0;
    this.#block = undefined;
  }
}

/** Whether lines have this many bytes, as awk counts them. */
function isWhole(lines: readonly string[], length: number): boolean {
  const letters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (letters === length) return true;
  // Interfaces may have any name; other blocks are not counted twice.
  return letters < length && lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) === length;
}

/** The words of a line, and the names of their values. */
interface Line {
  prefix: string;
  names: Names;
  words: readonly string[];
  fewest?: number | undefined;
}

function lineOf([letter = '', ...words]: readonly string[]): Line | undefined {
  const core = /^cpu(\d{1,5})?$/.exec(letter);
  if (core) return { prefix: core[1] ? `core.${core[1]}.` : 'cpu.', names: CPU, words, fewest: 4 };
  const kernel = Object.hasOwn(KERNEL, letter) ? KERNEL[letter] : undefined;
  if (kernel) return { prefix: '', names: kernel, words };
  const single = Object.hasOwn(SINGLE, letter) ? SINGLE[letter] : undefined;
  const fewest = FEWER[letter];
  if (single) return { prefix: '', names: single, words, fewest };
  const several = Object.hasOwn(INSTANCES, letter) ? INSTANCES[letter] : undefined;
  const [instance = '', ...rest] = words;
  if (!several || !INSTANCE.test(instance)) return undefined;
  const [kind, names] = several;
  return { prefix: `${kind}.${instance}.`, names, words: rest, fewest };
}
