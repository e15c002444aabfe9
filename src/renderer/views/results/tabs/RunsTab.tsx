import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { distinctLevels } from '../../../../shared/chart-models/index.ts';
import { isSize, metricOf } from '../../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../../shared/model/derived.ts';
import { canariesOf, exclusionWords, isRepeatable, repeatWords } from '../../../../shared/model/repeats.ts';
import { ENDED_RUN, type Run } from '../../../../shared/model/session.ts';
import { factRows, runWords } from '../../../../shared/model/session-words.ts';
import { formatDateTime, formatLevels, formatShort, formatValue } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import {
  ExcludeRun,
  exitWords,
  FactsTable,
  FindingsList,
  GeneratorsTable,
  KeptCaptures,
  RawOutput,
  RepeatTrials,
  RunsTable,
} from '../../../domain/index.ts';
import { measureOfFigure } from '../../../domain/measures/choices.ts';
import { CodeBlock, KeyValueList, type Pair, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import { isOfStep, type StepProperties } from '../useResults.ts';
import { RunJudgement } from './judgement/RunJudgement.tsx';
import { StepOrAll } from './StepOrAll.tsx';

const NO_RUNS: readonly Run[] = [];
/** Height of the table: the rest of the window below head and tabs, or half of it above the details of a run. */
const WHOLE = 'max(280px, calc(100vh - 240px))';
const HEIGHT_WITH_DETAILS = 'max(240px, 42vh)';

/** Every trial as executed; one of them in full. */
export function RunsTab({ detail, result, state }: StepProperties) {
  const [parameters, setParameters] = useSearchParams();
  const query = useCall('sessions.runs', { id: state.id });
  const cell = parameters.get('cell');
  const all = query.data ?? NO_RUNS;
  const { step, setStep } = state;
  const runs = all.filter(
    (run) => (cell === null || run.cell === Number(cell)) && (step === undefined || isOfStep(run, step)),
  );
  const isCanary = canariesOf(detail.plan);
  const figures = new Map(
    result.cells.flatMap(({ runs: own, excluded = [] }) =>
      [...own, ...excluded].flatMap(({ runId, value }) => (value === undefined ? [] : [[runId, value] as const])),
    ),
  );
  const chosen = all.find((run) => run.id === Number(parameters.get('run'))) ?? (cell === null ? undefined : runs[0]);
  const put = (name: string, value?: string): void =>
    setParameters((now) => {
      const next = new URLSearchParams(now);
      if (value === undefined) next.delete(name);
      else next.set(name, value);
      return next;
    });
  if (query.error) return <ProblemBanner problem={query.error.problem} />;
  const levels = runs[0]?.levels ?? {};
  // The table has no columns for them.
  const constant = formatLevels(distinctLevels(result.factors, levels, { constant: true }));
  return (
    <>
      <Panel
        title="Runs"
        note={
          cell !== null
            ? `of the cell ${formatLevels(levels) || 'without factors'}`
            : constant && `all with ${constant}`
        }
        actions={
          <>
            <StepOrAll steps={detail.session.steps ?? []} step={step} onChange={setStep} />
            {cell === null ? null : (
              <Button variant="subtle" onClick={() => put('cell')}>
                Show all runs
              </Button>
            )}
          </>
        }
        flush
      >
        {query.data ? (
          <RunsTable
            runs={runs}
            factors={result.factors}
            metric={result.metric}
            figures={figures}
            onRun={(run) => put('run', String(run.id))}
            current={chosen?.id}
            isCanary={isCanary}
            maxHeight={chosen ? HEIGHT_WITH_DETAILS : WHOLE}
          />
        ) : (
          <TableSkeleton />
        )}
      </Panel>
      {chosen ? (
        <RunDetail
          key={chosen.id}
          run={chosen}
          runs={all}
          excluded={exclusionWords(chosen, all)}
          repeat={repeatWords(chosen, isCanary)}
          metric={result.metric}
          state={state}
        >
          {isRepeatable(chosen, all) ? <RepeatTrials session={detail.session} run={chosen} /> : null}
          {ENDED_RUN.includes(chosen.state) ? <ExcludeRun sessionId={state.id} run={chosen} /> : null}
        </RunDetail>
      ) : null}
    </>
  );
}

interface RunProperties {
  run: Run;
  /** All runs of the session. */
  runs: readonly Run[];
  /** Why it is excluded; undefined: it counts. */
  excluded: string | undefined;
  repeat: string;
  metric: string | null;
  state: StepProperties['state'];
  children: ReactNode;
}

function RunDetail({ run, runs, excluded, repeat, metric, state, children }: RunProperties) {
  return (
    <Panel
      title={`Trial ${run.trial + 1}`}
      note={[run.stepName, formatLevels(run.levels), repeat].filter(Boolean).join(' · ')}
      actions={children}
    >
      <div className="kp-run">
        {excluded ? (
          <ProblemBanner tone="idle" problem={{ message: excluded, safe: 'It is excluded from all figures.' }} />
        ) : null}
        {run.message ? (
          <ProblemBanner tone={run.state === 'failed' ? 'bad' : 'warn'} problem={{ message: run.message }} />
        ) : null}
        <RunJudgement state={state} runId={run.id} />
        {run.command ? <CodeBlock text={run.command} label="Copy the command line" /> : null}
        <div className="kp-split">
          <KeyValueList
            pairs={[
              ['State', runWords(run).word],
              ['Exit', exitWords(run.exit)],
              ['Started', formatDateTime(run.startedAt)],
              ['Ended', formatDateTime(run.endedAt)],
              ['Planned', `${run.warmup} s warm-up, ${run.duration} s measured`],
              ['Seconds stored', String(run.seconds)],
            ]}
          />
          <FinalFigures summary={run.summary} onMeasure={state.setMeasure} />
        </div>
        {run.facts ? <FactsTable rows={factRows([run])} /> : null}
        {run.generators && metric !== null ? <GeneratorsTable run={run} metric={metric} /> : null}
        {run.findings.length > 0 ? <FindingsList findings={run.findings} /> : null}
        <KeptCaptures run={run} runs={runs} sessionId={state.id} onMeasure={state.setMeasure} />
        <RawOutput run={run} maxHeight={280} />
      </div>
    </Panel>
  );
}

interface Properties {
  /** Final figures of a run, by metric id. */
  summary: Readonly<Record<string, number>>;
  /** Begins a measure of a figure. */
  onMeasure(measure: Partial<DerivedMeasure>): void;
}

/** The final figures of a run, also of single operations, queries, jobs, folders and devices; a click on one begins a measure of it. */
export const FinalFigures = ({ summary, onMeasure }: Properties) => (
  <KeyValueList pairs={Object.entries(summary).map((figure) => pairOf(figure, onMeasure))} />
);

/** An unregistered metric has the tool's own name, and a part of a run its name before it. */
function pairOf([id, value]: [string, number], onMeasure: Properties['onMeasure']): Pair {
  const metric = metricOf(id);
  const [label, words] =
    metric.unit || isSize(id) || id.includes(':')
      ? [metric.label, formatValue(value, metric)]
      : [id.replaceAll('_', ' '), formatShort(value)];
  const measure = measureOfFigure(id);
  if (!measure) return [label, words];
  return [
    label,
    <button
      key={id}
      type="button"
      className="kp-figure-button"
      title="Use as measure"
      aria-label={`Use as measure: ${label}, ${words}`}
      onClick={() => onMeasure(measure)}
    >
      {words}
    </button>,
  ];
}
