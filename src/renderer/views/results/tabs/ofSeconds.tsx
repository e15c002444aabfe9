import type { ReactNode } from 'react';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';

type Tab = (properties: TabProperties) => ReactNode;

/** A tab that needs seconds: for a figure of whole runs it shows the underlying metric. */
export const ofSeconds = (Shown: Tab): Tab =>
  function OfSeconds(properties) {
    const { overTime } = properties.result;
    return overTime === undefined ? (
      <Shown {...properties} />
    ) : (
      <OtherMetric {...properties} metric={overTime} Shown={Shown} />
    );
  };

function OtherMetric({ metric, Shown, ...properties }: TabProperties & { metric: string; Shown: Tab }) {
  const { id, warmup } = properties.state;
  const { step = 0 } = properties.result;
  const { data, error } = useCall('results.session', {
    ...{ sessionId: id, step, metric },
    ...(warmup !== undefined && { warmup }),
  });
  if (error) return <ProblemBanner problem={error.problem} />;
  if (!data || data.metric === null) return <BlockSkeleton height={420} />;
  return <Shown {...properties} result={data} />;
}
