import type { Span } from '../../../shared/chart-models/index.ts';

/** Values of a line, at most: up to four for a pixel of what is seen, as more is asked for than that. */
export const POINTS = 4000;
/** Where nothing is asked for beyond what is seen: one for a pixel, with the smallest and largest value of its stretch. */
const POINTS_OF_ALL = 1000;
/** Share of what is asked for that is seen then. */
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

/** How many values of a line to ask for in `asked`, when `view` is seen. */
export function pointsFor(view: Span, { from, to }: Partial<Span>, bounds: Span): number {
  const asked = (to ?? bounds.to) - (from ?? bounds.from);
  return asked > POINTS && view.to - view.from >= NEARLY_ALL * asked ? POINTS_OF_ALL : POINTS;
}
