import type { CustomSeriesOption, CustomSeriesRenderItemAPI, CustomSeriesRenderItemReturn } from 'echarts';
import type { Box } from './lanes/pen.ts';

/** A row of tiles. */
export interface TileRow {
  /** Start of each tile, seconds. */
  t: Float64Array;
  /** Value of each tile, which determines its colour; unknown values have no tile. */
  values: Float64Array;
  /** Whether the next row belongs to another group. */
  isLast: boolean;
}

export interface TileScene {
  rows: readonly TileRow[];
  /** Length of a tile. */
  seconds: number;
  /** Values at the two ends of the colour scale. */
  low: number;
  high: number;
}

/** Names of the shapes in `tile-shapes.ts`. */
export const TILES = 'tiles';
export const POINTED_TILE = 'pointed-tile';

export interface TilesShape {
  boxes: readonly Box[];
}

export interface PointedTileShape extends Box {
  /** Finds the tile at a position of the picture. Inside an object: the library takes a bare function for a list, and copies it. */
  finder: { boxAt: (x: number, y: number) => Box | undefined };
}

/** The library's types only include its own shapes. */
const ofShape = (element: { type: string; shape: object; style: object; emphasis?: object }) =>
  element as CustomSeriesRenderItemReturn;

/** Adjacent tiles of a row with the same colour. */
interface Segment {
  row: number;
  from: number;
  to: number;
}

/** Enough shades to show no steps between two of them. */
const SHADES = 256;

/** Segments of each colour in use, by the value of the colour. */
function segmentsByValue({ rows, seconds, low, high }: TileScene): Map<number, Segment[]> {
  const segments = new Map<number, Segment[]>();
  const shadeOf = (value = Number.NaN): number =>
    Math.round(Math.min(1, Math.max(0, (value - low) / (high - low))) * (SHADES - 1));
  rows.forEach(({ t, values }, row) => {
    let last: (Segment & { shade: number }) | undefined;
    t.forEach((from, index) => {
      const shade = shadeOf(values[index]);
      if (last?.shade === shade && last.to === from) {
        last.to = from + seconds;
      } else if (!Number.isNaN(shade)) {
        last = { row, from, to: from + seconds, shade };
        const value = low + (shade / (SHADES - 1)) * (high - low);
        const same = segments.get(value);
        if (same) same.push(last);
        else segments.set(value, [last]);
      }
    });
  });
  return segments;
}

/** Rows of at least this many pixels have a gap of one; groups of rows have the other gap. */
const APART = { rows: 8, groups: 3 };

/** Box of a segment, in whole pixels, so that no seam shows between two tiles. */
function placeIn({ rows }: TileScene, { coord }: CustomSeriesRenderItemAPI): (segment: Segment) => Box {
  const [left = 0, foot = 0] = coord([0, 0]);
  const [right = 0, head = 0] = coord([1, rows.length]);
  const [second, each] = [right - left, (foot - head) / rows.length];
  return ({ row, from, to }) => {
    const [x, y] = [Math.round(left + from * second), Math.round(head + row * each)];
    const height = Math.round(head + (row + 1) * each) - y;
    const gap = (height >= APART.rows ? 1 : 0) + (rows[row]?.isLast && height >= APART.groups ? 1 : 0);
    return { x, y, width: Math.round(left + to * second) - x, height: height - gap };
  };
}

/** One element per colour: with one per tile, a picture of thousands takes several times as long. */
export function tileSeries(scene: TileScene): CustomSeriesOption {
  const shades = [...segmentsByValue(scene)];
  return {
    id: 'tiles',
    type: 'custom',
    clip: true,
    silent: true,
    encode: { x: 0, y: 1 },
    data: shades.map(([value]) => [0, 0, value]),
    renderItem: ({ dataIndex, coordSys }, api) => {
      const place = placeIn(scene, api);
      const { x: left = 0, width = 0 } = coordSys as Partial<Box>;
      const isSeen = (box: Box): boolean => box.x + box.width >= left && box.x <= left + width;
      const boxes = (shades[dataIndex]?.[1] ?? []).map(place).filter(isSeen);
      return ofShape({ type: TILES, shape: { boxes }, style: { fill: String(api.visual('color')) } });
    },
  };
}

/** Visible on every colour, in both schemes. */
const POINTED_STYLE = { fill: 'rgba(255, 255, 255, 0.35)', stroke: 'rgba(0, 0, 0, 0.65)', lineWidth: 1 };

/** Handles the pointer for all tiles, reports the tile below it, and highlights that one. */
export function pointedSeries(scene: TileScene, onPoint: (row: number, index: number) => void): CustomSeriesOption {
  return {
    id: 'pointed',
    type: 'custom',
    clip: true,
    encode: { x: 0, y: 1 },
    data: [[0, 0]],
    renderItem: (_parameters, api) => {
      const place = placeIn(scene, api);
      const boxAt = (x: number, y: number): Box | undefined => {
        const row = lastOf(scene.rows, (_row, index) => place({ row: index, from: 0, to: 0 }).y <= y);
        const t = scene.rows[row]?.t ?? [];
        const boxOf = (from: number): Box => place({ row, from, to: from + scene.seconds });
        const index = lastOf(t, (from) => boxOf(from).x <= x);
        const from = t[index];
        const box = from === undefined ? undefined : boxOf(from);
        if (!box || x >= box.x + box.width) return undefined;
        onPoint(row, index);
        return box;
      };
      return ofShape({
        type: POINTED_TILE,
        shape: { x: 0, y: 0, width: 0, height: 0, finder: { boxAt } },
        style: { fill: 'transparent' },
        emphasis: { style: POINTED_STYLE },
      });
    },
  };
}

/** Index of the last matching element, or -1. */
function lastOf<T>(all: ArrayLike<T>, matches: (one: T, index: number) => boolean): number {
  let index = all.length - 1;
  while (index >= 0 && !matches(all[index] as T, index)) index -= 1;
  return index;
}
