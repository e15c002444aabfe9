import type { LinkState } from '../../../../shared/model/host.ts';
import { OPEN_RUN, type Run } from '../../../../shared/model/session.ts';
import { formatDuration, formatTimeOfDay } from '../../../../shared/util/format.ts';
import type { LiveSamples } from '../stream/live-store.ts';

/** Data of a running trial does not arrive because a connection is broken. The tool continues. */
export interface Interruption {
  /** Start of the interruption, epoch milliseconds. */
  since: number;
  /** The unreachable hosts; empty: the engine. */
  hosts: readonly string[];
}

interface Connections {
  engineLost: boolean;
  links: readonly LinkState[];
  /** Names of the hosts that send the samples. */
  generators: readonly string[];
  /** Arrival of the newest samples, epoch milliseconds. */
  heardAt: number | undefined;
}

/** Why the seconds of a running trial do not arrive; undefined while they do, and without a running trial. `now`: epoch milliseconds. */
export function interruptionOf(
  run: Run | undefined,
  { engineLost, links, generators, heardAt }: Connections,
  now: number,
): Interruption | undefined {
  if (run?.state !== 'running') return undefined;
  const cut = links.filter(
    ({ host, state }) => generators.includes(host) && (state === 'down' || state === 'connecting'),
  );
  if (!engineLost && cut.length === 0) return undefined;
  const since = heardAt ?? Math.min(now, ...cut.map((link) => link.since));
  return { since, hosts: engineLost ? [] : cut.map(({ host }) => host) };
}

/** `No data from load1 since 14:03:12 (42 s). The trial goes on; …` */
export function interruptionWords({ since, hosts }: Interruption, now: number): string {
  const length = formatDuration(Math.max(0, Math.round((now - since) / 1000)));
  const from = hosts.length > 0 ? hosts.join(', ') : 'the engine';
  return `No data from ${from} since ${formatTimeOfDay(since)} (${length}). The trial continues; the gap will be back-filled.`;
}

/** The missing span of the time axis: from the last second that arrived, for the duration of the interruption. Seconds of the run. */
export function gapOf(
  run: Run,
  samples: readonly LiveSamples[],
  interruption: Interruption,
  now: number,
): { from: number; to: number } | undefined {
  const lasts = samples.flatMap(({ t }) => t.at(-1) ?? []);
  if (lasts.length === 0 || !OPEN_RUN.includes(run.state)) return undefined;
  const from = Math.min(...lasts);
  return { from, to: Math.min(run.warmup + run.duration, from + Math.max(0, now - interruption.since) / 1000) };
}
