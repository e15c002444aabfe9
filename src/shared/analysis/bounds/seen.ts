import type { BoundCandidate } from '../../model/analysis.ts';
import type { RunEvidence } from '../evidence.ts';
import { isKnown, isOuterLink, meanIn, percentileIn, seriesNamed, seriesOfRule } from '../lines.ts';
import { devicesOf, isOneByOne } from './disk.ts';
import { rereadWords } from './memory.ts';
import { limitOf } from './network.ts';
import { busiestThreadOn } from './sockets.ts';
import { FULL, MOST, percent } from './words.ts';

/** Observations if no limit can be named, and resources that were not watched: the end of a sentence and the next one. */
export function seenWords(
  evidence: RunEvidence,
  near: readonly BoundCandidate[],
  notWatched: readonly string[],
): string {
  const seen = evidence.hosts.flatMap((host) => busyWords(evidence, host.name));
  const start =
    seen.length === 0
      ? 'hosts and servers were not recorded.'
      : `no resource used by load tool or server was at its limit most of the time. ${seen.join('; ')}.`;
  const [first] = near;
  const nearest = first
    ? ` ${first.share >= MOST ? 'At its limit, but not the bottleneck' : 'Closest to a limit'}: ${first.sentence}`
    : '';
  return `${start}${nearest}${notWatched.length > 0 ? ` Not watched: ${notWatched.join(', ')}.` : ''}`;
}

function busyWords(evidence: RunEvidence, name: string): string[] {
  const { hosts, window } = evidence;
  const host = hosts.find((each) => each.name === name);
  if (!host) return [];
  const words: string[] = [];
  const cpu = seriesNamed(host, 'cpu.busy');
  if (isKnown(cpu, window)) words.push(`CPU ${percent(meanIn(cpu, window))}`);
  const cores = seriesOfRule(host, 'core.*.busy').filter((series) => isKnown(series, window));
  if (cores.length > 1) words.push(`busiest core ${percent(Math.max(...cores.map((core) => meanIn(core, window))))}`);
  const thread = busiestThreadOn(evidence, host);
  if (thread) words.push(`busiest thread of ${thread.instance ?? ''} ${percent(meanIn(thread, window))} of a core`);
  for (const device of devicesOf(host)) {
    const busy = seriesNamed(host, `disk.${device}.utilisation`);
    // Idle devices are many, and irrelevant.
    if (isKnown(busy, window) && percentileIn(busy, window, 50) >= 1)
      words.push(
        `${device} busy ${percent(meanIn(busy, window))} of the time${meanIn(busy, window) >= FULL && isOneByOne(evidence, host, device) ? ' at queue depth 1; it could take more in parallel' : ''}`,
      );
  }
  const links = [...seriesOfRule(host, 'net.*.tx_mib_s'), ...seriesOfRule(host, 'net.*.rx_mib_s')].flatMap((series) => {
    const limit = limitOf(host, series);
    return limit && isKnown(series, window) && isOuterLink(series.instance ?? '', host)
      ? [(100 * meanIn(series, window)) / limit.value]
      : [];
  });
  if (links.length > 0) words.push(`network at ${percent(Math.max(...links))} of its limit`);
  const reread = rereadWords(host, window);
  if (reread !== undefined) words.push(reread);
  return words.length === 0 ? [] : [`${host.name}: ${words.join(', ')}`];
}
