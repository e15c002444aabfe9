import { Button, SegmentedControl, Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { metricOf } from '../../../../../../shared/metrics/index.ts';
import { countCombinations } from '../../../../../../shared/model/cells.ts';
import type { DocumentProblem, Experiment, Levels } from '../../../../../../shared/model/experiment.ts';
import type { Plan } from '../../../../../../shared/model/plan.ts';
import { formatCount, formatDateTime, formatShort } from '../../../../../../shared/util/format.ts';
import { useCall } from '../../../../../client/index.ts';
import { Panel } from '../../../../../ui/index.ts';
import { withDesign, withExclude, withOnly } from '../factors.ts';
import { withExcluded, withIncluded } from '../patterns.ts';
import { CellGrid } from './CellGrid.tsx';
import { type CellStyle, Legend } from './CellRow.tsx';
import classes from './cells.module.css';
import {
  type Area,
  areAllExcluded,
  countIn,
  dataOf,
  frameOf,
  gridOf,
  keyOf,
  patternsOf,
  wrongLevels,
} from './grid-model.ts';
import { Rules } from './Rules.tsx';

/** With more cells a preview is not useful, only slow. */
const MOST_SHOWN = 20_000;

interface Properties {
  experiment: Experiment;
  problems: readonly DocumentProblem[];
  /** Absent if there is none for the current document. */
  plan: Plan | undefined;
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Every combination, which of them are measured, and the design behind them. */
export function CellsPanel({ experiment, problems, plan, edit }: Properties) {
  const { factors, design, exclude, only } = experiment;
  const count = countCombinations(experiment, MOST_SHOWN);
  const run = plan?.cells.length;
  const all = formatCount(count, 'combination');
  const words = run === undefined ? all : `${formatCount(run, 'cell')} of ${all}`;
  return (
    <Panel
      title="Cells"
      note={factors.length === 0 ? 'One cell' : words}
      actions={
        factors.length > 0 && (
          <>
            {(exclude ?? only) && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                onClick={() => edit((now) => withOnly(withExclude(now, []), []))}
              >
                Include all
              </Button>
            )}
            <SegmentedControl
              aria-label="Design"
              value={design ?? 'full'}
              data={[
                { value: 'full', label: 'Every combination' },
                { value: 'one-at-a-time', label: 'One factor at a time' },
              ]}
              onChange={(next) =>
                edit((now) => withDesign(now, next === 'one-at-a-time' ? 'one-at-a-time' : undefined))
              }
            />
          </>
        )
      }
      flush
    >
      {factors.length === 0 && <p className={classes.words}>The only cell is the workload itself.</p>}
      {count > MOST_SHOWN && (
        <p className={classes.words}>
          More than {MOST_SHOWN.toLocaleString('en-US')} combinations are too many to draw, and to run: use fewer
          levels, or one factor at a time.
        </p>
      )}
      {factors.length > 0 && count <= MOST_SHOWN && (
        <Cells experiment={experiment} problems={problems} plan={plan} edit={edit} />
      )}
      <Rules experiment={experiment} edit={edit} />
    </Panel>
  );
}

function Cells({ experiment, problems, plan, edit }: Properties) {
  const { factors, design, base, exclude, only } = experiment;
  const [across, setAcross] = useState<string>();
  const [area, setArea] = useState<Area>();
  const [session, setSession] = useState<string>();
  const frame = useMemo(
    () => frameOf({ factors, ...(design && { design }), ...(base && { base }) }, across),
    [factors, design, base, across],
  );
  const wrong = useMemo(() => wrongLevels(factors, problems), [factors, problems]);
  const grid = useMemo(
    () => frame && gridOf(frame, { ...(only && { only }), ...(exclude && { exclude }) }, wrong),
    [frame, only, exclude, wrong],
  );
  const data = useMemo(() => dataOf(plan), [plan]);
  const result = useResult(experiment, session);
  const look = useMemo<CellStyle>(
    () => ({
      data: (levels) => data.get(keyOf(levels)),
      ...(result.figureOf && { result: result.figureOf }),
    }),
    [data, result.figureOf],
  );
  if (!grid) return null;
  const excludeCells = (patterns: readonly Levels[]): void =>
    edit((now) => withExclude(now, withExcluded(now.exclude ?? [], patterns)));
  const takeIn = (patterns: readonly Levels[]): void =>
    edit((now) =>
      withExclude(
        now,
        patterns.reduce<Levels[]>((left, pattern) => withIncluded(left, pattern, now.factors), now.exclude ?? []),
      ),
    );
  const toggle = (patterns: readonly Levels[]): void =>
    (areAllExcluded(grid, patterns) ? takeIn : excludeCells)(patterns);
  const marked = area && patternsOf(grid, area);
  return (
    <>
      <div className={classes.bar}>
        {marked && area ? (
          <>
            <b>{formatCount(countIn(grid, area), 'cell')} marked</b>
            <Button size="compact-sm" variant="default" onClick={() => excludeCells(marked)}>
              Exclude
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => takeIn(marked)}>
              Include
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                edit((now) => withOnly(now, marked));
                setArea(undefined);
              }}
            >
              Measure only these
            </Button>
            <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setArea(undefined)}>
              Clear
            </Button>
          </>
        ) : (
          <>
            {factors.length > 1 && (
              <Select
                aria-label="Factor across"
                w={170}
                allowDeselect={false}
                data={factors.map(({ name }) => ({ value: name, label: `Across: ${name}` }))}
                value={grid.across.name}
                onChange={(name) => setAcross(name ?? undefined)}
              />
            )}
            {result.sessions.length > 0 && (
              <Select
                aria-label="Cell values"
                w={240}
                placeholder="Show results of a session"
                clearable
                data={result.sessions.map(({ id, words }) => ({ value: String(id), label: words }))}
                value={session ?? null}
                onChange={(id) => setSession(id ?? undefined)}
              />
            )}
            <Legend grid={grid} data={data} unit={result.unit} />
          </>
        )}
      </div>
      <CellGrid
        grid={grid}
        look={look}
        area={area}
        onArea={setArea}
        onToggle={toggle}
        onToggleArea={() => marked && toggle(marked)}
      />
    </>
  );
}

/** Sessions of this experiment, and the figures of the one with the chosen id. */
function useResult({ name }: Experiment, chosen: string | undefined) {
  const { data: all = [] } = useCall('sessions.list', {});
  const sessions = useMemo(
    () =>
      all
        .filter(({ experiment, best, figuresFollow }) => experiment === name && (best !== undefined || figuresFollow))
        .map(({ id, name: words, createdAt }) => ({ id, words: `${words}, ${formatDateTime(createdAt)}` })),
    [all, name],
  );
  const { data } = useCall('results.session', { sessionId: Number(chosen) }, { enabled: chosen !== undefined });
  const figureOf = useMemo(() => {
    if (chosen === undefined || !data) return undefined;
    const values = data.cells.flatMap(({ value }) => value ?? []);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const byLevels = new Map(data.cells.map(({ levels, value }) => [keyOf(levels), value]));
    return (levels: Levels) => {
      const value = byLevels.get(keyOf(levels));
      return value === undefined
        ? undefined
        : { words: formatShort(value), share: high > low ? (value - low) / (high - low) : 1 };
    };
  }, [chosen, data]);
  const metric = data && data.metric !== null ? metricOf(data.metric) : undefined;
  return { sessions, figureOf, unit: figureOf && metric ? metric.unit : undefined };
}
