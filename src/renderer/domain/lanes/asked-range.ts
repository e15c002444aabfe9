import type { Span } from '../../../shared/chart-models/index.ts';

/** Values of a line, at most: up to four for a pixel of what is seen, as more is asked for than that. */
export const POINTS = 4000;
/** Where hardly anything is there beyond what is seen: one for a pixel, with the smallest and largest value of its stretch. */
const POINTS_OF_ALL = 1000;
/** So long is what is seen then, beside all that is asked for and there. */
const NEARLY_ALL = 0.8;

/**
 * What is asked for of the engine when `view` is seen: more than that on both sides, between round moments, so that a small move asks for
 * nothing new. `undefined` at an end: to the end of all there is. With few enough samples everything is asked for, once.
 */
export function askedRange(view: Span, bounds: Span): { from?: number; to?: number } {
  const whole = bounds.to - bounds.from;
  if (whole <= POINTS) return {};
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, view.to - view.from)));
  const from = Math.floor((view.from - step / 2) / step) * step;
  const to = Math.ceil((view.to + step / 2) / step) * step;
  return { ...(from > bounds.from && { from }), ...(to < bounds.to && { to }) };
}

/** How many values of a line to ask for in `asked`, when `view` is seen, of a source that has samples in `there`. */
export function pointsFor(view: Span, asked: Partial<Span>, there: Span): number {
  const span = Math.min(asked.to ?? there.to, there.to) - Math.max(asked.from ?? there.from, there.from);
  return span > POINTS && view.to - view.from >= NEARLY_ALL * span ? POINTS_OF_ALL : POINTS;
}
