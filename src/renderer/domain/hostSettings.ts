import type { HostFacts } from '../../shared/model/host.ts';
import type { Pair } from '../ui/index.ts';

/** Settings of a host that affect results, under the names of the factors that set them. */
export const hostSettings = (facts: HostFacts): Pair[] => [
  ['CPU governor', facts.cpuGovernor],
  ['CPU boost', facts.cpuBoost === undefined ? undefined : facts.cpuBoost ? 'on' : 'off'],
  ['CPU features', facts.cpuFeatures?.join(' ')],
  ['Transparent huge pages', facts.hugePages],
];
