import { ALL_PLACES, placesAmong, titleOf } from '../../../../shared/chart-models/index.ts';
import { metricOf, partMetric, placePart } from '../../../../shared/metrics/index.ts';
import type { PlaceFigures, SessionResult } from '../../../../shared/model/result.ts';
import { columnDigits, formatFigure, formatLevel } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner } from '../../../ui/index.ts';
import { passes, type ResultsState } from '../useResults.ts';

interface Properties {
  result: SessionResult;
  state: Pick<ResultsState, 'id' | 'warmup' | 'filter' | 'setMetric'>;
}

/** Figures of each folder or device that a load measures at the same time; renders nothing for one. */
export const PlacesPanel = ({ result, state }: Properties) =>
  placesAmong(result.metrics).length > 0 ? <Places result={result} state={state} /> : null;

function Places({ result, state }: Properties) {
  const { id: sessionId, warmup, filter } = state;
  const query = useCall('results.places', {
    sessionId,
    ...(result.step !== undefined && { step: result.step }),
    ...(warmup !== undefined && { warmup }),
  });
  if (query.error) return <ProblemBanner problem={query.error.problem} />;
  if (!query.data || query.data.rows.length === 0) return null;
  const rows = query.data.rows.filter(({ levels }) => passes(levels, filter));
  return (
    <Panel title="Places measured at the same time" note="a click on a figure selects it" flush>
      <DataTable
        label="Places"
        columns={columnsOf({ ...query.data, rows }, state.setMetric)}
        rows={rows}
        rowId={({ cell, place }) => `${cell} ${place ?? ''}`}
        empty="No cells match the levels chosen above."
      />
    </Panel>
  );
}

type Row = PlaceFigures['rows'][number];

function columnsOf({ metrics, rows }: PlaceFigures, setMetric: (metric: string) => void): Column<Row>[] {
  const factors = [...new Set(rows.flatMap(({ levels }) => Object.keys(levels)))];
  return [
    ...factors.map(
      (name): Column<Row> => ({
        id: `factor ${name}`,
        header: name,
        value: ({ levels }) => (typeof levels[name] === 'number' ? levels[name] : String(levels[name] ?? '')),
        cell: ({ levels }) => formatLevel(levels[name]),
      }),
    ),
    {
      id: 'place',
      header: 'Place',
      grow: true,
      value: ({ place }) => place ?? ALL_PLACES,
      cell: ({ place }) => place ?? <b>{ALL_PLACES}</b>,
    },
    ...metrics.map((id, index): Column<Row> => {
      const metric = metricOf(id);
      const digits = columnDigits(
        metric,
        rows.map(({ values }) => values[index]),
      );
      return {
        id,
        header: titleOf(metric),
        align: 'right',
        value: ({ values }) => values[index] ?? undefined,
        cell: ({ place, values }) => {
          const own = place === undefined ? id : partMetric(placePart(place), id);
          const words = formatFigure(values[index], digits);
          return values[index] === null ? (
            words
          ) : (
            <button
              type="button"
              className="kp-figure-button"
              aria-label={`Show ${metricOf(own).label}`}
              onClick={() => setMetric(own)}
            >
              {words}
            </button>
          );
        },
      };
    }),
  ];
}
