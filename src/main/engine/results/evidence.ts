import {
  type MetServer,
  windowOf as measuredWindow,
  type RunEvidence,
  seriesMeaning,
  type WatchedServer,
} from '../../../shared/analysis/index.ts';
import type { VolumeLimits } from '../../../shared/costs/index.ts';
import { eventRate } from '../../../shared/metrics/index.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { RunWindow } from '../../../shared/model/monitored.ts';
import { momentOf } from '../../../shared/monitoring/index.ts';
import type { RunRow, Source, Store } from '../store/store.ts';
import { generatorParts, wholeSeries } from './combine.ts';
import { hostOf } from './host-evidence.ts';
import { inThisCell } from './host-roles.ts';
import type { RulesOf } from './monitored.ts';
import { seriesIn } from './series-in.ts';
import { windowOf } from './windows.ts';

/** What is known of a run's session beside its samples, as far as it is known. */
export interface EvidenceFacts {
  hosts: readonly { name: string; facts?: HostFacts | undefined }[];
  /** The target of the run. */
  target?: string;
  /** There is no target: the tool measures the hosts that it runs on. */
  onItsOwnHost?: true;
  /** What the tool does at the same time, on each generator. */
  load: readonly { host: string; threads?: number; connections?: number }[];
  /** Operations a second that the workload holds; absent: as fast as it goes. */
  wanted?: number;
  /** How the tool hands I/Os to the disks that it measures by itself. */
  io?: { queueDepth: number; asynchronous?: true };
  /** What the volumes of the server's hosts are paid for, each of them. */
  volume?: VolumeLimits;
  /** The server that it met, where there is one that can be watched. */
  met?: MetServer;
  /** Its document switches off watching something. */
  switchedOff?: true;
  /** Targets of the run: what the workload uses of them, and what their own cache holds. */
  targets?: readonly { name: string; dataMib?: number; cacheMib?: number }[];
}

/** All that is known of one run, on its own seconds; undefined where it never ran. */
export function evidenceOf(
  store: Store,
  run: RunRow,
  facts: EvidenceFacts,
  rulesOf: RulesOf,
  warmup = run.warmup,
): RunEvidence | undefined {
  const window = windowOf(store, run);
  if (!window) return undefined;
  const cut = { ...window, from: momentOf(window, warmup) };
  const sources = store.sources.ofSession(run.sessionId);
  const of = (kind: Source['kind']): Source[] => sources.filter((source) => source.kind === kind);
  const metrics = store.samples.metrics(run.id);
  const rateMetric = eventRate(metrics);
  const rate = rateMetric === undefined ? undefined : wholeSeries(store, run, rateMetric).whole;
  const parts = rateMetric === undefined ? undefined : generatorParts(store, run, rateMetric);
  const latencyMetric = metrics.find((id) => id === 'latency_avg_ms');
  const latency = latencyMetric === undefined ? undefined : wholeSeries(store, run, latencyMetric).whole;
  return {
    window: measuredWindow(cut),
    zero: window.zero,
    ...(window.errorMs !== undefined && { clockErrorMs: window.errorMs }),
    ...(rate && rateMetric !== undefined && { rate: { ...rate, metric: rateMetric } }),
    ...(latency && { latency }),
    ...(facts.wanted !== undefined && { wanted: facts.wanted }),
    ...facts.io,
    load: facts.load.map((part, generator) => {
      const own = parts?.get(generator);
      return { ...part, ...(own && { rate: own }) };
    }),
    ...(facts.met && { met: facts.met }),
    hosts: of('host').map((source) => hostOf(store, inThisCell(source, facts, of('server')), cut, run, facts, rulesOf)),
    servers: ofThisCell(
      of('server').map((source) => serverOf(store, source, cut, facts, rulesOf)),
      facts,
    ),
  };
}

/**
 * Without the targets of other cells: they are idle, and their few connections are not those of this run. A pool is kept with the servers that
 * may be behind it.
 */
function ofThisCell(servers: readonly WatchedServer[], { target, targets = [] }: EvidenceFacts): WatchedServer[] {
  const own = servers.find(({ name }) => name === target);
  const isPool = own !== undefined && seriesMeaning(own, 'pool-waiters') !== undefined;
  return servers.filter(
    ({ name }) => !own || isPool || name === target || !targets.some((other) => other.name === name),
  );
}

function serverOf(
  store: Store,
  source: Source,
  window: RunWindow,
  { targets = [] }: EvidenceFacts,
  rulesOf: RulesOf,
): WatchedServer {
  const { series, gaps } = seriesIn(store, source, window, rulesOf);
  const host = source.about?.place;
  return {
    ...targets.find(({ name }) => name === source.name),
    name: source.name,
    series,
    gaps,
    ...(host !== undefined && { host }),
    ...(source.problem !== undefined && { problem: source.problem }),
  };
}
