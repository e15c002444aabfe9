import { IconGridDots } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState, Panel } from '../../../../ui/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import { CellsPanel } from './cells/CellsPanel.tsx';
import { AddFactor } from './factor/AddFactor.tsx';
import { FactorColumns } from './factor/FactorColumns.tsx';
import { withFactors } from './factors.ts';
import { FactorPanel } from './set/FactorPanel.tsx';
import { useChangeCosts, useMatrixContext } from './useMatrix.ts';

const NONE = [] as const;

/** What is varied, and which combinations are run. */
export function MatrixStep({ experiment, state, tools, edit }: StepProperties) {
  const context = useMatrixContext({ experiment, tools });
  const costOf = useChangeCosts(state.checked);
  const [opened, setOpened] = useState<number>();
  const problems = state.checked?.problems ?? NONE;
  const { factors } = experiment;
  return (
    <>
      <Panel
        title="Factors"
        note="Every combination of their levels is a cell."
        actions={
          <AddFactor
            context={context}
            onAdd={(factor, open) => {
              edit((now) => withFactors(now, [...now.factors, factor]));
              if (open) setOpened(factors.length);
            }}
          />
        }
        flush
      >
        {factors.length === 0 ? (
          <EmptyState icon={<IconGridDots size={28} stroke={1.4} />} title="No factors yet">
            Without a factor there is one cell: the workload as it stands. Vary an option of the tool, the number of
            threads for a start; or the server, its settings, its host.
          </EmptyState>
        ) : (
          <FactorColumns context={context} problems={problems} costOf={costOf} edit={edit} onOpen={setOpened} />
        )}
      </Panel>
      <CellsPanel
        experiment={experiment}
        problems={problems}
        plan={state.busy ? undefined : state.checked?.plan}
        edit={edit}
      />
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
