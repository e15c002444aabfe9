import type { AppContract } from '../../../shared/contract/index.ts';
import type { MonitoredValues } from '../../../shared/model/monitored.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_SESSION } from '../../../shared/model/session.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { momentComparisons, monitoredLimits } from '../judging/index.ts';
import { MonitoredUpdates, monitoredSeries, monitoredSources, type RulesOf, runWindows } from '../monitored/index.ts';
import { HOST_RULES, tryLines } from '../monitors/index.ts';
import { pauseFor } from '../runs/index.ts';
import { TARGETS } from '../targets/index.ts';
import { type ApiContext, requireSession } from './context.ts';
import { factsFor, isOffered } from './evidence-facts.ts';

/** Rules of a host are built in, those of a server belong to its kind, and a command or statement brings its own. */
export const rulesOf: RulesOf = ({ kind, about }) => {
  if (kind === 'host') return HOST_RULES;
  const ofKind = TARGETS.find((target) => target.kind === about?.target)?.monitoring?.rules ?? [];
  return kind === 'server' ? [...ofKind, ...(about?.rules ?? [])] : (about?.rules ?? []);
};

const SPACING_MS = 1_000;

export function monitorsApi(context: ApiContext): Implementation<AppContract['monitors']> {
  const { store } = context;
  return {
    tryLines({ pattern, text }) {
      try {
        return tryLines(pattern, text);
      } catch (error) {
        if (error instanceof RangeError) throw new KneepointError({ code: 'bad-request', message: error.message });
        throw error;
      }
    },
    sources: ({ sessionId }) => monitoredSources(store, requireSession(context, sessionId).id, rulesOf),
    windows: ({ sessionId }) => runWindows(store, requireSession(context, sessionId).id),
    series: (query) => monitoredSeries(store, query, rulesOf),
    limits: ({ sessionId }) =>
      monitoredLimits(
        store,
        requireSession(context, sessionId).id,
        (run) => factsFor({ store, catalogue: () => context.prices.catalogue() }, run),
        rulesOf,
      ),
    moments: ({ sessionId }) =>
      momentComparisons(store, requireSession(context, sessionId).id, rulesOf, (run) => isOffered({ store }, run)),
    watch: (query, { signal }) => watchMonitors(context, query, signal),
  };
}

type WatchQuery = Parameters<Implementation<AppContract['monitors']>['watch']>[0];

/** Yields the wanted series, then their new values, if there are any. */
async function* watchMonitors(
  context: ApiContext,
  { id, seconds, wanted }: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<MonitoredValues[]> {
  const { store, sessions, now } = context;
  const updates = new MonitoredUpdates(store, id, rulesOf, wanted);
  for (;;) {
    const { state } = requireSession(context, id);
    const ended = ENDED_SESSION.includes(state) && !sessions.isActive(id);
    const values = store.reading(() => updates.next(now() - seconds * 1000));
    if (values.length > 0) yield values;
    if (ended || signal.aborted) return;
    await pauseFor(SPACING_MS, signal);
  }
}
