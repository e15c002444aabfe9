/** A box in pixels of the picture, from its upper left corner. */
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
  /** A background, so that lines do not cross the words. */
  ground?: string;
}

/** A renderer for lanes: pixels of the screen, or the vectors of a file. `xy` contains x0, y0, x1, y1, …; a y of NaN breaks the line. */
export interface Pen {
  line(xy: Float64Array, count: number, stroke: Stroke): void;
  /** Fills the area between two edges with the same x. */
  area(x: Float64Array, upper: Float64Array, lower: Float64Array, count: number, fill: Stroke): void;
  rect(box: Box, fill: Stroke): void;
  /** Diagonals over a box: missing data is not zero. */
  hatch(box: Box, stroke: Stroke): void;
  /** Tiles of equal size that fill a box, row by row from the upper left; each is an index into `palette`, or 255 for none. */
  tiles(box: Box, columns: number, rows: number, numbers: Uint8Array, palette: readonly string[]): void;
  /** `y` is the vertical centre of the text. */
  text(words: string, x: number, y: number, style: Words): void;
  widthOf(words: string, size: number): number;
  /** Clips everything drawn by `draw` to the box. */
  clip(box: Box, draw: () => void): void;
}
