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
  /** By the first word of a line, and its instance, if it has one. */
  readonly #forms = new Map<string, Map<string, Form>>();

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
    const [first = ''] = lines;
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
    for (let index = 1; index < lines.length; index += 1) {
      const words = wordsOf(lines[index] as string);
      const form = this.#formOf(words);
      if (!form || !keep(words, form, metrics)) this.#unread += 1;
      else if (form.isCore) cores += 1;
    }
    if (cores > 0 && this.#unread === unread) metrics['cpu.count'] = cores;
    return { t: Number(time), metrics };
  }

  /** Built once: every block of a host has the same hundreds of lines. Undefined for an unknown line. */
  #formOf(words: readonly string[]): Form | undefined {
    const [letter = '', second = ''] = words;
    const instance = Object.hasOwn(INSTANCES, letter) ? second : '';
    const known = this.#forms.get(letter) ?? new Map<string, Form>();
    const found = known.get(instance);
    if (found) return found;
    const form = formOf(letter, instance);
    if (!form) return undefined;
    if (known.size >= LONGEST_BLOCK) known.clear();
    this.#forms.set(letter, known.set(instance, form));
    return form;
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

/** How a line is read. */
interface Form {
  /** Metrics of its values, in order; a value with an empty name is ignored. */
  names: Names;
  /** Words before its values. */
  before: number;
  /** Least number of values. */
  fewest: number;
  isCore: boolean;
}

/** A host has hundreds of lines each second, so the quicker way is worth it. */
function wordsOf(line: string): string[] {
  const text = line.trim();
  return text.includes('  ') ? text.split(/ +/) : text.split(' ');
}

function formOf(letter: string, instance: string): Form | undefined {
  const form = (prefix: string, names: Names, { before = 1, fewest = FEWER[letter] ?? names.length } = {}): Form => ({
    names: names.map((name) => name && prefix + name),
    before,
    fewest,
    isCore: prefix.startsWith('core.'),
  });
  const core = /^cpu(\d{1,5})?$/.exec(letter);
  if (core) return form(core[1] ? `core.${core[1]}.` : 'cpu.', CPU, { fewest: 4 });
  const single = [KERNEL, SINGLE].find((names) => Object.hasOwn(names, letter))?.[letter];
  if (single) return form('', single);
  const several = Object.hasOwn(INSTANCES, letter) ? INSTANCES[letter] : undefined;
  if (!several || !INSTANCE.test(instance)) return undefined;
  const [kind, names] = several;
  return form(`${kind}.${instance}.`, names, { before: 2 });
}

/** Keeps nothing of a line if one value is unreadable, or there are too few or too many. A hyphen: unknown. */
function keep(words: readonly string[], { names, before, fewest }: Form, metrics: Record<string, number>): boolean {
  const values = words.length - before;
  if (values > names.length || values < fewest) return false;
  for (let index = before; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word !== '-' && !NUMBER.test(word)) return false;
  }
  for (let index = before; index < words.length; index += 1) {
    const name = names[index - before];
    if (name && words[index] !== '-') metrics[name] = Number(words[index]);
  }
  return true;
}
