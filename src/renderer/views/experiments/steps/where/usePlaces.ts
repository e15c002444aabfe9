import { useCall } from '../../../../client/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import { problemsOfStep } from '../../document/steps.ts';
import { mayRunWithout } from './placeWords.tsx';

/** What the document names, as far as it is known: its tool, first generator and target, and what is open about them. */
export function usePlaces({ experiment: { workload, where }, state, tools }: Omit<StepProperties, 'edit'>) {
  const hosts = useCall('hosts.list', {});
  const targets = useCall('targets.list', {});
  const { data: kinds = [] } = useCall('targets.kinds', {});
  const tool = tools.find((entry) => entry.id === workload.tool);
  const generator = hosts.data?.find((host) => host.spec.name === where.generators[0]);
  const target = targets.data?.find((entry) => entry.spec.name === where.target);
  const facts = useCall('hosts.facts', { id: generator?.id ?? 0 }, { enabled: generator !== undefined }).data?.facts;
  const open = problemsOfStep(state.checked?.problems ?? [], 'where');
  const wanting = where.target === undefined && open.length > 0;
  return {
    hosts: hosts.data,
    targets: targets.data,
    problem: (hosts.error ?? targets.error)?.problem,
    tool,
    generator,
    target,
    facts,
    open,
    /** A target is needed and none is chosen. */
    wanting,
    without: !wanting && mayRunWithout(tool?.drives, kinds),
    kindOf: (name: string | undefined) => kinds.find(({ kind }) => kind === name),
    /** The tool on the generator, when it was last looked at. */
    presence: facts?.tools.find((entry) => entry.tool === tool?.id),
  };
}

export type Places = ReturnType<typeof usePlaces>;
