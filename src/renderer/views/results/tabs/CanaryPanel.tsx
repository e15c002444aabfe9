import { useMemo } from 'react';
import { canaryChart } from '../../../../shared/chart-models/index.ts';
import type { CanaryResult } from '../../../../shared/model/result.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { Panel } from '../../../ui/index.ts';

/** How the machines drifted while the cells were measured. */
export function CanaryPanel({ canary, metric }: { canary: CanaryResult; metric: string }) {
  const theme = useChartTheme();
  const model = useMemo(() => canaryChart(canary, metric, theme), [canary, metric, theme]);
  const measured = canary.runs.some(({ value }) => value !== undefined);
  return (
    <Panel title="Canary" note="one cell, measured again during the session; not counted as repeats">
      <div className="kp-said">{canary.sentence}</div>
      {measured ? <Chart model={model} height={190} title="Canary over the session" /> : null}
    </Panel>
  );
}
