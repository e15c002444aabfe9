import type { Finding } from '../../../shared/model/finding.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import { percentile } from '../../../shared/stats/index.ts';
import { formatCount, formatDuration, formatLevels, formatNumber, formatShort } from '../../../shared/util/format.ts';
import type { RunRow } from '../store/store.ts';
import type { RunFigures } from './run-figures.ts';
import { endOf } from './run-values.ts';
import { warning } from './warnings.ts';

/** Shorter ones are tests of a set-up: a few events are what they bring. */
const LEAST_SECONDS = 5;
/** Of the time that its tool was at work. */
const LEAST_SHARE = 0.5;
const LEAST_EVENTS = 3;
/** Of the median of the other repeats: repeats of one cell differ by less whatever the noise. */
const LEAST_RATE = 0.1;

/**
 * Runs of a cell that came to their end and still measured next to nothing, as a link or a server hung: they are in every figure of the cell until
 * a person excludes them.
 */
export function hardlyMeasured(runs: readonly RunFigures[]): Finding[] {
  const complete = runs.filter(({ run }) => isCounted(run));
  return complete.flatMap((each): Finding[] => {
    const why = whyHardly(each, complete);
    if (why === undefined) return [];
    const { id, trial, levels } = each.run;
    const name = [`Trial ${trial + 1}`, ...[formatLevels(levels)].filter(Boolean).map((words) => `(${words})`)].join(
      ' ',
    );
    return [
      {
        ...warning(
          'hardly-measured',
          `${name} ended without an error, but ${why}. It is in the figures of its cell.`,
          'Look at its output. If something broke, exclude it with the reason, or have it measured again in its place.',
        ),
        runId: id,
      },
    ];
  });
}

function whyHardly({ run, cut, pace }: RunFigures, all: readonly RunFigures[]): string | undefined {
  if (!pace) return undefined;
  const worked = workedSeconds(run, cut);
  if (worked !== undefined && worked >= LEAST_SECONDS && pace.seconds < worked * LEAST_SHARE)
    return `only ${formatNumber(pace.seconds, 0)} of its ${formatDuration(Math.round(worked))} have values`;
  if (pace.rate === undefined || pace.seconds < LEAST_SECONDS) return undefined;
  const events = Math.round(pace.rate * pace.seconds);
  if (events < LEAST_EVENTS)
    return `only ${formatCount(events, 'event')} ended in ${formatDuration(Math.round(pace.seconds))}`;
  const others = all.flatMap((each) => (each.run.id === run.id ? [] : (each.pace?.rate ?? [])));
  const usual = percentile(
    others.toSorted((one, other) => one - other),
    50,
  );
  return pace.rate < usual * LEAST_RATE
    ? `it brought ${formatShort(pace.rate)} events a second where the other repeats of its cell brought ${formatShort(usual)}`
    : undefined;
}

/** Seconds behind the cut in which its tool was at work, as far as they were planned; undefined where that is not known. */
function workedSeconds(run: RunRow, cut: number): number | undefined {
  if (run.startedAt === null || run.endedAt === null) return undefined;
  return Math.min(endOf(run), (run.endedAt - run.startedAt) / 1000) - cut;
}
