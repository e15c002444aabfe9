import type { CustomSeriesOption } from 'echarts';
import type { Spread } from '../model/result.ts';

/** A place along the axis, and the spread of the seconds there. */
export interface PlacedSpread {
  at: number;
  spread: Pick<Spread, 'p5' | 'p25' | 'p75' | 'p95'>;
}

/** What such a box shows, in words. */
export const BOX_WORDS = 'box: quartiles, whiskers: 5th to 95th percentile of the seconds';

/** Pixels. */
const WIDTH = 9;

/** Narrow boxes behind the points of a line, under its name, so that the legend toggles both. */
export const pointBoxes = (name: string, points: readonly PlacedSpread[], colour: string): CustomSeriesOption => ({
  id: `boxes ${name}`,
  name,
  type: 'custom',
  silent: true,
  color: colour,
  clip: true,
  z: 1,
  encode: { x: 0, y: [1, 4] },
  data: points.map(({ at, spread }) => [at, spread.p5, spread.p25, spread.p75, spread.p95]),
  renderItem: (_parameters, api) => {
    const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
    const [, lower = 0] = api.coord([api.value(0), api.value(2)]);
    const [, upper = 0] = api.coord([api.value(0), api.value(3)]);
    const [, high = 0] = api.coord([api.value(0), api.value(4)]);
    const style = { stroke: colour, lineWidth: 1, opacity: 0.55 };
    return {
      type: 'group',
      children: [
        { type: 'line', shape: { x1: x, y1: low, x2: x, y2: lower }, style },
        { type: 'line', shape: { x1: x, y1: upper, x2: x, y2: high }, style },
        {
          type: 'rect',
          shape: { x: x - WIDTH / 2, y: upper, width: WIDTH, height: Math.max(1, lower - upper) },
          style: { ...style, fill: colour, fillOpacity: 0.3 },
        },
      ],
    };
  },
});
