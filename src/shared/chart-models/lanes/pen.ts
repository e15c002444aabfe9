/** Pixels of the picture, from its upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Stroke {
  colour: string;
  width?: number;
  opacity?: number;
  dashes?: readonly number[];
}

export interface Words {
  colour: string;
  /** Pixels. */
  size: number;
  bold?: boolean;
  align?: 'left' | 'right' | 'center';
  /** A ground behind them, so that lines do not cross them. */
  ground?: string;
}

/** What draws a lane: pixels of the screen, or the vectors of a file. `xy` holds x0, y0, x1, y1, …; a y of NaN breaks the line. */
export interface Pen {
  line(xy: Float64Array, count: number, stroke: Stroke): void;
  /** Between two edges at the same places. */
  area(x: Float64Array, upper: Float64Array, lower: Float64Array, count: number, fill: Stroke): void;
  rect(box: Box, fill: Stroke): void;
  /** Diagonals over a box: what is missing there is not zero. */
  hatch(box: Box, stroke: Stroke): void;
  /** Tiles of equal size that fill a box, row by row from the upper left; a number of `palette` each, or 255 for none. */
  tiles(box: Box, columns: number, rows: number, numbers: Uint8Array, palette: readonly string[]): void;
  /** `y` is the middle of the line of text. */
  text(words: string, x: number, y: number, style: Words): void;
  widthOf(words: string, size: number): number;
  /** What `draw` draws is seen within the box only. */
  clip(box: Box, draw: () => void): void;
}
