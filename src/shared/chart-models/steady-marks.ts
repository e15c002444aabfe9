import type { SessionResult } from '../model/result.ts';
import { formatChange, formatDuration, formatLevels, formatPercent } from '../util/format.ts';
import type { Mark } from './event-marks.ts';

type Shown = (cell: SessionResult['cells'][number]) => boolean;

/** Steps of a cell's throughput and its regular dips (of the first run), to be marked on the timeline. */
export function steadyMarks(result: Pick<SessionResult, 'cells' | 'steadiness'>, shown: Shown): Mark[] {
  return (result.steadiness ?? []).flatMap(({ cell: index, at, change, dips }): Mark[] => {
    const cell = result.cells.find((entry) => entry.cell === index);
    if (!cell || !shown(cell)) return [];
    const name = formatLevels(cell.levels);
    const label = (text: string): string => (name ? `${name}: ${text}` : text);
    const mark = (second: number, text: string): Mark => ({
      at: Math.round(second),
      kind: 'alert',
      label: label(text),
    });
    return [
      ...(at === undefined ? [] : [mark(at, `the level changes by ${formatChange(change)}`)]),
      ...(dips?.at.map((second) =>
        mark(second, `falls by ${formatPercent(dips.depth)} every ${formatDuration(Math.round(dips.period))}`),
      ) ?? []),
    ];
  });
}
