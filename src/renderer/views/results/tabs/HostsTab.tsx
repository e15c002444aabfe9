import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../../ui/index.ts';
import type { StepProperties } from '../useResults.ts';
import { SessionLanes } from './hosts/SessionLanes.tsx';
import { useHostsData } from './hosts/useHostsData.ts';

/** Activity of the tool, the hosts and the servers in the same second. */
export function HostsTab({ detail, result, state }: StepProperties) {
  const data = useHostsData(state.id, result, state.warmup);
  if (data.problem) return <ProblemBanner problem={data.problem} />;
  if (!data.asked) return <BlockSkeleton height={500} />;
  if (!data.axis) {
    return (
      <Panel>
        <EmptyState title="Nothing was monitored">
          No samples of hosts or servers. Choose hosts and servers to monitor in the experiment, under Measurement.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel label="Hosts">
      <SessionLanes {...{ detail, result, data }} axis={data.axis} onMeasure={state.setMeasure} />
    </Panel>
  );
}
