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

/** Milliseconds that processes started by a file may take to end after it. */
const GRACE = 15_000;
const POLL_MS = 100;

export interface Admissions {
  /** Environment that runners need. */
  readonly env: NodeJS.ProcessEnv;
  /** Measured times of files; empty if CPU cannot be measured. */
  readonly timings: () => Timings;
  /** Processes that files have left behind, as sentences by file; empties the list. Resolves when all files have been checked. */
  readonly leftovers: () => Promise<ReadonlyMap<string, string>>;
  readonly close: () => void;
}

interface Work extends Request {
  readonly socket: Socket;
}

/** A process that runs files, one after the other. */
interface TestProcess {
  readonly group: Group;
  /** The current file, or the last one. */
  file: string;
  /** While processes of its last file are ending, the next one waits. */
  isClearing: boolean;
  /** Resolves when it has ended, with everything that it started. */
  readonly gone: Promise<void>;
}

/**
 * Tests of all runners ask here before they start. Each file has its own state folder, and each test process, which may run several files, is in a
 * group with everything that it starts. `cores`: how many all files together may keep busy.
 */
export async function openAdmissions(known: Timings, cores: number): Promise<Admissions> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-tests-'));
  const address = path.join(folder, 'admission');
  const makeGroup = groupMaker();
  const processes = new Map<number, TestProcess>();
  const waiting = new Set<Work>();
  const running = new Set<Work>();
  const timings = new Map<string, Timing>();
  const leftovers = new Map<string, string>();
  let count = 0;

  const startSome = (): void => {
    const ready = [...waiting].filter(({ pid }) => processes.get(pid)?.isClearing !== true);
    for (const work of admitted(ready, [...running], { timings: known, cores })) {
      waiting.delete(work);
      running.add(work);
      start(work);
    }
  };
  const start = (work: Work): void => {
    count += 1;
    const own = path.join(folder, String(work.pid));
    const state = path.join(own, String(count));
    mkdirSync(state, { recursive: true });
    const tested = processOf(work, own);
    const { group } = tested;
    const [before, began] = [group.used?.(), performance.now()];
    work.socket.on('close', () => {
      running.delete(work);
      const after = group.used?.();
      if (before && after) note(work.file, (performance.now() - began) / 1000, before, after);
      if (!work.lasting) void clearFile(work, tested);
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
  const processOf = ({ pid, file }: Work, own: string): TestProcess => {
    const present = processes.get(pid);
    if (present) {
      present.file = file;
      return present;
    }
    const group = makeGroup(pid, own);
    const made = { group, file, isClearing: false, gone: clearAfter(pid, group) };
    processes.set(pid, made);
    return made;
  };
  const clearFile = async ({ pid, file }: Work, tested: TestProcess): Promise<void> => {
    tested.isClearing = true;
    await clear(pid, tested.group, file);
    tested.isClearing = false;
    startSome();
  };
  /** Waits for the end of all processes of a group except its own, and ends remaining ones. */
  const clear = async (pid: number, group: Group, file: string): Promise<void> => {
    const others = (): number[] => group.pids().filter((each) => each !== pid);
    const limit = performance.now() + GRACE;
    while (others().length > 0 && performance.now() < limit) await delay(POLL_MS);
    const names = others().map(commandOf);
    if (names.length > 0) leftovers.set(file, `It left processes behind: ${names.join('; ')}`);
    while (others().length > 0) {
      others().forEach(end);
      await delay(POLL_MS);
    }
  };
  const clearAfter = async (pid: number, group: Group): Promise<void> => {
    while (isAlive(pid) || processes.get(pid)?.isClearing) await delay(POLL_MS);
    await clear(pid, group, processes.get(pid)?.file ?? '');
    group.remove();
    // Process ids are reused: the next one with this id has its own group.
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
      const found = new Map(leftovers);
      leftovers.clear();
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

/** Text of a file of a process, which may have ended. */
function textOf(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
