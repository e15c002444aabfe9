import { SegmentedControl, Select } from '@mantine/core';
import { useLocation } from 'wouter';
import { ladderFactor, pivotOf, placesIn } from '../../../../shared/chart-models/index.ts';
import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { formatLevel } from '../../../../shared/util/format.ts';
import { WarningNotes } from '../../../domain/index.ts';
import { EmptyState, Panel } from '../../../ui/index.ts';
import { runsOfCell, shownOf, type TabProperties, useChoice } from '../useResults.ts';
import { PivotTable } from './pivot/PivotTable.tsx';

const VALUE = 'value';
/** Value for the cells without a level. */
const WITHOUT = '';

/** The cells as rows and columns of any two factors, for one level of each other factor. */
export function PivotTab({ result: whole, state }: TabProperties) {
  const [, go] = useLocation();
  const result = shownOf(whole, state.filter);
  const [chosenRows, setRows] = useChoice('rows');
  const [chosenColumns, setColumns] = useChoice('columns');
  const [chosenBy, setBy] = useChoice('by');
  const varied = result.factors.filter(({ name }) => placesIn(result, name).length > 1);
  const names = (varied.length > 0 ? varied : result.factors).map(({ name }) => name);
  const ladder = ladderFactor(result.factors)?.name;
  const rows = names.find((name) => name === chosenRows) ?? names.find((name) => name !== ladder) ?? names[0];
  const columns =
    names.find((name) => name === chosenColumns && name !== rows) ??
    names.find((name) => name === ladder && name !== rows) ??
    names.find((name) => name !== rows);
  const { ratios = [] } = result;
  const against = ratios.find(({ factor }) => factor === chosenBy);
  const others = result.factors.filter(({ name }) => name !== rows && name !== columns);
  const [fixed, setFixed] = useFixed(result, others);
  if (rows === undefined) {
    return (
      <Panel>
        <EmptyState title="One cell">A pivot needs a factor with two or more levels.</EmptyState>
      </Panel>
    );
  }
  const factorChoice = (label: string, value: string | undefined, onChange: (name: string) => void) => (
    <Select
      aria-label={label}
      w={190}
      allowDeselect={false}
      data={names.map((name) => ({ value: name, label: `${label.toLowerCase()}: ${name}` }))}
      value={value ?? null}
      onChange={(name) => name && onChange(name)}
    />
  );
  return (
    <Panel
      title="Pivot"
      note="a click shows the runs of a cell"
      actions={
        <>
          {factorChoice('Rows', rows, (name) => {
            if (name === columns) setColumns(rows);
            setRows(name);
          })}
          {columns === undefined
            ? null
            : factorChoice('Columns', columns, (name) => {
                if (name === rows) setRows(columns);
                setColumns(name);
              })}
          {ratios.length > 0 ? (
            <SegmentedControl
              aria-label="Colour and figure"
              data={[
                { value: VALUE, label: 'Value' },
                ...ratios.map(({ factor, level }) => ({
                  value: factor,
                  label: `Ratio to ${factor} ${formatLevel(level)}`,
                })),
              ]}
              value={against?.factor ?? VALUE}
              onChange={(value) => setBy(value === VALUE ? undefined : value)}
            />
          ) : null}
        </>
      }
    >
      {others.filter(({ name }) => placesIn(result, name).length > 1).length > 0 ? (
        <div className="kp-bar kp-said">
          {others.map(({ name }) => {
            const places = placesIn(result, name);
            return places.length < 2 ? null : (
              <Select
                key={name}
                aria-label={`Level of ${name}`}
                w={190}
                allowDeselect={false}
                data={places.map((place) => ({ value: keyOf(place), label: `${name} ${formatLevel(place)}` }))}
                value={keyOf(fixed[name])}
                onChange={(value) => setFixed(name, value ?? WITHOUT)}
              />
            );
          })}
        </div>
      ) : null}
      <WarningNotes cells={result.cells} />
      <PivotTable
        result={result}
        pivot={pivotOf(result, { rows, columns, fixed })}
        rows={rows}
        columns={columns}
        against={against}
        onCell={(cell) => go(runsOfCell(state, cell))}
      />
    </Panel>
  );
}

const keyOf = (place: Scalar | undefined): string => (place === undefined ? WITHOUT : String(place));

/** One level of each of these factors, in the address as `at`; by default that of the first cell. */
function useFixed(
  result: SessionResult,
  factors: SessionResult['factors'],
): [Record<string, Scalar | undefined>, (name: string, level: string) => void] {
  const [chosen, setChosen] = useChoice('at');
  const asked = new URLSearchParams(chosen ?? '');
  const fixed: Record<string, Scalar | undefined> = {};
  for (const { name } of factors) {
    const places = placesIn(result, name);
    const wanted = asked.get(name);
    fixed[name] =
      places.includes(undefined) && wanted === WITHOUT ? undefined : places.find((place) => keyOf(place) === wanted);
    if (wanted === null || (fixed[name] === undefined && wanted !== WITHOUT))
      fixed[name] = firstOf(result, name, fixed);
  }
  return [
    fixed,
    (name, level) => {
      asked.set(name, level);
      setChosen(asked.toString());
    },
  ];
}

/** For a factor with a condition, a level that fits the others. */
const firstOf = (
  { cells }: SessionResult,
  name: string,
  fixed: Readonly<Record<string, Scalar | undefined>>,
): Scalar | undefined =>
  cells.find(({ levels }) =>
    Object.entries(fixed).every(([factor, level]) => factor === name || levels[factor] === level),
  )?.levels[name];
