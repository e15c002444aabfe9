import { IconGridDots } from '@tabler/icons-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Experiment, Factor } from '../../../../../shared/model/experiment.ts';
import type { ChangeCost, FactorKindInfo } from '../../../../../shared/model/factor.ts';
import type { Host } from '../../../../../shared/model/host.ts';
import type { Target } from '../../../../../shared/model/target.ts';
import { useCall } from '../../../../client/index.ts';
import { readFields } from '../../../../forms/index.ts';
import { EmptyState, Panel } from '../../../../ui/index.ts';
import type { StepProperties } from '../../document/steps.ts';
import { CellsPanel } from './cells/CellsPanel.tsx';
import { AddFactor } from './factor/AddFactor.tsx';
import { FactorColumns, TestedChoice } from './factor/FactorColumns.tsx';
import { NewFactor } from './factor/NewFactor.tsx';
import { withFactors } from './factors.ts';
import type { MatrixContext } from './kinds.ts';
import { factorOf, type Proposal } from './newFactor.ts';
import { FactorPanel } from './set/FactorPanel.tsx';

const NONE = [] as const;

/** Factors, and the combinations to run. */
export function MatrixStep({ experiment, state, tools, edit }: StepProperties) {
  const context = useMatrixContext({ experiment, tools });
  const costOf = useChangeCosts(state.checked);
  const testable = useTestable(state.checked, experiment.factors);
  const [opened, setOpened] = useState<number>();
  const [asked, setAsked] = useState<Proposal>();
  const [sets, setSets] = useState<Proposal>();
  const problems = state.checked?.problems ?? NONE;
  const { factors } = experiment;
  const add = (factor: Factor): void => {
    setAsked(undefined);
    setSets(undefined);
    edit((now) => withFactors(now, [...now.factors, factor]));
  };
  const pick = useCallback((proposal: Proposal) => {
    setAsked(proposal.sets ? undefined : proposal);
    setSets(proposal.sets ? proposal : undefined);
  }, []);
  return (
    <>
      <Panel
        title="Factors"
        note="Every combination of their levels is a cell."
        actions={<AddFactor context={context} onPick={pick} />}
        flush
      >
        {asked && (
          <NewFactor
            key={asked.id}
            context={context}
            proposal={asked}
            onCancel={() => setAsked(undefined)}
            onAdd={add}
          />
        )}
        {factors.length === 0 ? (
          asked === undefined && (
            <EmptyState icon={<IconGridDots size={28} stroke={1.4} />} title="No factors yet">
              Without factors there is one cell: the workload itself. Vary a tool option, such as threads, or the
              server, its settings or its host.
            </EmptyState>
          )
        ) : (
          <>
            {testable.length > 1 && (
              <TestedChoice names={testable} chosen={factors.find(({ tested }) => tested)?.name} edit={edit} />
            )}
            <FactorColumns context={context} problems={problems} costOf={costOf} edit={edit} onOpen={setOpened} />
          </>
        )}
      </Panel>
      <CellsPanel
        experiment={experiment}
        problems={problems}
        plan={state.busy ? undefined : state.checked?.plan}
        edit={edit}
      />
      {sets && (
        <NewSets
          key={sets.id}
          context={context}
          experiment={experiment}
          proposal={sets}
          onAdd={add}
          onCancel={() => setSets(undefined)}
        />
      )}
      {opened !== undefined && (
        <FactorPanel
          context={context}
          index={opened}
          problems={problems.filter(
            ({ path }) => path === `factors.${opened}` || path.startsWith(`factors.${opened}.`),
          )}
          edit={edit}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

const NO_KINDS: readonly FactorKindInfo[] = [];
const NO_HOSTS: readonly Host[] = [];
const NO_TARGETS: readonly Target[] = [];

/** Data for the matrix: kinds of factors, and all sources of levels. */
function useMatrixContext({ experiment, tools }: Pick<StepProperties, 'experiment' | 'tools'>): MatrixContext {
  const { data: kinds = NO_KINDS } = useCall('experiments.factorKinds', {});
  const { data: hosts = NO_HOSTS } = useCall('hosts.list', {});
  const { data: targets = NO_TARGETS } = useCall('targets.list', {});
  const tool = tools.find((entry) => entry.id === experiment.workload.tool);
  const options = useMemo(() => readFields(tool?.options ?? {}), [tool]);
  const generator = hosts.find(({ spec }) => spec.name === experiment.where.generators[0]);
  const facts = useCall('hosts.facts', { id: generator?.id ?? 0 }, { enabled: generator !== undefined }).data?.facts;
  const cpus = facts?.cpuCount;
  const server = targets.find(({ spec }) => spec.name === experiment.where.target)?.spec.server;
  const serverHost = hosts.find(({ spec }) => spec.name === server?.host);
  const ofServer = useCall('hosts.facts', { id: serverHost?.id ?? 0 }, { enabled: serverHost !== undefined });
  // Without a target, they apply to the generator.
  const host = experiment.where.target === undefined ? facts : ofServer.data?.facts;
  const { workload, where, factors, design, base, measure } = experiment;
  const varied = useMemo(
    () => ({ workload, where, factors, measure, ...(design && { design }), ...(base && { base }) }),
    [workload, where, factors, design, base, measure],
  );
  return useMemo(
    () => ({ experiment: varied, tool, options, kinds, hosts, targets, cpus, varied: host }),
    [varied, tool, options, kinds, hosts, targets, cpus, host],
  );
}

/** Cost of a change of a factor, as last reported: while a document is being checked, or has problems, there is no new report. */
function useChangeCosts(checked: StepProperties['state']['checked']) {
  const known = useRef(new Map<string, ChangeCost>());
  checked?.changeCosts?.forEach((cost, index) => {
    const factor = checked.experiment?.factors[index];
    if (factor) known.current.set(keyOf(factor), cost);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the known costs change with the checked document.
  return useCallback((factor: Factor): ChangeCost | undefined => known.current.get(keyOf(factor)), [checked]);
}

/** Possible factors under test, as last reported: while a document has problems they are kept. */
function useTestable(checked: StepProperties['state']['checked'], factors: readonly Factor[]): string[] {
  const known = useRef<readonly string[]>([]);
  if (checked?.testable) known.current = checked.testable;
  return known.current.filter((name) => factors.some((factor) => factor.name === name));
}

const keyOf = ({ name, kind }: Factor): string => `${kind} ${name}`;

interface Properties {
  context: MatrixContext;
  experiment: Experiment;
  proposal: Proposal;
  onAdd(factor: Factor): void;
  onCancel(): void;
}

/** A new factor whose levels are sets: it is added to the document once it has some. */
function NewSets({ context, experiment, proposal, onAdd, onCancel }: Properties) {
  const index = experiment.factors.length;
  const [draft, setDraft] = useState<Experiment>(() => ({
    ...experiment,
    factors: [...experiment.factors, factorOf(proposal, [], context)],
  }));
  const own = useMemo(() => ({ ...context, experiment: draft }), [context, draft]);
  const factor = draft.factors[index];
  const ready = factor !== undefined && factor.levels.length > 0;
  return (
    <FactorPanel
      context={own}
      index={index}
      problems={NONE}
      edit={setDraft}
      onClose={onCancel}
      onAdd={() => ready && onAdd(factor)}
    />
  );
}
