import { KneepointError } from '../../../shared/model/problem.ts';
import { isSilent } from '../targets/index.ts';
import type { PreflightContext } from './state.ts';

/** The same error in better words where a target does not answer because its server, which Kneepoint can start, is not up. */
export async function inServerWords(
  { targets, servers }: Pick<PreflightContext, 'targets' | 'servers'>,
  target: string,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { server } = targets.spec(target);
  if (!isSilent(error) || !server || server.control.kind === 'none') return error;
  const state = await servers
    .of(target)
    .state(signal)
    .catch(() => 'running');
  if (state === 'running') return error;
  const isStarting = state === 'starting';
  return new KneepointError(
    {
      code: 'target-unreachable',
      target,
      host: server.host,
      message: isStarting
        ? `The server of target “${target}” on ${server.host} is starting, and does not take connections yet.`
        : `The server of target “${target}” on ${server.host} is stopped.`,
      next: isStarting
        ? 'Wait until it is up, then check again.'
        : 'Start it on the page of the target, or with “kneepoint target start”.',
    },
    { cause: error },
  );
}
