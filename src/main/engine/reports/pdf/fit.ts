import { figureOf, type Part } from '../document/parts.ts';
import type { Heights } from './draw.ts';

/** Where a mark is. */
interface Place {
  readonly pageNumber: number;
  readonly top: number;
  readonly pageInnerHeight: number;
}
export type Places = Map<string, Place>;

/** Points above and below what is printed. */
export const MARGIN = 44;
/** Points at the foot of a page that nobody misses. */
const SMALL_GAP = 90;
/** More than what rounding takes. */
const SPARE = 2;

/**
 * Heights with which the first part that has left the foot of a page empty fits there: its picture and those above it on the page are lowered, each
 * by its share. Undefined where no gap can be closed so.
 */
export function lowerFigures(parts: readonly Part[], places: Places, heights: Heights): Heights | undefined {
  const pictures = parts.flatMap((part, index) => {
    const figure = figureOf(part);
    const [before, after] = [places.get(`before ${index}`), places.get(`after ${index}`)];
    if (!figure || !before || !after) return [];
    const height = heights.get(index) ?? figure.height;
    // A mark alone may have gone to the next page.
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
