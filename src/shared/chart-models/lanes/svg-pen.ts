import { escapeMarkup } from '../parts.ts';
import type { Box, Pen, Stroke, Words } from './pen.ts';

/** Pixels between the diagonals of a hatching. */
const HATCH = 6;
/** Width of a character as a share of its size, for the fonts of a page. */
const SIGN = 0.56;
const NO_TILE = 255;

const number = (value: number): string => String(Math.round(value * 100) / 100);
const opacity = (value: number | undefined): string => (value === undefined ? '' : ` opacity="${value}"`);

/** A pen that draws vectors. `markup` returns the drawing as an SVG document. */
export class SvgPen implements Pen {
  readonly #parts: string[] = [];
  readonly #font: string;

  constructor(font: string) {
    this.#font = escapeMarkup(font);
  }

  line(xy: Float64Array, count: number, { colour, width = 1, opacity: share, dashes }: Stroke): void {
    let path = '';
    let isDown = false;
    for (let index = 0; index < count; index += 1) {
      const y = xy[2 * index + 1] ?? Number.NaN;
      if (Number.isFinite(y)) path += `${isDown ? 'L' : 'M'}${number(xy[2 * index] ?? 0)} ${number(y)}`;
      isDown = Number.isFinite(y);
    }
    const dashed = dashes ? ` stroke-dasharray="${dashes.join(' ')}"` : '';
    this.#parts.push(
      `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"${dashed}${opacity(share)}/>`,
    );
  }

  area(x: Float64Array, upper: Float64Array, lower: Float64Array, count: number, fill: Stroke): void {
    let path = '';
    for (const { from, to } of spansOf(upper, lower, count)) {
      const at = (index: number, edge: Float64Array): string => `${number(x[index] ?? 0)} ${number(edge[index] ?? 0)}`;
      const over = Array.from({ length: to - from }, (_, index) => at(from + index, upper));
      const back = Array.from({ length: to - from }, (_, index) => at(to - 1 - index, lower));
      path += `M${[...over, ...back].join('L')}Z`;
    }
    this.#parts.push(`<path d="${path}" fill="${fill.colour}"${opacity(fill.opacity)}/>`);
  }

  rect({ x, y, width, height }: Box, fill: Stroke): void {
    this.#parts.push(
      `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${fill.colour}"${opacity(fill.opacity)}/>`,
    );
  }

  hatch(box: Box, stroke: Stroke): void {
    const xy = hatchLines(box);
    this.line(xy, xy.length / 2, stroke);
  }

  tiles(box: Box, columns: number, rows: number, numbers: Uint8Array, palette: readonly string[]): void {
    const [width, height] = [box.width / columns, box.height / rows];
    for (let row = 0; row < rows; row += 1) {
      // Merges neighbours of the same colour.
      for (let column = 0, next = 0; column < columns; column = next) {
        const colour = numbers[row * columns + column] ?? NO_TILE;
        next = column + 1;
        while (next < columns && numbers[row * columns + next] === colour) next += 1;
        const fill = palette[colour];
        const tile = { x: box.x + column * width, y: box.y + row * height, width: (next - column) * width, height };
        if (fill) this.rect(tile, { colour: fill });
      }
    }
  }

  text(words: string, x: number, y: number, { colour, size, bold, align = 'left', ground }: Words): void {
    const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
    const write = (paint: string): number =>
      this.#parts.push(
        `<text x="${number(x)}" y="${number(y + size * 0.35)}" font-family="${this.#font}" font-size="${size}"${bold ? ' font-weight="600"' : ''} text-anchor="${anchor}"${paint}>${escapeMarkup(words)}</text>`,
      );
    // Not with paint-order: the converter to PDF does not support it, and would paint the background over the words.
    if (ground) write(` fill="${ground}" stroke="${ground}" stroke-width="3"`);
    write(` fill="${colour}"`);
  }

  widthOf(words: string, size: number): number {
    return words.length * size * SIGN;
  }

  clip({ x, y, width, height }: Box, draw: () => void): void {
    // A nested SVG clips at its edges, without an id that would have to be unique in a page.
    const [across, down] = [number(width), number(height)];
    this.#parts.push(
      `<svg x="${number(x)}" y="${number(y)}" width="${across}" height="${down}" viewBox="${number(x)} ${number(y)} ${across} ${down}">`,
    );
    draw();
    this.#parts.push('</svg>');
  }

  markup(width: number, height: number, ground: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${ground}"/>${this.#parts.join('')}</svg>`;
  }
}

/** Ranges in which both edges are known, from one index to before another. */
export function spansOf(upper: Float64Array, lower: Float64Array, count: number): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = -1;
  for (let index = 0; index <= count; index += 1) {
    const known =
      index < count && Number.isFinite(upper[index] ?? Number.NaN) && Number.isFinite(lower[index] ?? Number.NaN);
    if (known && from < 0) from = index;
    else if (!known && from >= 0) {
      found.push({ from, to: index });
      from = -1;
    }
  }
  return found;
}

/** Diagonals within a box, as a line with breaks between them. */
export function hatchLines({ x, y, width, height }: Box): Float64Array {
  const xy: number[] = [];
  for (let foot = x - height + (HATCH - (x % HATCH)); foot < x + width; foot += HATCH) {
    const [left, right] = [Math.max(x, foot), Math.min(x + width, foot + height)];
    if (right > left) xy.push(left, y + height - (left - foot), right, y + height - (right - foot), right, Number.NaN);
  }
  return Float64Array.from(xy);
}
