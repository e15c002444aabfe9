import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  curveTitle,
  hasWhiskers,
  ladderFactor,
  lawWords,
  sessionCurve,
  whiskerWords,
} from '../../../../shared/chart-models/index.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { Panel } from '../../../ui/index.ts';
import { runsOfCell, type TabProperties, useChoice } from '../useResults.ts';
import { ScalingSentences, useCurveChoices } from './curve-choices.tsx';

/** The load curve at full width, with any factor along the axis. */
export function CurveTab({ result, state }: TabProperties) {
  const theme = useChartTheme();
  const tall = useMediaQuery('(min-height: 960px)');
  const [, go] = useLocation();
  const [x, setX] = useChoice('x');
  const { axis, spread, controls } = useCurveChoices(result);
  const curve = useMemo(
    () => sessionCurve(result, theme, { x, axis, spread, only: state.filter }),
    [result, theme, x, axis, spread, state.filter],
  );
  const along = x ?? ladderFactor(result.factors)?.name;
  const omitted = along === undefined ? 0 : result.cells.filter(({ levels }) => levels[along] === undefined).length;
  return (
    <Panel label={curveTitle(result, x)}>
      <Chart
        model={curve}
        height={tall ? 640 : 440}
        zoomable
        onCell={(cell) => go(runsOfCell(state, cell))}
        title={curveTitle(result, x)}
        note={[
          hasWhiskers(result, spread) ? `whiskers: ${whiskerWords(result.metric, spread, result.pick)}` : '',
          lawWords(result, along),
          omitted > 0 ? `not drawn: ${formatCount(omitted, 'cell')} without a level of ${along}` : '',
        ]
          .filter(Boolean)
          .join('; ')}
        controls={
          <>
            {controls}
            {result.factors.length > 1 ? (
              <Select
                aria-label="Factor along the axis"
                w={180}
                allowDeselect={false}
                data={result.factors.map((factor) => ({ value: factor.name, label: `against ${factor.name}` }))}
                value={along ?? null}
                onChange={(value) => value && setX(value)}
              />
            ) : null}
          </>
        }
      />
      <ScalingSentences result={result} filter={state.filter} />
    </Panel>
  );
}
