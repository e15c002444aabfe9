import {
  type Box,
  hatchLines,
  type Pen,
  type Stroke,
  spansOf,
  type Words,
} from '../../../shared/chart-models/index.ts';

/** A pen that draws on a canvas. */
export class CanvasPen implements Pen {
  readonly #context: CanvasRenderingContext2D;
  readonly #font: string;

  constructor(context: CanvasRenderingContext2D, font: string) {
    this.#context = context;
    this.#font = font;
  }

  line(xy: Float64Array, count: number, { colour, width = 1, opacity = 1, dashes }: Stroke): void {
    const context = this.#context;
    context.beginPath();
    let isDown = false;
    for (let index = 0; index < count; index += 1) {
      const y = xy[2 * index + 1] ?? Number.NaN;
      if (Number.isNaN(y)) isDown = false;
      else if (isDown) context.lineTo(xy[2 * index] ?? 0, y);
      else {
        context.moveTo(xy[2 * index] ?? 0, y);
        isDown = true;
      }
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.globalAlpha = opacity;
    if (dashes) context.setLineDash([...dashes]);
    context.stroke();
    if (dashes) context.setLineDash([]);
    context.globalAlpha = 1;
  }

  area(x: Float64Array, upper: Float64Array, lower: Float64Array, count: number, fill: Stroke): void {
    const context = this.#context;
    context.beginPath();
    for (const { from, to } of spansOf(upper, lower, count)) {
      context.moveTo(x[from] ?? 0, upper[from] ?? 0);
      for (let index = from + 1; index < to; index += 1) context.lineTo(x[index] ?? 0, upper[index] ?? 0);
      for (let index = to - 1; index >= from; index -= 1) context.lineTo(x[index] ?? 0, lower[index] ?? 0);
      context.closePath();
    }
    context.fillStyle = fill.colour;
    context.globalAlpha = fill.opacity ?? 1;
    context.fill();
    context.globalAlpha = 1;
  }

  rect({ x, y, width, height }: Box, { colour, opacity = 1 }: Stroke): void {
    this.#context.fillStyle = colour;
    this.#context.globalAlpha = opacity;
    this.#context.fillRect(x, y, width, height);
    this.#context.globalAlpha = 1;
  }

  hatch(box: Box, stroke: Stroke): void {
    const xy = hatchLines(box);
    this.line(xy, xy.length / 2, stroke);
  }

  /** A picture with one pixel per tile, stretched without smoothing. */
  tiles(box: Box, columns: number, rows: number, numbers: Uint8Array, palette: readonly string[]): void {
    const small = document.createElement('canvas');
    small.width = columns;
    small.height = rows;
    const context = small.getContext('2d');
    if (!context) return;
    const pixels = context.createImageData(columns, rows);
    const colours = new Uint32Array(256);
    for (const [index, colour] of palette.entries()) colours[index] = abgr(colour);
    const words = new Uint32Array(pixels.data.buffer);
    for (let index = 0; index < numbers.length; index += 1) words[index] = colours[numbers[index] ?? 255] ?? 0;
    context.putImageData(pixels, 0, 0);
    this.#context.imageSmoothingEnabled = false;
    this.#context.drawImage(small, box.x, box.y, box.width, box.height);
  }

  text(words: string, x: number, y: number, { colour, size, bold, align = 'left', ground }: Words): void {
    const context = this.#context;
    context.font = `${bold ? '600 ' : ''}${size}px ${this.#font}`;
    context.textAlign = align;
    context.textBaseline = 'middle';
    if (ground) {
      context.strokeStyle = ground;
      context.lineWidth = 3;
      context.lineJoin = 'round';
      context.strokeText(words, x, y);
    }
    context.fillStyle = colour;
    context.fillText(words, x, y);
  }

  clip({ x, y, width, height }: Box, draw: () => void): void {
    this.#context.save();
    this.#context.beginPath();
    this.#context.rect(x, y, width, height);
    this.#context.clip();
    draw();
    this.#context.restore();
  }

  widthOf(words: string, size: number): number {
    this.#context.font = `${size}px ${this.#font}`;
    return this.#context.measureText(words).width;
  }
}

/** `#rrggbb` as an opaque pixel in little-endian order, which every machine with a browser has. */
function abgr(colour: string): number {
  const part = (from: number): number => Number.parseInt(colour.slice(from, from + 2), 16);
  return ((255 << 24) | (part(5) << 16) | (part(3) << 8) | part(1)) >>> 0;
}

/** Sizes a canvas for its place, sharp on every screen, and returns a pen for it in pixels of the page. */
export function penFor(canvas: HTMLCanvasElement, width: number, height: number, font: string): CanvasPen | undefined {
  const density = window.devicePixelRatio || 1;
  const [across, down] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  return new CanvasPen(context, font);
}
