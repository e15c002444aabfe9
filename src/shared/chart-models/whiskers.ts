import type { CustomSeriesOption } from 'echarts';

/** Place on the first axis, low and high end on the second; points without both ends are omitted. */
export type Whisker = readonly [place: number, low: number | undefined, high: number | undefined];

const CAP = 4;
/** From an arrow to the words behind it. */
const BEHIND_ARROW = 4;

interface Drawn {
  /** Horizontal. */
  lying?: boolean;
  /** Ends of the axis: a whisker that extends beyond one ends there, as an arrow. */
  within?: readonly [low: number, high: number];
  /** For a horizontal whisker: text behind such an arrow, outside the axis, with the true end. */
  beyond?: (end: number) => string;
}

/** Vertical (or horizontal) error bars under the name of their line, so that the legend toggles both. */
export function whiskers(
  name: string,
  points: readonly Whisker[],
  colour: string,
  { lying = false, within = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], beyond }: Drawn = {},
): CustomSeriesOption {
  const [least, most] = within;
  return {
    id: `whiskers ${name}`,
    name,
    type: 'custom',
    silent: true,
    color: colour,
    // With words next to them, ends are already within the axis.
    clip: beyond === undefined,
    z: 3,
    encode: lying ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
    // The axis is fitted to the drawn ends, so that it does not extend to others.
    data: points.flatMap(([place, low, high]) =>
      low === undefined || high === undefined
        ? []
        : [[place, Math.max(low, least), Math.min(high, most), low < least ? 1 : 0, high > most ? 1 : 0, low, high]],
    ),
    renderItem: (_parameters, api) => {
      const place = api.value(0);
      const [low, high] = [Number(api.value(1)), Number(api.value(2))];
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
      /** Two strokes that run back from the end; `way`: 1 towards higher values, -1 towards lower ones. */
      const arrow = (x: number, y: number, way: 1 | -1) =>
        ([-CAP, CAP] as const).map((aside) =>
          lying
            ? line({ x1: x, y1: y, x2: x - way * CAP, y2: y + aside })
            : line({ x1: x, y1: y, x2: x + aside, y2: y + way * CAP }),
        );
      const [before, behind] = [api.value(3) === 1, api.value(4) === 1];
      const first = before ? arrow(x1, y1, -1) : [cap(x1, y1)];
      const last = behind ? arrow(x2, y2, 1) : [cap(x2, y2)];
      const words = (end: number, x: number, align: 'left' | 'right') =>
        beyond
          ? [
              {
                type: 'text' as const,
                style: {
                  text: beyond(end),
                  x,
                  y: y1,
                  align,
                  verticalAlign: 'middle' as const,
                  fontSize: 10,
                  fill: colour,
                },
              },
            ]
          : [];
      const labels = [
        ...(before ? words(Number(api.value(5)), x1 - BEHIND_ARROW, 'right') : []),
        ...(behind ? words(Number(api.value(6)), x2 + BEHIND_ARROW, 'left') : []),
      ];
      return { type: 'group', children: [line({ x1, y1, x2, y2 }), ...first, ...last, ...labels] };
    },
  };
}
