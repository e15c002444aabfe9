import {
  isKnown,
  isShortForOthers,
  meanIn,
  type RunEvidence,
  seriesNamed,
  type WatchedHost,
} from '../../analysis/index.ts';
import type { Finding } from '../../model/finding.ts';
import { formatFigure } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** MiB/s in either direction, on average. */
const LEAST = 0.5;

const SWAPPING = {
  code: 'swapping',
  title: 'Swapping',
  severity: 'warn',
  when: 'run',
  traps: ['T05', 'T79'],
  why: 'Memory did not hold what was used, and pages went to swap and came back during the run. Latencies are then partly those of the swap device.',
  avoid: 'Lower the cache of the server or the number of connections, or add memory.',
} satisfies PlainCheck;

export const memoryFindings = ({ hosts, window }: RunEvidence): Finding[] =>
  hosts.flatMap((host) => swapFindings(host, window));

function swapFindings(host: WatchedHost, window: RunEvidence['window']): Finding[] {
  const [back, out] = ['vm.swap_in_mib_s', 'vm.swap_out_mib_s'].map((id) => {
    const series = seriesNamed(host, id);
    return isKnown(series, window) ? meanIn(series, window) : 0;
  }) as [number, number];
  if (back + out < LEAST) return [];
  const message = `${host.name} moved ${formatFigure(out, 1)} MiB/s to swap and ${formatFigure(back, 1)} MiB/s back.${isShortForOthers(host, window) ? ' Load tool and server waited for next to none of these pages: other processes are short of memory.' : ''}`;
  return [found(SWAPPING, message, `${host.name}: vm.swap_out_mib_s, vm.swap_in_mib_s`)];
}

export const MEMORY_CHECKS = [SWAPPING];
