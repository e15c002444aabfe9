import { metricOf } from '../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import { dipAfter, type EventDip } from '../../../../shared/stats/index.ts';
import { formatDuration, formatNumber } from '../../../../shared/util/format.ts';
import type { RunRow } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { begunEvents } from './scenario.ts';

/** Code of the finding that says what an event did to the rate. */
const SCENARIO_EFFECT = 'scenario-effect';

/**
 * What each event of the scenario did to the first metric of the tool, where that is a rate: how deep it fell and when it was back. Of several
 * generators nothing is said: their seconds are added up when results are asked for.
 */
export function scenarioEffects(context: Pick<RunsContext, 'store'>, run: RunRow): Finding[] {
  const { store } = context;
  const events = begunEvents(context, run);
  const { primaryMetric } = store.sessions.snapshot(run.sessionId);
  const [series, second] = events.length > 0 ? store.samples.readable(run.id, primaryMetric).series : [];
  if (!series || second || metricOf(primaryMetric).better !== 'higher') return [];
  return events.flatMap(({ t = 0, message }, place): Finding[] => {
    const dip = dipAfter(series, t, events[place + 1]?.t);
    return dip
      ? [
          {
            code: SCENARIO_EFFECT,
            severity: 'note',
            message: `Second ${formatNumber(t)}: ${message} ${effectWords(dip, primaryMetric)}`,
          },
        ]
      : [];
  });
}

function effectWords({ before, began, recovered, depth, lost, lowest }: EventDip, metric: string): string {
  const { label, unit } = metricOf(metric);
  const rate = `${label} (${unit})`;
  if (began === undefined) return `${rate} stayed at ${formatNumber(before)}.`;
  const when = began < 1 ? 'at once' : `after ${tenths(began)}`;
  const fell = `${rate} fell ${when} from ${formatNumber(before)} to ${formatNumber(lowest)}, by ${Math.round(depth * 100)} %,`;
  const back = recovered === undefined ? 'and was not back' : `and was back after ${tenths(recovered)}`;
  return `${fell} ${back}. Compared with the rate before, ${formatNumber(Math.max(0, Math.round(lost)))} are missing.`;
}

const tenths = (seconds: number): string => formatDuration(Math.round(seconds * 10) / 10);
