import { Button, Select } from '@mantine/core';
import { IconGridDots, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Experiment, Factor, Levels } from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { type Field, readFields, shownFields } from '../../../../forms/index.ts';
import { EmptyState, Panel } from '../../../../ui/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import { problemsBelow } from '../../document/steps.ts';
import { CellGrid } from './CellGrid.tsx';
import { countCombinations, moved, renamed, withExclude, withFactors } from './cells.ts';
import { FactorRow } from './FactorRow.tsx';
import { firstLevels } from './levels.ts';
import classes from './matrix.module.css';

/** What is varied, and which combinations are run. */
export function MatrixStep({ experiment, state, tools, edit }: StepProperties) {
  const { factors } = experiment;
  const tool = tools.find((entry) => entry.id === experiment.workload.tool);
  const fields = useMemo(() => readFields(tool?.options ?? {}), [tool]);
  const options = experiment.workload.options;
  // An option that a factor varies may show others: count them as applicable, too.
  const applicable = useMemo(() => shownFields(fields, options), [fields, options]);
  const free = applicable.filter((field) => !factors.some((factor) => optionOf(factor) === field.name));
  const problems = problemsBelow(state.checked?.problems ?? [], 'factors');
  const change = (next: Factor[]): void => edit((now) => withFactors(now, next));
  const add = (field: Field): void => {
    const inForce = options[field.name] ?? field.default;
    change([...factors, { name: field.name, kind: 'option', levels: firstLevels(field, inForce) }]);
  };
  const replace = (index: number, factor: Factor): void =>
    change(factors.map((old, place) => (place === index ? factor : old)));
  return (
    <>
      <Panel
        title="Factors"
        note="Each is an option of the tool that is varied; every combination of levels is a cell."
        flush
      >
        {factors.length === 0 ? (
          <EmptyState icon={<IconGridDots size={28} stroke={1.4} />} title="No factors yet">
            Without a factor there is one cell: the workload as it stands. Pick an option to vary, the number of threads
            for a start.
          </EmptyState>
        ) : (
          <ol className={classes.factors}>
            {factors.map((factor, index) => (
              <FactorRow
                key={optionOf(factor)}
                factor={factor}
                field={fields.find((field) => field.name === optionOf(factor))}
                options={[...fields.filter((field) => field.name === optionOf(factor)), ...free]}
                problem={problemOf(problems, index)}
                first={index === 0}
                last={index === factors.length - 1}
                onChange={(next) => replace(index, next)}
                onRename={(name) => edit((now) => renamed(now, index, name))}
                onMove={(by) => change(moved(factors, index, by))}
                onRemove={() => change(factors.filter((_, place) => place !== index))}
              />
            ))}
          </ol>
        )}
        <div className={classes.addFactor}>
          <AddFactor fields={free} onAdd={add} first={factors.length === 0} />
        </div>
      </Panel>
      <CellsPanel
        experiment={experiment}
        run={state.checked?.plan?.cells.length}
        onExclude={(exclude) => edit((now) => withExclude(now, exclude))}
      />
    </>
  );
}

interface CellsProperties {
  experiment: Experiment;
  /** How many cells run, where it is known. */
  run: number | undefined;
  onExclude(exclude: Levels[]): void;
}

const CellsPanel = ({ experiment: { factors, exclude }, run, onExclude }: CellsProperties) => (
  <Panel
    title="Cells"
    note={
      factors.length === 0 ? 'One cell' : `${cellsInWords(factors, run)} · click a cell, row or column to exclude it`
    }
    actions={
      exclude && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onExclude([])}>
          Include all
        </Button>
      )
    }
    flush
  >
    <CellGrid factors={factors} exclude={exclude ?? []} onChange={onExclude} />
  </Panel>
);

/** First message about the factor at `index`: about itself, its name, option or one of its levels. */
const problemOf = (problems: Readonly<Record<string, string>>, index: number): string | undefined =>
  Object.entries(problems).find(([path]) => path === String(index) || path.startsWith(`${index}.`))?.[1];

function AddFactor({ fields, onAdd, first }: { fields: readonly Field[]; onAdd(field: Field): void; first: boolean }) {
  const [search, setSearch] = useState('');
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const field of fields) {
    const group = field.group || 'Options';
    groups.set(group, [...(groups.get(group) ?? []), { value: field.name, label: `${field.title} (${field.name})` }]);
  }
  return (
    <Select
      aria-label="Add a factor"
      w={280}
      searchable
      leftSection={<IconPlus size={14} />}
      placeholder={first ? 'Vary an option…' : 'Vary another option…'}
      value={null}
      searchValue={search}
      onSearchChange={setSearch}
      maxDropdownHeight={360}
      nothingFoundMessage="No option matches."
      data={[...groups].map(([group, items]) => ({ group, items }))}
      onChange={(name) => {
        const field = fields.find((entry) => entry.name === name);
        if (field) onAdd(field);
        setSearch('');
      }}
    />
  );
}

/** How many cells run is known with the plan: while a point is open anywhere, there is none. */
const cellsInWords = (factors: readonly Factor[], run: number | undefined): string => {
  const all = formatCount(countCombinations(factors), 'combination');
  return run === undefined ? all : `${formatCount(run, 'cell')} of ${all} run`;
};
