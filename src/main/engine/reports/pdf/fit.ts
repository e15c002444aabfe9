import { figureOf, type Part } from '../document/parts.ts';
import type { Heights } from './draw.ts';

/** Position of a mark. */
interface Place {
  readonly pageNumber: number;
  readonly top: number;
  readonly pageInnerHeight: number;
}
export type Places = Map<string, Place>;

/** Points above and below the printed area. */
export const MARGIN = 44;
/** Empty points at the bottom of a page that are acceptable. */
const SMALL_GAP = 90;
/** More than rounding errors. */
const SPARE = 2;

/**
 * Heights with which the first part that left the bottom of a page empty fits there: its picture and those above it on the page are scaled
 * down proportionally. Undefined if no gap can be closed in this way.
 */
export function lowerFigures(parts: readonly Part[], places: Places, heights: Heights): Heights | undefined {
  const pictures = parts.flatMap((part, index) => {
    const figure = figureOf(part);
    const [before, after] = [places.get(`before ${index}`), places.get(`after ${index}`)];
    if (!figure || !before || !after) return [];
    const height = heights.get(index) ?? figure.height;
    // A mark alone may have moved to the next page.
    const moved = after.pageNumber > before.pageNumber && after.top - MARGIN > SMALL_GAP;
    return [{ index, before, after, moved, height, slack: Math.max(0, height - figure.least) }];
  });
  for (const [at, picture] of pictures.entries()) {
    const gap = MARGIN + picture.before.pageInnerHeight - picture.before.top;
    if (!picture.moved || gap < SMALL_GAP) continue;
    const above = pictures
      .slice(0, at)
      .filter(({ moved, before, after }) => (moved ? after : before).pageNumber === picture.before.pageNumber);
    const lowered = [...above, picture];
    const needed = picture.after.top - MARGIN - gap + SPARE;
    const slack = lowered.reduce((sum, each) => sum + each.slack, 0);
    if (needed > slack) continue;
    return new Map([
      ...heights,
      ...lowered.map(({ index, height, slack: own }) => [index, height - (needed * own) / slack] as const),
    ]);
  }
  return undefined;
}
