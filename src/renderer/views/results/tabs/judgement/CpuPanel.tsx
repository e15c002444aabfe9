import { SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  type CpuGrouping,
  cpuBars,
  cpuBarsHeight,
  cpuOfCells,
  cpuPanels,
} from '../../../../../shared/chart-models/index.ts';
import type { SessionResult } from '../../../../../shared/model/result.ts';
import { Chart, useChartTheme } from '../../../../charts/index.ts';
import { useCall } from '../../../../client/index.ts';
import { Panel } from '../../../../ui/index.ts';
import { passes, type ResultsState, runsOfCell, useChoice } from '../../useResults.ts';

/** Maximum height of the picture in pixels; more panels scroll. */
const MOST_HEIGHT = 640;

/** CPU use of generators, servers and other hosts, cell by cell; renders nothing if no host was watched. */
export function CpuPanel({ state, result }: { state: ResultsState; result: SessionResult }) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const { warmup, filter } = state;
  const [asked, setAsked] = useChoice('cpu');
  const by: CpuGrouping = asked === 'host' ? 'host' : 'role';
  // The table below makes the same call and shows its error.
  const { data } = useCall('results.judgements', { sessionId: state.id, ...(warmup === undefined ? {} : { warmup }) });
  const { cells, factors } = result;
  const drawn = useMemo(() => {
    const shown = cells.filter(({ levels }) => passes(levels, filter));
    const uses = cpuOfCells(shown, data ?? []);
    const chart = { panels: cpuPanels(uses, by), cells: shown, factors };
    const hosts = chart.panels.reduce((count, panel) => count + panel.hosts.length, 0);
    const isShared = by === 'host' || hosts > chart.panels.length;
    return { model: cpuBars(chart, theme), height: cpuBarsHeight(chart), count: chart.panels.length, isShared };
  }, [data, cells, factors, filter, by, theme]);
  if (drawn.count === 0) return null;
  return (
    <Panel label="CPU of the hosts">
      <Chart
        model={drawn.model}
        height={Math.min(MOST_HEIGHT, drawn.height)}
        pictureHeight={drawn.height}
        title="CPU of the hosts"
        note="cores in use, mean of the measured seconds of the complete runs; red line: all cores"
        onCell={(cell) => go(runsOfCell(state, cell))}
        controls={
          drawn.isShared ? (
            <SegmentedControl
              size="xs"
              aria-label="Group hosts"
              data={[
                { value: 'role', label: 'By role' },
                { value: 'host', label: 'Each host' },
              ]}
              value={by}
              onChange={(value) => setAsked(value === 'host' ? value : undefined)}
            />
          ) : null
        }
      />
    </Panel>
  );
}
