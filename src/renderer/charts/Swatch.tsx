import { colourOf, type Paint } from '../../shared/chart-models/index.ts';
import { useChartTheme } from './useChartTheme.ts';

/** The colour of a run beside its name in tables. */
export const Swatch = ({ paint }: { paint: Paint }) => (
  <span className="kp-swatch" style={{ background: colourOf(paint, useChartTheme().scheme) }} aria-hidden="true" />
);
