import type { CustomSeriesOption } from 'echarts';

/** Place on the first axis, low and high end on the second; a point without both ends is left out. */
export type Whisker = readonly [place: number, low: number | undefined, high: number | undefined];

const CAP = 4;

/** Vertical (or `lying`: horizontal) error bars under the name of their line, so that the legend toggles both. */
export function whiskers(name: string, points: readonly Whisker[], colour: string, lying = false): CustomSeriesOption {
  return {
    id: `whiskers ${name}`,
    name,
    type: 'custom',
    silent: true,
    color: colour,
    clip: true,
    z: 3,
    encode: lying ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    data: points.flatMap(([place, low, high]) => (low === undefined || high === undefined ? [] : [[place, low, high]])),
    renderItem: (_parameters, api) => {
      const place = api.value(0);
      const [low, high] = [api.value(1), api.value(2)];
      const ends = lying
        ? [api.coord([low, place]), api.coord([high, place])]
        : [api.coord([place, low]), api.coord([place, high])];
      const [x1 = 0, y1 = 0] = ends[0] ?? [];
      const [x2 = 0, y2 = 0] = ends[1] ?? [];
      const line = (shape: { x1: number; y1: number; x2: number; y2: number }) => ({
        type: 'line' as const,
        shape,
        style: { stroke: colour, lineWidth: 1.25, opacity: 0.75 },
      });
      const cap = (x: number, y: number) =>
        lying ? line({ x1: x, y1: y - CAP, x2: x, y2: y + CAP }) : line({ x1: x - CAP, y1: y, x2: x + CAP, y2: y });
      return { type: 'group', children: [line({ x1, y1, x2, y2 }), cap(x1, y1), cap(x2, y2)] };
    },
  };
}
