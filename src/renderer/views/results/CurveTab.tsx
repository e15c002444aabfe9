import { Select, Switch } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { ladderFactor, SPREAD_WORDS, sessionBoxes, sessionCurve } from '../../../shared/charts/index.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { Panel } from '../../ui/index.ts';
import { passes, type TabProperties } from './useResults.ts';

/** The load curve at full width, any factor along the axis, and the distribution of the seconds of each cell. */
export function CurveTab({ result, state }: TabProperties) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const [x, setX] = useState<string>();
  const [cut, setCut] = useState(false);
  const curve = useMemo(
    () => sessionCurve(result, theme, { x, cut, only: state.filter }),
    [result, theme, x, cut, state.filter],
  );
  const boxes = useMemo(
    () =>
      sessionBoxes({ ...result, cells: result.cells.filter((cell) => passes(cell.levels, state.filter)) }, theme, x),
    [result, theme, state.filter, x],
  );
  return (
    <>
      <Panel label="Load curve">
        <Chart
          model={curve}
          height={400}
          zoomable
          onCell={(cell) => go(`/sessions/${state.id}/results/runs?cell=${cell}`)}
          title="Load curve"
          note={`whiskers: ${SPREAD_WORDS}`}
          controls={
            <>
              <Switch
                label="Axis from zero"
                checked={!cut}
                onChange={(event) => setCut(!event.currentTarget.checked)}
              />
              {result.factors.length > 1 ? (
                <Select
                  aria-label="Factor along the axis"
                  w={180}
                  allowDeselect={false}
                  data={result.factors.map((factor) => ({ value: factor.name, label: `against ${factor.name}` }))}
                  value={x ?? ladderFactor(result.factors)?.name ?? null}
                  onChange={(value) => value && setX(value)}
                />
              ) : null}
            </>
          }
        />
      </Panel>
      <Panel label="Distribution of the seconds">
        <Chart
          model={boxes}
          height={300}
          zoomable
          title="Distribution of the seconds"
          note="box: 5th to 95th percentile, line: median, whiskers: smallest and largest second"
        />
      </Panel>
    </>
  );
}
