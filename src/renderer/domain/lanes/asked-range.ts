import type { Span } from '../../../shared/chart-models/index.ts';

/** Values of a line, at most: about three for a pixel of what is seen. */
export const POINTS = 4000;

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
