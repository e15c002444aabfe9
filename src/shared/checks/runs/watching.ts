import { isKnown, type RunEvidence, type WatchedHost, type WatchedServer } from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatCount, formatDuration, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Of the measured seconds that may be missing. */
const MISSING = 0.02;
/** Milliseconds to either side: beyond it what happened in the same second is not known. */
const UNSURE = 1000;

const NOT_MONITORED = {
  code: 'not-monitored',
  title: 'A host or server was not watched',
  severity: 'warn',
  when: 'run',
  traps: ['T70'],
  why: 'Without its CPU, disks and network nobody can say why a run was as fast as it was. What limits it may be anywhere.',
  avoid: 'Watch generators, the server and its host: all of it is on unless the experiment switches it off.',
} satisfies PlainCheck;
const MONITOR_GAPS = {
  code: 'monitor-gaps',
  title: 'Seconds that were not recorded',
  severity: 'warn',
  when: 'run',
  traps: ['T60'],
  why: 'A server that is overloaded answers questions about itself last, so that gaps lie where it matters most. They are shown as gaps and never as zero.',
  avoid: 'Look at the host’s own series in these seconds: its collector does not ask the server.',
} satisfies PlainCheck;
const CLOCKS_APART = {
  code: 'clocks-apart',
  title: 'Clocks are not known to the second',
  severity: 'note',
  when: 'run',
  traps: ['T58'],
  why: 'Series of hosts and of the tool are put on one clock by what was measured of their offsets. Where that is uncertain, cause and effect within a few seconds cannot be told apart.',
  avoid: 'Synchronise the clocks of the hosts (NTP or chrony).',
} satisfies PlainCheck;

export function watchingFindings({ hosts, servers, load, window, zero, clockErrorMs }: RunEvidence): Finding[] {
  const all = [...hosts.filter(({ roles }) => roles.some((role) => role !== 'other')), ...servers];
  const silent = all.filter(({ series }) => !series.some((each) => isKnown(each, window)));
  const unlisted = load.map(({ host }) => host).filter((name) => !hosts.some((host) => host.name === name));
  return [
    ...silent.map(({ name, problem }) =>
      found(
        NOT_MONITORED,
        `Nothing was recorded of ${name} in most of this run.${problem === undefined ? '' : ` ${problem}`}`,
      ),
    ),
    ...[...new Set(unlisted)].map((name) => found(NOT_MONITORED, `${name} made load and was not watched.`)),
    ...(zero === undefined
      ? []
      : all.filter((each) => !silent.includes(each)).flatMap((each) => gapFindings(each, window, zero))),
    ...(clockErrorMs !== undefined && clockErrorMs > UNSURE
      ? [found(CLOCKS_APART, `The seconds of tool and hosts match within ${formatDuration(clockErrorMs / 1000)} only.`)]
      : []),
  ];
}

function gapFindings(
  { name, gaps = [] }: WatchedHost | WatchedServer,
  { from, to }: RunEvidence['window'],
  zero: number,
): Finding[] {
  const inside = gaps
    .map((gap) => ({ from: Math.max(from, (gap.from - zero) / 1000), to: Math.min(to, (gap.to - zero) / 1000) }))
    .filter((gap) => gap.to > gap.from);
  const missing = inside.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  if (missing < MISSING * (to - from)) return [];
  const [first] = inside;
  const message = `${formatCount(inside.length, 'gap')} in the series of ${name}, ${formatDuration(Math.round(missing))} or ${formatPercent(missing / (to - from))} of the measured time, the first at second ${Math.round(first?.from ?? 0)}.`;
  return [found(MONITOR_GAPS, message)];
}

export const WATCHING_CHECKS = [NOT_MONITORED, MONITOR_GAPS, CLOCKS_APART];
