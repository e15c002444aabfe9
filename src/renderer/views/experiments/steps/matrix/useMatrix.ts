import { useMemo, useRef } from 'react';
import type { Factor } from '../../../../../shared/model/experiment.ts';
import type { ChangeCost } from '../../../../../shared/model/factor.ts';
import { useCall } from '../../../../client/index.ts';
import { readFields } from '../../../../forms/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import type { MatrixContext } from './kinds.ts';

/** What the matrix is drawn from: kinds of factors, and everything that levels are picked from. */
export function useMatrixContext({ experiment, tools }: Pick<StepProperties, 'experiment' | 'tools'>): MatrixContext {
  const { data: kinds = [] } = useCall('experiments.factorKinds', {});
  const { data: hosts = [] } = useCall('hosts.list', {});
  const { data: targets = [] } = useCall('targets.list', {});
  const tool = tools.find((entry) => entry.id === experiment.workload.tool);
  const options = useMemo(() => readFields(tool?.options ?? {}), [tool]);
  const generator = hosts.find(({ spec }) => spec.name === experiment.where.generators[0]);
  const facts = useCall('hosts.facts', { id: generator?.id ?? 0 }, { enabled: generator !== undefined }).data?.facts;
  const cpus = facts?.cpuCount;
  return useMemo(
    () => ({ experiment, tool, options, kinds, hosts, targets, cpus }),
    [experiment, tool, options, kinds, hosts, targets, cpus],
  );
}

/** What a change of a factor takes, as it was last told: while a document is being checked, or has problems, nothing is told anew. */
export function useChangeCosts(checked: StepProperties['state']['checked']) {
  const known = useRef(new Map<string, ChangeCost>());
  checked?.changeCosts?.forEach((cost, index) => {
    const factor = checked.experiment?.factors[index];
    if (factor) known.current.set(keyOf(factor), cost);
  });
  return (factor: Factor): ChangeCost | undefined => known.current.get(keyOf(factor));
}

const keyOf = ({ name, kind }: Factor): string => `${kind} ${name}`;
