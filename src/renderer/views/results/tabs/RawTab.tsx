import { Button, Select } from '@mantine/core';
import type { Plan } from '../../../../shared/model/plan.ts';
import { canariesOf, repeatWords } from '../../../../shared/model/repeats.ts';
import { ENDED_RUN, type Run } from '../../../../shared/model/session.ts';
import { factRows } from '../../../../shared/model/session-words.ts';
import { formatLevels } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { FactsTable, RawOutput } from '../../../domain/index.ts';
import { EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import { useReparse } from '../useReparse.ts';
import { isOfStep, type StepProperties, useChoice } from '../useResults.ts';
import { StepOrAll } from './StepOrAll.tsx';

/** Output of the tool in each run. */
export function RawTab({ detail, state }: StepProperties) {
  const query = useCall('sessions.runs', { id: state.id });
  const [chosen, setChosen] = useChoice('run');
  const again = useReparse(state.id);
  if (query.error) return <ProblemBanner problem={query.error.problem} />;
  if (!query.data) return <TableSkeleton />;
  const { step, setStep } = state;
  const runs = query.data.filter((run) => run.startedAt !== undefined && (step === undefined || isOfStep(run, step)));
  const run = runs.find((entry) => String(entry.id) === chosen) ?? runs[0];
  return (
    <Panel
      title="Raw output"
      actions={
        <>
          <StepOrAll steps={detail.session.steps ?? []} step={step} onChange={setStep} />
          <RunSelect plan={detail.plan} runs={runs} run={run} onChange={(id) => setChosen(id ?? undefined)} />
          <Button
            variant="default"
            loading={again.busy}
            disabled={!run || !ENDED_RUN.includes(run.state)}
            title="Rebuilds samples and figures of this run from its raw output"
            onClick={() => run && again.start([run.id])}
          >
            Re-parse raw output
          </Button>
        </>
      }
    >
      {again.problem ? <ProblemBanner problem={again.problem} /> : null}
      {run?.facts ? <FactsTable rows={factRows([run])} /> : null}
      {run ? (
        <RawOutput key={run.id} run={run} following={run.endedAt === undefined} maxHeight={560} />
      ) : (
        <EmptyState title={step === undefined ? 'No trial has started yet' : 'No run of this step has started yet'}>
          Its unmodified output will appear here.
        </EmptyState>
      )}
    </Panel>
  );
}

interface RunSelectProperties {
  plan: Plan;
  runs: readonly Run[];
  run: Run | undefined;
  onChange(id: string | null): void;
}

const RunSelect = ({ plan, runs, run, onChange }: RunSelectProperties) => (
  <Select
    aria-label="Run"
    w={340}
    searchable
    allowDeselect={false}
    data={runs.map((entry) => ({
      value: String(entry.id),
      label: `Trial ${entry.trial + 1}: ${[entry.stepName, formatLevels(entry.levels), repeatWords(entry, canariesOf(plan))].filter(Boolean).join(', ')}`,
    }))}
    value={run ? String(run.id) : null}
    onChange={onChange}
  />
);
