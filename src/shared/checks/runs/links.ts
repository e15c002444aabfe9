import {
  isGenerator,
  isKnown,
  isOuterLink,
  isServer,
  meanIn,
  type RunEvidence,
  seriesNamed,
  seriesOfRule,
  sumOf,
  type WatchedHost,
  type WatchedSeries,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatFigure, formatNumber, formatPercent } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** Share of the sent segments; if that is unknown, segments per second. */
const RETRANSMITTED = { share: 0.001, perSecond: 10, least: 1 };
/** Share of the packets of the interface. Below it are also unrequested ones: kernels count frames of unknown protocols as dropped. */
const DROPPED = { share: 0.001, perSecond: 1 };
/** Share of the server's traffic, and MiB/s, that none of the generators had. */
const OTHER = { share: 0.3, mibS: 5 };

const RETRANSMISSIONS = {
  code: 'retransmissions',
  title: 'TCP segments retransmitted',
  severity: 'warn',
  when: 'run',
  traps: ['T23'],
  why: 'Packets are lost, and TCP waits up to hundreds of milliseconds before it retransmits. The highest latencies are then caused by the network.',
  avoid: 'Check cables, link speeds on both ends, rate limits and full queues between generators and server.',
} satisfies PlainCheck;
const PACKETS_DROPPED = {
  code: 'packets-dropped',
  title: 'Packets dropped',
  severity: 'warn',
  when: 'run',
  traps: ['T23'],
  why: 'An interface discarded packets: a queue was full, the kernel did not fetch them in time, or no program handles their protocol. TCP retransmits lost segments, and the delay counts as latency.',
  avoid:
    'Check retransmitted segments on both ends first: without any, TCP lost nothing. Otherwise check the ring sizes and interrupts of the interface, and the CPU that handles them.',
} satisfies PlainCheck;
const OTHER_TRAFFIC = {
  code: 'other-traffic',
  title: 'Traffic that is not from the generators',
  severity: 'note',
  when: 'run',
  traps: ['T25'],
  why: 'The server’s links also carry replication, cluster traffic and backups. They reduce the bandwidth left for the load.',
  avoid: 'Use a separate link for traffic between servers, or account for it.',
} satisfies PlainCheck;

export const linkFindings = (evidence: RunEvidence): Finding[] => [
  ...evidence.hosts.flatMap((host) => lossFindings(evidence, host)),
  ...otherFindings(evidence),
];

function lossFindings({ window }: RunEvidence, host: WatchedHost): Finding[] {
  const again = seriesNamed(host, 'tcp.retransmitted');
  const packets = sumOf(ofOuterLinks(host, 'net.*.tx_packets', window));
  const findings: Finding[] = [];
  if (isKnown(again, window)) {
    const rate = meanIn(again, window);
    const sent = packets ? meanIn(packets, window) : Number.NaN;
    const isMuch =
      sent > 0 ? rate >= RETRANSMITTED.share * sent && rate >= RETRANSMITTED.least : rate >= RETRANSMITTED.perSecond;
    if (isMuch)
      findings.push(
        found(
          RETRANSMISSIONS,
          `${host.name} retransmitted ${formatFigure(rate, 1)} TCP segments per second${sent > 0 ? `, ${formatPercent(rate / sent, 2)} of all packets` : ''}.`,
          `${host.name}: ${again.id}`,
        ),
      );
  }
  return [
    ...findings,
    ...ofOuterLinks(host, 'net.*.drops', window).flatMap((drops) => dropFindings(host, drops, window)),
  ];
}

function dropFindings(host: WatchedHost, drops: WatchedSeries, window: RunEvidence['window']): Finding[] {
  const { instance = '' } = drops;
  const lines = ['rx', 'tx'].flatMap((way) => seriesNamed(host, `net.${instance}.${way}_packets`) ?? []);
  const known = lines.filter((line) => isKnown(line, window));
  const packets = known.reduce((sum, line) => sum + meanIn(line, window), 0);
  const dropped = meanIn(drops, window);
  if (!(packets > 0) || dropped < DROPPED.perSecond || dropped < DROPPED.share * packets) return [];
  const again = seriesNamed(host, 'tcp.retransmitted');
  const retransmitted = isKnown(again, window) ? meanIn(again, window) : Number.NaN;
  const words = retransmitted >= RETRANSMITTED.least ? ` ${retransmittedWords(retransmitted)}` : '';
  return [
    found(
      PACKETS_DROPPED,
      `${instance} of ${host.name} dropped ${formatFigure(dropped, 1)} of ${formatNumber(packets)} packets per second (${formatPercent(dropped / packets, 2)}).${words}`,
      [drops, ...(words !== '' && again ? [again] : [])].map(({ id }) => `${host.name}: ${id}`).join(', '),
    ),
  ];
}

const retransmittedWords = (rate: number): string =>
  `The host retransmitted ${formatFigure(rate, 1)} TCP segments per second, and the delay counts as latency.`;

function otherFindings({ hosts, window }: RunEvidence): Finding[] {
  const [servers, generators] = [hosts.filter(isServer), hosts.filter(isGenerator)];
  if (generators.length === 0 || generators.some(isServer)) return [];
  const total = (all: readonly WatchedHost[]): number => all.reduce((sum, host) => sum + trafficOf(host, window), 0);
  const [served, made] = [total(servers), total(generators)];
  const other = served - made;
  if (!(other >= OTHER.mibS && other >= OTHER.share * served)) return [];
  const message = `Of ${formatFigure(served, 1)} MiB/s on the links of ${servers.map(({ name }) => name).join(', ')} ${formatPercent(other / served)} were not to or from the generators.`;
  return [found(OTHER_TRAFFIC, message)];
}

/** Only links to other hosts: bridges and links of containers carry the same packets again. */
const ofOuterLinks = (host: WatchedHost, rule: string, window: RunEvidence['window']): WatchedSeries[] =>
  seriesOfRule(host, rule).filter((series) => isOuterLink(series.instance ?? '', host) && isKnown(series, window));

/** Both directions of all links to other hosts; NaN if unknown, so that there is no finding. */
function trafficOf(host: WatchedHost, window: RunEvidence['window']): number {
  const lines = ['net.*.tx_mib_s', 'net.*.rx_mib_s'].flatMap((rule) => ofOuterLinks(host, rule, window));
  return lines.length === 0 ? Number.NaN : lines.reduce((sum, line) => sum + meanIn(line, window), 0);
}

export const LINK_CHECKS = [RETRANSMISSIONS, PACKETS_DROPPED, OTHER_TRAFFIC];
