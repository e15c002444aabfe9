import type { Machine } from '../hosts/machine.ts';
import type { JobStatus, JobStream } from './job.ts';
import { ask, checkId, type Reply, unexpectedAnswer } from './protocol.ts';
import { STATUS } from './scripts/status.sh.ts';

/** A status and the size of each file in bytes, now or when the job ended. */
export interface JobReport {
  status: JobStatus;
  sizes: Record<JobStream, number>;
}

/** A dozen short commands: a host that takes longer is stuck, and the next poll may succeed. */
const STATUS_LIMIT_MS = 15_000;

export async function fetchReport(machine: Machine, id: string, signal?: AbortSignal): Promise<JobReport> {
  const replies = await ask(machine, STATUS, { job_id: checkId(id) }, { signal, timeoutMs: STATUS_LIMIT_MS });
  return parseReport(machine, replies.at(-1));
}

function parseReport(machine: Machine, reply: Reply | undefined): JobReport {
  if (reply?.word === 'gone') return { status: { state: 'gone' }, sizes: noBytes() };
  if (reply?.word !== 'status') throw unexpectedAnswer(machine.name, reply);
  const [, state = '', ...pairs] = reply.rest.split(' ');
  const fields = new Map(pairs.map((pair) => splitPair(pair)));
  const number = (key: string): number => {
    const value = Number(fields.get(key));
    if (!fields.has(key) || !Number.isInteger(value)) throw unexpectedAnswer(machine.name, reply);
    return value;
  };
  const sizes = { stdout: number('stdout'), stderr: number('stderr'), index: number('index') };
  const { stdout, stderr } = sizes;
  switch (state) {
    case 'running':
      return { sizes, status: { state, stdout, stderr } };
    case 'lost':
      return {
        sizes,
        status: { state, stdout, stderr, tool: fields.get('tool') === 'alive' ? 'alive' : 'gone' },
      };
    case 'rebooted':
      return { sizes, status: { state, stdout, stderr } };
    case 'ended': {
      const ended = { stdout: number('end_stdout'), stderr: number('end_stderr'), index: number('end_index') };
      const cause = fields.get('cause');
      const end = { code: number('code'), at: number('at'), stdout: ended.stdout, stderr: ended.stderr };
      return {
        sizes: ended,
        status: { state, stdout, stderr, end: cause === undefined ? end : { ...end, cause } },
      };
    }
    default:
      throw unexpectedAnswer(machine.name, reply);
  }
}

const noBytes = () => ({ stdout: 0, stderr: 0, index: 0 });

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
}
