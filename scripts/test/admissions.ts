import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMISSION, type Admission, type Request } from './admission.ts';
import { type Group, groupMaker, type Used } from './groups.ts';
import { admitted, type Timing, type Timings } from './schedule.ts';

/** Milliseconds that processes of a file have to end after the one that ran it. */
const GRACE = 15_000;
const LOOK_EVERY = 100;

export interface Admissions {
  /** What runners need in their environment. */
  readonly env: NodeJS.ProcessEnv;
  /** What files took so far; nothing where CPU cannot be measured. */
  readonly timings: () => Timings;
  /** Processes that files have left behind, as sentences by file; empties the list. Resolves when all files have been looked at. */
  readonly leftovers: () => Promise<ReadonlyMap<string, string>>;
  readonly close: () => void;
}

interface Work extends Request {
  readonly socket: Socket;
}

/**
 * Tests of all runners ask here before they start. Each file has a state folder of its own, and each test process is in a group with all that it
 * starts. `cores`: how many all files together may keep busy.
 */
export async function openAdmissions(known: Timings, cores: number): Promise<Admissions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-tests-'));
  const address = path.join(folder, 'admission');
  const makeGroup = groupMaker();
  const processes = new Map<number, { group: Group; file: string; gone: Promise<void> }>();
  const waiting = new Set<Work>();
  const running = new Set<Work>();
  const timings = new Map<string, Timing>();
  const left = new Map<string, string>();
  let count = 0;

  const startSome = (): void => {
    for (const work of admitted([...waiting], [...running], { timings: known, cores })) {
      waiting.delete(work);
      running.add(work);
      start(work);
    }
  };
  const start = (work: Work): void => {
    count += 1;
    const state = path.join(folder, String(count));
    mkdirSync(state);
    const group = groupFor(work, state);
    const [before, began] = [group.used?.(), performance.now()];
    work.socket.on('close', () => {
      running.delete(work);
      const after = group.used?.();
      if (before && after) note(work.file, (performance.now() - began) / 1000, before, after);
      startSome();
    });
    const admission: Admission = { state };
    work.socket.write(`${JSON.stringify(admission)}\n`);
  };
  const note = (file: string, took: number, before: Used, after: Used): void => {
    const { wall, cpu } = timings.get(file) ?? { wall: 0, cpu: 0 };
    const waited = after.waited - before.waited;
    timings.set(file, { wall: wall + Math.max(took - waited, 0), cpu: cpu + after.cpu - before.cpu });
  };
  const groupFor = ({ pid, file }: Work, state: string): Group => {
    const present = processes.get(pid);
    if (present) {
      present.file = file;
      return present.group;
    }
    const group = makeGroup(pid, state);
    processes.set(pid, { group, file, gone: clearAfter(pid, group) });
    return group;
  };
  const clearAfter = async (pid: number, group: Group): Promise<void> => {
    const others = (): number[] => group.pids().filter((each) => each !== pid);
    while (isAlive(pid)) await delay(LOOK_EVERY);
    const limit = performance.now() + GRACE;
    while (others().length > 0 && performance.now() < limit) await delay(LOOK_EVERY);
    const names = others().map(commandOf);
    if (names.length > 0) left.set(processes.get(pid)?.file ?? '', `It left processes behind: ${names.join('; ')}`);
    while (others().length > 0) {
      group.kill();
      await delay(LOOK_EVERY);
    }
    group.remove();
    // Numbers of processes are given again: the next one of this number has a group of its own.
    processes.delete(pid);
  };

  const server = createServer((socket) => {
    // A test process that dies may reset its connection; `close` follows.
    socket.on('error', () => {});
    createInterface(socket).once('line', (line) => {
      const work: Work = { ...(JSON.parse(line) as Request), socket };
      waiting.add(work);
      socket.on('close', () => waiting.delete(work));
      startSome();
    });
  });
  server.listen(address);
  await once(server, 'listening');
  return {
    env: { [ADMISSION]: address },
    timings: () => Object.fromEntries(timings),
    leftovers: async () => {
      await Promise.all([...processes.values()].map(({ gone }) => gone));
      processes.clear();
      const found = new Map(left);
      left.clear();
      return found;
    },
    close: () => {
      server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

const isAlive = (pid: number): boolean => !/^State:\s+[ZX]/m.test(textOf(`/proc/${pid}/status`, 'State: X'));

const commandOf = (pid: number): string =>
  `${pid} ${textOf(`/proc/${pid}/cmdline`, '').replaceAll('\0', ' ').trim().slice(0, 200)}`;

/** Of a file of a process, which may have ended. */
function textOf(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
