import { graphic } from 'echarts/core';
import { POINTED_TILE, type PointedTileShape, TILES, type TilesShape } from './tile-series.ts';

/* Shapes of a heat map, for the drawing library. Separate from its model: the command line reads models and does not need a library that
   draws. */

interface Pen {
  rect(x: number, y: number, width: number, height: number): void;
}

const Tiles = graphic.extendShape({
  type: TILES,
  buildPath: (pen: Pen, { boxes = [] }: Partial<TilesShape>) => {
    for (const { x, y, width, height } of boxes) pen.rect(x, y, width, height);
  },
});

/** Moves to the tile under the pointer when the library tests whether the pointer is on it. */
class PointedTile extends graphic.Rect {
  /** Draws its outline on whole pixels. */
  override subPixelOptimize = true;

  override contain(x: number, y: number): boolean {
    const { finder }: Partial<PointedTileShape> = this.shape;
    const box = finder?.boxAt(x, y);
    if (!box) return false;
    if (box.x !== this.shape.x || box.y !== this.shape.y) this.setShape(box);
    return true;
  }
}

export function registerTiles(): void {
  graphic.registerShape(TILES, Tiles);
  graphic.registerShape(POINTED_TILE, PointedTile);
}
