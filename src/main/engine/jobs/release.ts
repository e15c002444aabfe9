import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { ask, checkId, oddAnswer, type Reply } from './protocol.ts';
import { BEGAN, RELEASE } from './scripts/release.sh.ts';

/** Nanoseconds since 1970 do not fit into a number. */
const toNanoseconds = (ms: number): string => String(BigInt(Math.round(ms)) * 1_000_000n);
const toMilliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

export async function release(machine: Machine, id: string, hostMs: number, signal?: AbortSignal): Promise<number> {
  const values = { job_id: checkId(id), moment: toNanoseconds(hostMs) };
  const answer = (await ask(machine, RELEASE, values, { signal })).at(-1);
  if (answer?.word === 'no-room') {
    throw new KneepointError({
      code: 'disk-full',
      host: machine.name,
      message: `The start of the tool could not be recorded on ${machine.name}: no space is left for its job.`,
      safe: 'The tool was not started there.',
      next: `Free some space in the state folder of the account on ${machine.name}, then start again.`,
    });
  }
  return momentOf(machine, id, 'released', answer);
}

export async function began(machine: Machine, id: string, signal?: AbortSignal): Promise<number | undefined> {
  const answer = (await ask(machine, BEGAN, { job_id: checkId(id) }, { signal })).at(-1);
  return answer?.word === 'waiting' ? undefined : momentOf(machine, id, 'began', answer);
}

function momentOf(machine: Machine, id: string, word: string, answer: Reply | undefined): number {
  if (answer?.word === word && /^\d{15,20}$/.test(answer.rest)) return toMilliseconds(answer.rest);
  if (answer?.word !== 'gone') throw oddAnswer(machine.name, answer);
  throw new KneepointError({
    code: 'job-lost',
    host: machine.name,
    message: `The folder of the job ${id} no longer exists on ${machine.name}, or the name now leads to another machine.`,
    safe: 'What was recorded is kept.',
  });
}
