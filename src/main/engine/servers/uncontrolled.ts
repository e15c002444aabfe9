import type { Controlled } from './context.ts';
import type { Control } from './control.ts';
import { notPossible } from './problems.ts';

/** A server that Kneepoint may look at only. */
export function noControl(at: Controlled): Control {
  const no = (): Promise<never> =>
    Promise.reject(
      notPossible(
        at,
        `Kneepoint does not control the server of target “${at.spec.name}”: its target does not say how.`,
        'Edit the target: choose systemd, own commands, or a managed server as its control.',
      ),
    );
  return {
    kind: 'none',
    tellsEarlyEnd: false,
    present: () => Promise.resolve(undefined),
    start: no,
    stop: no,
    logEnd: () => Promise.resolve(''),
  };
}
