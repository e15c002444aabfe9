import type { OperationCost, RunJudgement } from '../../../../../shared/model/analysis.ts';
import type { CellResult } from '../../../../../shared/model/result.ts';
import { formatLevels, formatNumber, NO_VALUE } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner } from '../../../../ui/index.ts';
import { passes, type ResultsState } from '../../useResults.ts';

type Judged = RunJudgement & { runId: number };

interface Row {
  cell: CellResult;
  /** Mean over its complete runs, by key of the figure. */
  values: Map<string, number>;
}

const keyOf = ({ id, source }: OperationCost): string => `${id}\n${source ?? ''}`;

/** What one operation took of CPU, disks, network and log, cell by cell; nothing where nothing was watched. */
export function OperationsPanel({ state, cells }: { state: ResultsState; cells: readonly CellResult[] }) {
  const { warmup } = state;
  const judged = useCall('results.judgements', { sessionId: state.id, ...(warmup === undefined ? {} : { warmup }) });
  if (judged.error) return <ProblemBanner problem={judged.error.problem} />;
  const known = new Map((judged.data ?? []).map((each) => [each.runId, each]));
  const figures = new Map(
    [...known.values()].flatMap(({ operations }) => operations.map((each) => [keyOf(each), each] as const)),
  );
  if (figures.size === 0) return null;
  const rows = cells
    .filter(({ levels }) => passes(levels, state.filter))
    .map((cell): Row => ({ cell, values: meansOf(cell, known, [...figures.keys()]) }));
  return (
    <Panel title="Per operation" note="Mean of the complete runs of each cell" flush>
      <DataTable
        label="Per operation"
        columns={columnsOf([...figures])}
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

const columnsOf = (figures: readonly (readonly [key: string, figure: OperationCost])[]): Column<Row>[] => [
  { id: 'cell', header: 'Cell', grow: true, value: ({ cell }) => formatLevels(cell.levels) || 'the only cell' },
  ...figures.map(
    ([key, { label, unit, source, digits, formula }]): Column<Row> => ({
      id: key,
      header: `${label}${source === undefined ? '' : `, ${source}`} (${unit})`,
      hint: formula,
      align: 'right',
      value: ({ values }) => values.get(key),
      cell: ({ values }) => {
        const value = values.get(key);
        return value === undefined ? NO_VALUE : formatNumber(value, digits);
      },
    }),
  ),
];
