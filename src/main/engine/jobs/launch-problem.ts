import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { oddAnswer, type Reply } from './protocol.ts';

/** What the host's last reply means when it is not the one that was wanted. `program`: what was to be started. */
export function launchProblem(machine: Machine, program: string, replies: readonly Reply[]): KneepointError {
  const host = machine.name;
  const answer = replies.at(-1);
  const safe = 'Nothing was started.';
  switch (answer?.word) {
    case 'tool-missing':
      return new KneepointError({
        code: 'tool-missing',
        host,
        message: `${program} was not found on ${host}, or may not be executed there. Searched in: ${answer.rest}.`,
        safe,
        next: `Install it on ${host}, or add its folder to the PATH of the account.`,
      });
    case 'no-room':
      return new KneepointError({
        code: 'disk-full',
        host,
        message: `The files of the job could not be written on ${host}: ${answer.rest || 'no space left'}.`,
        safe,
        next: `Free some space (or i-nodes, or quota) in the state folder of the account on ${host}, then start again.`,
      });
    case 'no-directory': {
      const tried = replies.filter((reply) => reply.word === 'tried').map((reply) => reply.rest);
      return new KneepointError({
        code: 'host-refused',
        host,
        message: `No folder for the job could be made on ${host}. Tried: ${tried.join('; ')}.`,
        safe,
        next: 'Give the account a home directory it can write to, or set XDG_STATE_HOME for it.',
        details: { tried },
      });
    }
    case 'broken':
      return new KneepointError({
        code: 'job-lost',
        host,
        message: `The supervisor of the job did not start on ${host}${answer.rest ? `: ${answer.rest}` : '.'}`,
        safe: 'The tool was not started.',
        next: 'Start the trial again; if it happens again, look at the load and the disks of the host.',
      });
    default:
      return oddAnswer(host, answer);
  }
}
