import { outsideOf } from '../src/main/computer/index.ts';
import { createEngine } from '../src/main/engine/index.ts';
import { type AppContract, contract } from '../src/shared/contract/index.ts';
import { connect } from '../src/shared/rpc/client.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { memoryTransports } from '../src/shared/rpc/transports.ts';

const AGAIN = 3;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

export interface Took {
  ms: number;
  /** CPU of the whole process, on all cores. */
  cpuMs: number;
}

export interface Answer {
  name: string;
  first: Took;
  /** The same request again, after some others. */
  again: Took;
}

/** Named requests, sent one after the other. */
export type Questions = (
  client: Client<AppContract>,
  sessionId: number,
) => readonly [string, () => Promise<unknown>][] | Promise<readonly [string, () => Promise<unknown>][]>;

/** Sends a page's requests to a new engine in this process. */
export async function askEngine(dataDir: string, sessionId: number, questions: Questions): Promise<Answer[]> {
  const engine = await createEngine({ ...outsideOf({ mode: 'test', dataDir, log: quiet }), resumeSessions: false });
  const [near, far] = memoryTransports();
  engine.serve(far);
  const client = connect(contract, near);
  await client.sessions.get({ id: sessionId });
  const answers: Answer[] = [];
  for (const [name, ask] of await questions(client, sessionId)) {
    const first = await timed(ask);
    const again: Took[] = [];
    for (let round = 0; round < AGAIN; round += 1) again.push(await timed(ask));
    answers.push({ name, first, again: again.sort((one, other) => one.ms - other.ms)[AGAIN >> 1] ?? first });
  }
  near.close();
  await engine.close();
  return answers;
}

async function timed(work: () => Promise<unknown>): Promise<Took> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}
