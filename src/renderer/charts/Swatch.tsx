import { colourOf } from '../../shared/charts/index.ts';
import { useChartTheme } from './useChartTheme.ts';

/** The colour of a slot beside its name in tables. */
export const Swatch = ({ slot }: { slot: number }) => (
  <span className="kp-swatch" style={{ background: colourOf(slot, useChartTheme().scheme) }} aria-hidden="true" />
);
