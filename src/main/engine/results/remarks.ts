import type { Finding } from '../../../shared/model/finding.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import type { CellResult } from '../../../shared/model/result.ts';
import { percentile, surprisingRuns } from '../../../shared/stats/index.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatLevels,
  formatNumber,
  formatShort,
} from '../../../shared/util/format.ts';
import { warning } from '../comparing/index.ts';
import { endOf, type RunFigures } from '../figures/index.ts';
import type { RunRow } from '../store/store.ts';

/** Runs that differ from the other repeats of their cell: they should be repeated before they are explained. */
export function surprisingFindings(
  cells: readonly Pick<CellResult, 'cell' | 'levels' | 'means' | 'trials'>[],
  runs: readonly Pick<RunRow, 'id' | 'cell' | 'trial'>[],
): Finding[] {
  const counted = cells.filter(({ means, trials }) => trials?.length === means.length);
  return surprisingRuns(counted).flatMap(({ cell, index, ratio }): Finding[] => {
    const of = counted.find((each) => each.cell === cell);
    const run = runs.find((each) => each.cell === cell && each.trial === of?.trials?.[index]);
    if (!of || !run) return [];
    const percent = formatNumber(Math.abs(ratio - 1) * 100);
    const where = formatLevels(of.levels);
    return [
      {
        code: 'surprising-run',
        severity: 'note',
        message: `Trial ${run.trial + 1}${where && ` (${where})`} is ${percent} % ${ratio < 1 ? 'below' : 'above'} the other repeats of its cell, beyond the usual variation of this session.`,
        next: 'Repeat it before you draw conclusions.',
        runId: run.id,
      },
    ];
  });
}

/** Size of a cell's data and of the server's own cache for it, bytes. */
export interface DataInMemory {
  readonly data: number;
  readonly cache: number;
}

const times = (value: number): string => (value < 0.005 ? 'less than 0.01' : formatNumber(value, value < 10 ? 2 : 0));

/** “data 24 GiB, 3.00 × the server’s cache”, over all cells. Undefined if unknown for all of them. */
export function memoryWords(cells: readonly DataInMemory[]): string | undefined {
  const known = cells.filter(({ data, cache }) => data > 0 && cache > 0);
  if (known.length === 0) return undefined;
  const ratios = known.map(({ data, cache }) => data / cache);
  const sizes = known.map(({ data }) => data);
  const range = (values: readonly number[], words: (value: number) => string): string => {
    const [least, most] = [words(Math.min(...values)), words(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  return `data ${range(sizes, formatBytes)}, ${range(ratios, times)} × the server’s cache`;
}

/** Shorter runs are tests of a set-up, where a few events are normal. */
const LEAST_SECONDS = 5;
/** Share of the time that its tool was working. */
const LEAST_SHARE = 0.5;
const LEAST_EVENTS = 3;
/** Share of the other repeats' median: repeats of one cell never differ by this much due to noise. */
const LEAST_RATE = 0.1;

/**
 * Finished runs of a cell that measured next to nothing, because a link or a server hung: they are in every figure of the cell until the
 * user excludes them.
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
          `${name} ended without an error, but ${why}. It counts in the figures of its cell.`,
          'Check its output. If something broke, exclude it with the reason, or measure a replacement.',
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
    return `only ${formatNumber(pace.seconds, 0)} s of its ${formatDuration(Math.round(worked))} have values`;
  if (pace.rate === undefined || pace.seconds < LEAST_SECONDS) return undefined;
  const events = Math.round(pace.rate * pace.seconds);
  if (events < LEAST_EVENTS)
    return `only ${formatCount(events, 'event')} completed in ${formatDuration(Math.round(pace.seconds))}`;
  const others = all.flatMap((each) => (each.run.id === run.id ? [] : (each.pace?.rate ?? [])));
  const usual = percentile(
    others.toSorted((one, other) => one - other),
    50,
  );
  return pace.rate < usual * LEAST_RATE
    ? `it reached ${formatShort(pace.rate)} events/s, while the other repeats of its cell reached ${formatShort(usual)}`
    : undefined;
}

/** Planned seconds after the cut in which the tool was working. Undefined if unknown. */
function workedSeconds(run: RunRow, cut: number): number | undefined {
  if (run.startedAt === null || run.endedAt === null) return undefined;
  return Math.min(endOf(run), (run.endedAt - run.startedAt) / 1000) - cut;
}
