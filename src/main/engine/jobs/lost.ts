import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobStream } from './job.ts';

interface Where {
  machine: Machine;
  id: string;
  stream: JobStream;
}

const SAFE = 'Everything that was received before is kept.';

export const goneProblem = ({ machine, id }: Where): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message: `The files of the job ${id} are no longer on ${machine.name}: its folder was removed there, or the name now leads to another machine.`,
    safe: SAFE,
    next: 'Run the trial again.',
    details: { state: 'gone' },
  });

export const replacedProblem = ({ machine, id, stream }: Where, received: number, size?: number): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message:
      size === undefined
        ? `The file ${stream} of the job ${id} on ${machine.name} no longer holds what was received from it: it was replaced.`
        : `The file ${stream} of the job ${id} on ${machine.name} has ${size} bytes, but ${received} were received: it was cut or replaced.`,
    safe: `${SAFE} Nothing of the changed file is read.`,
    next: 'Find out who changed it, then run the trial again.',
    details: { state: 'replaced', received, size },
  });

export const unfinishedProblem = ({ machine, id }: Where, state: 'lost' | 'rebooted'): KneepointError =>
  new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message:
      state === 'rebooted'
        ? `${machine.name} was restarted while the job ${id} ran: how it would have ended is unknown.`
        : `The job ${id} on ${machine.name} ended without a record: its supervisor was killed, so the exit code is unknown.`,
    safe: 'Everything that the tool had written was received and is kept.',
    next: 'Run the trial again.',
    details: { state },
  });
