import type { OperationCost, RunJudgement } from '../../../../../shared/model/analysis.ts';
import type { CellResult } from '../../../../../shared/model/result.ts';
import { formatLevels, formatNumber, NO_VALUE } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner } from '../../../../ui/index.ts';
import { passes, type ResultsState } from '../../useResults.ts';

type Judged = RunJudgement & { runId: number };

interface Row {
  cell: CellResult;
  /** Mean over its complete runs, by key of the cost. */
  values: Map<string, number>;
}

const keyOf = ({ id, label, source }: OperationCost): string => [id, label, source ?? ''].join('\n');

/** Costs of one operation in CPU, disks, network and log, cell by cell; renders nothing if nothing was watched. */
export function OperationsPanel({ state, cells }: { state: ResultsState; cells: readonly CellResult[] }) {
  const { warmup } = state;
  const judged = useCall('results.judgements', { sessionId: state.id, ...(warmup === undefined ? {} : { warmup }) });
  if (judged.error) return <ProblemBanner problem={judged.error.problem} />;
  const known = new Map((judged.data ?? []).map((each) => [each.runId, each]));
  const figures = new Map(
    [...known.values()].flatMap(({ operations }) => operations.map((each) => [keyOf(each), each] as const)),
  );
  const rows = cells
    .filter(({ levels }) => passes(levels, state.filter))
    .map((cell): Row => ({ cell, values: meansOf(cell, known, [...figures.keys()]) }));
  const columns = columnsOf([...figures.values()], rows);
  if (columns.length === 0) return null;
  return (
    <Panel title="Per operation" note="Mean of the complete runs of each cell" flush>
      <DataTable
        label="Per operation"
        columns={[CELL, ...columns]}
        rows={rows}
        rowId={({ cell }) => String(cell.cell)}
      />
    </Panel>
  );
}

function meansOf({ runs }: CellResult, known: ReadonlyMap<number, Judged>, keys: readonly string[]): Row['values'] {
  const sound = runs.filter(({ partial, state }) => !partial && state === 'done');
  return new Map(
    keys.flatMap((key) => {
      const values = sound.flatMap(
        ({ runId }) => known.get(runId)?.operations.find((each) => keyOf(each) === key)?.value ?? [],
      );
      return values.length > 0 ? [[key, values.reduce((sum, value) => sum + value, 0) / values.length] as const] : [];
    }),
  );
}

const CELL: Column<Row> = {
  id: 'cell',
  header: 'Cell',
  grow: true,
  value: ({ cell }) => formatLevels(cell.levels) || 'the only cell',
};

/** Columns for the costs of the cells. A cost that every cell has for at most one host or server is a single column, whichever that is. */
function columnsOf(figures: readonly OperationCost[], rows: readonly Row[]): Column<Row>[] {
  const alike = new Map<string, OperationCost[]>();
  for (const figure of figures) {
    if (!rows.some(({ values }) => values.has(keyOf(figure)))) continue;
    const name = [figure.id, figure.label].join('\n');
    alike.set(name, [...(alike.get(name) ?? []), figure]);
  }
  return [...alike.values()].flatMap((all) =>
    rows.some(({ values }) => all.filter((figure) => values.has(keyOf(figure))).length > 1)
      ? all.map((figure) => columnOf([figure]))
      : [columnOf(all)],
  );
}

function columnOf(all: readonly OperationCost[]): Column<Row> {
  const [{ label = '', unit = '', digits = 0, formula = '', source = undefined } = {}] = all;
  const of = ({ values }: Row): OperationCost | undefined => all.find((figure) => values.has(keyOf(figure)));
  const meanOf = (row: Row): number | undefined => {
    const figure = of(row);
    return figure && row.values.get(keyOf(figure));
  };
  return {
    id: all.map(keyOf).join('\n'),
    header: `${label}${source === undefined || all.length > 1 ? '' : `, ${source}`} (${unit})`,
    hint: formula,
    align: 'right',
    value: meanOf,
    cell: (row) => {
      const value = meanOf(row);
      if (value === undefined) return NO_VALUE;
      const words = formatNumber(value, digits);
      return all.length > 1 ? <span title={of(row)?.source}>{words}</span> : words;
    },
  };
}
