import {
  coresOf,
  hotCoreOf,
  isGenerator,
  isKnown,
  isServer,
  meanIn,
  ownerOf,
  percentileIn,
  type RunEvidence,
  seriesNamed,
  seriesOfRule,
  valuesIn,
  type WatchedHost,
  type WatchedSeries,
} from '../../analysis/index.ts';
import type { Bound } from '../../model/analysis.ts';
import type { Finding } from '../../model/finding.ts';
import { formatFigure, formatNumber, formatPercent } from '../../util/format.ts';
import { median } from '../../util/numbers.ts';
import { found, type PlainCheck } from '../check.ts';

/** Percentage of the CPU taken by other guests of the machine. */
const STOLEN = 2;
/** Share by which the clock speed of a busy CPU changed. */
const SLOWER = 0.1;
/** Degrees Celsius from which on processors throttle, or are about to. */
const HOT = 90;
/** Percentage of its CPU below which a host's clock speed is irrelevant. */
const IDLE = 20;
/** Percentage of one core, and of the whole CPU, that processes other than tool and server may take. */
const UNRELATED_CPU = { ofCore: 25, ofAll: 5 };
const MOST = 0.6;
/** Maximum number of these processes that are shown. */
const SHOWN = 3;

const STEAL = {
  code: 'steal',
  title: 'CPU steal: time taken by other guests',
  severity: 'warn',
  when: 'run',
  traps: ['T77', 'T79'],
  why: 'The hypervisor gave CPU time of this machine to other guests. The amount, and so the result, varies by the hour.',
  avoid: 'Measure on dedicated cores, or repeat at other times of the day and compare the spread.',
} satisfies PlainCheck;
const FREQUENCY = {
  code: 'frequency-changed',
  title: 'Clock speed changed during the run',
  severity: 'warn',
  when: 'run',
  traps: ['T50', 'T45'],
  why: 'CPUs boost for a short time and clock down under low load. A short run then measures a faster or slower machine than a long one.',
  avoid: 'Set the governor to “performance”, measure longer than the boost lasts, or turn boost off for comparisons.',
} satisfies PlainCheck;
const THERMAL = {
  code: 'thermal',
  title: 'CPU near its thermal limit',
  severity: 'warn',
  when: 'run',
  traps: ['T50'],
  why: 'Near its thermal limit a CPU throttles. Later trials are then slower than earlier ones.',
  avoid: 'Improve the cooling, pause between trials, or order the trials in rounds.',
} satisfies PlainCheck;
const HOT_CORE = {
  code: 'hot-core',
  title: 'One core far busier than the others',
  severity: 'note',
  when: 'run',
  traps: ['T59'],
  why: 'The average looks idle while one core is always busy. Its work, often interrupts of one device, may be the limit.',
  avoid: 'Check per-core usage and the interrupts of network and disks.',
} satisfies PlainCheck;
const UNRELATED_PROCESS = {
  code: 'stranger-process',
  title: 'Something else used the CPU',
  severity: 'warn',
  when: 'run',
  traps: ['T58', 'T79'],
  why: 'Other processes used this CPU time, such as a backup, an update or an indexer. They may not run next time.',
  avoid: 'Find the process, stop it during the measurement, and repeat.',
} satisfies PlainCheck;

const STOPPED = {
  code: 'process-stopped',
  title: 'Load tool or server was stopped',
  severity: 'warn',
  when: 'run',
  traps: ['T58', 'T79'],
  why: 'A stopped process (SIGSTOP, a debugger, a frozen container) does no work. The seconds without responses are not caused by the system under test.',
  avoid: 'Find what stopped it and repeat, or report it if it was intended.',
} satisfies PlainCheck;

export const processorFindings = (evidence: RunEvidence, bound: Bound): Finding[] =>
  evidence.hosts.flatMap((host) => [
    ...stealFindings(evidence, host),
    ...clockFindings(evidence, host),
    ...(hasCoreLimit(bound, host) ? [] : coreFindings(evidence, host)),
    ...unrelatedProcessFindings(evidence, host),
    ...stoppedFindings(evidence, host),
  ]);

function stoppedFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  return seriesOfRule(host, 'proc.*.stopped').flatMap((series) => {
    const process = series.instance ?? '';
    const seconds = valuesIn(series, window).filter((value) => value >= 1).length;
    if (seconds === 0 || ownerOf(host, process) === undefined) return [];
    const message = `${process} on ${host.name} was stopped (state T) in ${formatNumber(seconds)} of the measured seconds.`;
    return [found(STOPPED, message, `${host.name}: ${series.id}`)];
  });
}

function stealFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const steal = seriesNamed(host, 'cpu.steal');
  if (!isKnown(steal, window) || meanIn(steal, window) < STOLEN) return [];
  const message = `Steal on ${host.name}: other guests took ${formatFigure(meanIn(steal, window), 1)} % of CPU time on average, ${formatFigure(percentileIn(steal, window, 95), 1)} % or more in 5 % of the seconds.`;
  return [found(STEAL, message, `${host.name}: ${steal.id}`)];
}

function clockFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const findings: Finding[] = [];
  const busy = seriesNamed(host, 'cpu.busy');
  const clock = seriesNamed(host, 'freq.mean_mhz');
  if (isKnown(clock, window) && isKnown(busy, window) && meanIn(busy, window) >= IDLE) {
    const values = valuesIn(clock, window);
    const third = Math.floor(values.length / 3);
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
    if (third > 0 && Math.abs(last / first - 1) >= SLOWER)
      findings.push(
        found(
          FREQUENCY,
          `The cores of ${host.name} ran at ${formatNumber(first)} MHz in the first third of the run and at ${formatNumber(last)} MHz in the last.`,
          `${host.name}: ${clock.id}`,
        ),
      );
  }
  const heat = seriesNamed(host, 'temperature.max_celsius');
  if (isKnown(heat, window) && percentileIn(heat, window, 95) >= HOT)
    findings.push(
      found(
        THERMAL,
        `${host.name} reached ${formatNumber(percentileIn(heat, window, 100))} °C.`,
        `${host.name}: ${heat.id}`,
      ),
    );
  return findings;
}

/** Whether a hot core of this host is already reported as a limit. */
const hasCoreLimit = (bound: Bound, { name }: WatchedHost): boolean =>
  [bound, ...bound.runnersUp].some(
    ({ verdict, host }) => host === name && (verdict === 'one-core' || verdict === 'generator-core'),
  );

/** A hot core that no process of tool or server explains: with one, it is reported as a limit. */
function coreFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const hot = isServer(host) ? hotCoreOf(host, window) : undefined;
  if (!hot || hot.held.share < MOST) return [];
  const message = `Core ${hot.series.instance ?? ''} of ${host.name} was busy in ${formatPercent(hot.held.share)} of the seconds, the others ${formatPercent(hot.others / 100)} on average.`;
  return [found(HOT_CORE, message, `${host.name}: ${hot.series.id}`)];
}

/** Processes with the name of tool or server that are not those of this session. */
const OF_SAME_NAME = /:other$/;

/**
 * Names of the programs of tool or server of which no process was seen; empty if both were. Undefined if these names are unknown: any process may then
 * be theirs.
 */
function unseenPrograms(host: WatchedHost, processes: readonly WatchedSeries[]): string[] | undefined {
  const { programs } = host;
  if (!programs) return [];
  const roles = [...(isGenerator(host) ? ['tool' as const] : []), ...(isServer(host) ? ['server' as const] : [])];
  const unseen = roles.filter((role) => !processes.some(({ instance = '' }) => ownerOf(host, instance) === role));
  return unseen.some((role) => programs[role].length === 0) ? undefined : unseen.flatMap((role) => [...programs[role]]);
}

/** Busy time without tool, server, collector and interrupts; if one of them was not seen, the time of known other processes. */
function unrelatedProcessFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const cores = coresOf(host);
  const busy = seriesNamed(host, 'cpu.busy');
  const processes = seriesOfRule(host, 'proc.*.cpu').filter((series) => isKnown(series, window));
  if (cores === undefined || !isKnown(busy, window) || processes.length === 0) return [];
  const meanOf = (id: string): number => {
    const series = seriesNamed(host, id);
    return isKnown(series, window) ? meanIn(series, window) : 0;
  };
  const sumOf = (all: readonly WatchedSeries[]): number => all.reduce((sum, series) => sum + meanIn(series, window), 0);
  // If the names of tool and server are unknown, all watched processes count as theirs.
  const unrelated = host.programs ? processes.filter(({ instance = '' }) => ownerOf(host, instance) === undefined) : [];
  const own = processes.filter((series) => !unrelated.includes(series));
  const unseen = unseenPrograms(host, processes);
  if (unseen === undefined) return [];
  // The rest would include the CPU time of an unseen tool or server: only that of processes with other names is known to belong to others.
  const named = unrelated.filter(({ instance = '' }) => !unseen.includes(instance.replace(OF_SAME_NAME, '')));
  const rest =
    unseen.length > 0
      ? sumOf(named)
      : (meanIn(busy, window) - meanOf('cpu.irq') - meanOf('cpu.steal')) * cores - sumOf(own) - meanOf('collector.cpu');
  if (rest < UNRELATED_CPU.ofCore || rest < UNRELATED_CPU.ofAll * cores) return [];
  unrelated.sort((one, other) => meanIn(other, window) - meanIn(one, window));
  const [largest] = unseen.length > 0 ? unrelated.filter((series) => named.includes(series)) : unrelated;
  const largestWords = largest ? ` Largest known process: ${largest.instance ?? ''}.` : '';
  const message = `Processes other than load tool and server used ${unseen.length > 0 ? 'at least ' : ''}${formatNumber(rest)} % of a core on ${host.name}, ${formatPercent(rest / 100 / cores)} of its CPU.${largestWords}`;
  return [
    found(
      UNRELATED_PROCESS,
      message,
      [busy, ...unrelated.slice(0, SHOWN)].map(({ id }) => `${host.name}: ${id}`).join(', '),
    ),
  ];
}

export const PROCESSOR_CHECKS = [STEAL, FREQUENCY, THERMAL, HOT_CORE, UNRELATED_PROCESS, STOPPED];
