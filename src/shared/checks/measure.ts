import { type Experiment, LEAST_VARYING } from '../model/experiment.ts';
import type { Finding } from '../model/finding.ts';
import { formatCount, named } from '../util/format.ts';
import { found, type PlainCheck, type StartFacts } from './check.ts';

/** Length, repeats and order decide whether a difference can be separated from noise. */
export function measureChecks({ measure }: Experiment): Finding[] {
  const findings: Finding[] = [];
  if (measure.repeats < 3) {
    findings.push({
      code: 'few-repeats',
      severity: 'note',
      message: `With ${measure.repeats === 1 ? 'one repeat' : 'two repeats'} per cell, a difference can hardly be distinguished from noise.`,
      next: 'Use three or more repeats for a useful interval.',
    });
  }
  if (measure.duration < 30) {
    findings.push({
      code: 'short-duration',
      severity: 'note',
      message: `${measure.duration} s per trial is too short to reach steady state.`,
      next: 'Databases and disks usually need minutes until their caches and logs settle.',
    });
  }
  if (measure.answer === 'steadiness' && measure.duration < LEAST_VARYING) {
    findings.push({
      code: 'steadiness-too-short',
      severity: 'warn',
      message: `Throughput will be the answer instead of steadiness: ${measure.duration} s is too short to show how much it varies.`,
      next: `Measure ${LEAST_VARYING} s or longer, or set “Answer by” to “throughput”.`,
    });
  }
  if (measure.warmup === 0) {
    findings.push({
      code: 'no-warm-up',
      severity: 'note',
      message: 'No warm-up: the first seconds, with cold caches, are included in the figures.',
      next: 'Set one, or move the warm-up cut later in the results.',
    });
  }
  if (measure.order === 'listed' && measure.repeats > 1) {
    findings.push({
      code: 'repeats-in-a-row',
      severity: 'note',
      message:
        'Repeats of a cell run one after the other, so a slow drift of the machine looks like a difference between cells.',
      next: 'The orders “rounds” and “shuffled” spread it over all cells.',
    });
  }
  if (measure.order === 'interleaved' && measure.repeats % 2 === 1) {
    findings.push({
      code: 'odd-rounds',
      severity: 'note',
      message: `With ${formatCount(measure.repeats, 'interleaved round')} a steady drift does not cancel out, because the last round has no reversed counterpart.`,
      next: 'Choose an even number of repeats.',
    });
  }
  if (measure.seeds === 'fixed') {
    findings.push({
      code: 'fixed-seed',
      severity: 'warn',
      message:
        'All trials, including those of later sessions, use the same random values. From the second trial on, an UPDATE writes values that its rows already have. Reads hit rows that the previous trial left in memory. Both cost the server less than in production.',
      next: 'Leave “Random values” at “per-trial”, unless repeated values are what you want to measure.',
    });
  }
  return findings;
}

/** Facts to know about a load from several hosts. */
export function severalChecks({ where }: Pick<Experiment, 'where'>): Finding[] {
  const { generators } = where;
  if (generators.length < 2) return [];
  return [
    {
      code: 'load-divided',
      severity: 'note',
      message: `Threads, clients and rates are totals for all ${generators.length} generators and are divided between them; all start at the same time.`,
      evidence: generators.join(', '),
      next: 'The command of each generator shows its share. Rates are added up; percentiles are shown per generator because they cannot be combined.',
    },
  ];
}

const NO_REST = {
  code: 'no-rest-between-writes',
  title: 'No pause between trials that write',
  severity: 'note',
  when: 'start',
  traps: ['T49', 'T37', 'T43'],
  why: 'Write-back of dirty pages, checkpoints and garbage collection in flash continue after a trial that writes. Without a pause they overlap the next trial, whose figures then depend on what ran before it.',
  avoid:
    'Set a pause, or wait before each trial until dirty pages and device writes are low. Some published benchmarks pause 15 s between load levels and 60 s between groups of levels.',
} satisfies PlainCheck;

/** Whether a pause comes between any two trials. */
const hasPauses = ({ factors, measure: { pause, repeats } }: Experiment): boolean => {
  const own = factors.filter(({ levels }) => levels.length > 1).map((factor) => factor.pause ?? pause);
  return own.every((seconds) => seconds > 0) && (pause > 0 || (own.length > 0 && repeats === 1));
};

/** Trials that write leave work behind, which the next one should not pay for. */
export function restChecks({ experiment, writingTrials = 0 }: StartFacts): Finding[] {
  const { measure } = experiment;
  const { rest = 0, dirty, writes, until } = measure.before ?? {};
  const waits = [dirty, writes, until].some((wanted) => wanted !== undefined);
  if (writingTrials < 2 || hasPauses(experiment) || rest > 0 || waits) return [];
  return [
    found(
      NO_REST,
      `${formatCount(writingTrials, 'trial')} write, and the next trial starts at once: pending writes and cleanup overlap it.`,
    ),
  ];
}

export const REST_CHECKS = [NO_REST];

/** A setting that cells vary while another one keeps it from having any effect: apart from its value they are equal. */
export interface IdleSetting {
  setting: string;
  /** In these cells. */
  values: readonly string[];
  cells: number;
  /** The other setting: its name, its value in these cells, and the value it would need. */
  needs: string;
  value: string;
  wanted: string;
}

/** Cells that measure the same thing several times under different names. */
export const idleSettingFindings = (idle: readonly IdleSetting[]): Finding[] =>
  idle.map(({ setting, values, cells, needs, value, wanted }) => ({
    code: 'setting-without-effect',
    severity: 'block',
    message: `${setting} (${named(values)}) has no effect while ${needs} is ${value}: ${formatCount(cells, 'cell')} would measure the same thing under different labels.`,
    evidence: `${needs} = ${value}`,
    next: `Set ${needs} to ${wanted}, or add a condition (when) so that ${setting} varies only there.`,
  }));

/** A result cache that is on in some cell, and how the workload of that cell reads. */
interface CachedReads {
  by: string;
  /** A result may be older than the data. */
  stale: boolean;
  /** Absent: the tool’s options do not show it. */
  readsInTransactions?: boolean;
}

/** Repeated reads that are served from memory are not executed by the server. */
export function cachedReadFindings([cached]: readonly CachedReads[]): Finding[] {
  if (!cached) return [];
  const { by, stale, readsInTransactions } = cached;
  const parts = [
    'The server answers repeated reads from a result cache: figures include cache hits.',
    ...(stale ? ['Cached results may be stale: they expire by time, whatever is written.'] : []),
    ...(readsInTransactions
      ? [
          'The workload reads inside transactions, where such a cache helps little or not at all, so it measures neither the cache nor the server alone.',
        ]
      : []),
  ];
  return [
    {
      code: 'results-cached',
      severity: 'warn',
      message: parts.join(' '),
      evidence: by,
      next: readsInTransactions
        ? 'To measure the server, turn the cache off. To measure the cache, read outside transactions (“skip-trx” of sysbench, “select-only” of pgbench).'
        : 'Turn the cache off, unless it is under test.',
    },
  ];
}
