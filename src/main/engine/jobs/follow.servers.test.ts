import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame, expectSameBytes } from '../../../../scripts/test/recorded.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth } from '../../../shared/util/testing/depth.ts';
import { createJobs } from './index.ts';
import type { JobStatus } from './job.ts';
import { cutChannels } from './testing/faults.ts';
import {
  collect,
  type JobBed,
  KINDS,
  type Kind,
  kindsByDay,
  openJobBed,
  processesIn,
  removeWrittenTo,
  until,
} from './testing/job-bed.ts';

const SEED = Number(process.env.KNEEPOINT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const BURSTS = atDepth(80, 40);
/** Numbered lines in bursts, with binary data between them: 7 KB every 50 ms, and more until the test ends it. */
const CHATTER = `i=0
while [ $i -lt ${BURSTS} ] || [ ! -e enough ]; do
  i=$((i + 1)); n=0
  while [ $n -lt 250 ]; do n=$((n + 1)); echo "burst $i line $n 0123456789"; done
  printf '\\000\\377\\r%s' "no newline"
  echo "error $i" >&2
  sleep 0.04
done`;
const LINES = BURSTS * 250;
/** Maximum number of bytes before a channel is cut. */
const MOST = 60_000;
/** Sending processes that are killed or frozen. */
const FAULTS = atDepth(20, 8);

describe.each(kindsByDay('dash without setsid, perl, ps'))(`follow on $kind (KNEEPOINT_SEED=${SEED})`, (kind) => {
  let bed: JobBed;
  let random: () => number;
  beforeEach(async () => {
    bed = await openJobBed(kind);
    random = randomFrom(SEED);
  });
  afterEach(() => bed.close());

  const all = (id: string, offset = 0) =>
    collect(bed.jobs.follow(bed.machine, id, 'stdout', offset, new AbortController().signal), offset);
  const failure = (id: string) => all(id).then(() => undefined, problemOf);

  it('delivers every byte of an ended job, from any offset, and ends', async () => {
    const spec = bed.spec('echo 0123456789; echo error >&2');
    await bed.run(spec);
    const { signal } = new AbortController();
    for (const [offset, text] of [
      [0, '0123456789\n'],
      [4, '456789\n'],
      [11, ''],
    ] as const)
      expectSameBytes(await all(spec.id, offset), Buffer.from(text));
    const errors = await collect(bed.jobs.follow(bed.machine, spec.id, 'stderr', 0, signal));
    expectSameBytes(errors, Buffer.from('error\n'));
    const index = await collect(bed.jobs.follow(bed.machine, spec.id, 'index', 0, signal));
    expectSameBytes(index, bed.read(spec.id, 'index'));
  });

  it('delivers each byte once although channels are cut anywhere and the reader is restarted', async () => {
    const spec = bed.spec(CHATTER);
    const faulty = cutChannels(bed.machine, random, MOST);
    await bed.jobs.launch(bed.machine, spec);
    writeFileSync(join(bed.directory(spec.id), 'files', 'enough'), '');
    const parts: Uint8Array[] = [];
    let committed = 0;
    let restarts = 0;
    for (let ended = false; !ended; ) {
      // A reader that dies after a random number of chunks; the next one reads again what it had not stored.
      let chunksLeft = restarts < 15 ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY;
      const reader = new AbortController();
      ended = true;
      for await (const chunk of bed.jobs.follow(faulty.machine, spec.id, 'stdout', committed, reader.signal)) {
        if (chunksLeft-- <= 0) {
          restarts++;
          ended = false;
          break;
        }
        expectSame('offset of a chunk', chunk.offset, committed);
        parts.push(chunk.bytes);
        committed += chunk.bytes.length;
      }
    }
    const source = bed.read(spec.id, 'stdout');
    expect(faulty.channels()).toBeGreaterThan(source.length / MOST);
    expectSameBytes(Buffer.concat(parts), source);
    expectSame('lines', source.toString('latin1').match(/burst/g)?.length, LINES);
  });

  it('continues when its sending processes are killed or frozen on the host', async () => {
    const spec = bed.spec(CHATTER);
    await bed.jobs.launch(bed.machine, spec);
    const delivered = all(spec.id);
    let faults = 0;
    const senders = () => {
      const there = processesIn(bed.directory(spec.id));
      return there
        .filter(({ command }) => /^\S*tail -c/.test(command))
        .flatMap(({ pid }) => {
          // When the shell has ended, its child has another parent that is not part of the test.
          const shell = there.find((each) => each.pid === parentOf(pid));
          return [{ pid, sends: true }, ...(shell ? [{ pid: shell.pid, sends: false }] : [])];
        });
    };
    const frozen: number[] = [];
    while (faults < FAULTS || (await bed.jobs.status(bed.machine, spec.id)).state === 'running') {
      if (faults === FAULTS) writeFileSync(join(bed.directory(spec.id), 'files', 'enough'), '');
      await delay(50 * random());
      const candidates = senders();
      const victim = candidates[Math.floor(random() * candidates.length)];
      if (!victim) continue;
      const freeze = random() < 0.2 && victim.sends;
      try {
        process.kill(victim.pid, freeze ? 'SIGSTOP' : 'SIGKILL');
        if (freeze) frozen.push(victim.pid);
        faults++;
      } catch (error) {
        // It ended before the signal.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
    expectSameBytes(await delivered, bed.read(spec.id, 'stdout'));
    for (const { pid } of senders()) if (frozen.includes(pid)) process.kill(pid, 'SIGCONT');
  });

  it('does not take a silent tool or a closed channel for the end, and leaves nothing behind when cancelled', async () => {
    const spec = bed.spec('echo first; while [ ! -e go ]; do sleep 0.1; done; echo last');
    await bed.jobs.launch(bed.machine, spec);
    const silent = cutChannels(bed.machine, () => 0, 0);
    const reader = new AbortController();
    const cancelled = collect(bed.jobs.follow(silent.machine, spec.id, 'stderr', 0, reader.signal)).catch(problemOf);
    const delivered = all(spec.id);
    await until(() =>
      processesIn(bed.directory(spec.id)).some(({ command }) => command.includes('tail')) ? true : undefined,
    );
    reader.abort();
    expect(await cancelled).toMatchObject({ code: 'cancelled' });
    writeFileSync(join(bed.directory(spec.id), 'files', 'go'), '');
    expectSameBytes(await delivered, Buffer.from('first\nlast\n'));
  });

  it('stops with a problem if the file was truncated, the directory removed, the host rebooted, or the supervisor killed', async () => {
    const script = 'echo up; echo and more; sleep 300';
    const specs = [bed.spec(script), bed.spec(script), bed.spec(script), bed.spec(script)] as const;
    const [cut, removed, restarted, killed] = specs;
    const launched = await Promise.all(specs.map((spec) => bed.jobs.launch(bed.machine, spec)));
    await Promise.all(specs.map(({ id }) => until(() => (bed.read(id, 'stdout').length === 12 ? true : undefined))));
    const failures = specs.map(({ id }) => failure(id));
    await until(() =>
      processesIn(bed.state).filter(({ command }) => /tail -c/.test(command)).length >= 4 ? true : undefined,
    );

    truncateSync(join(bed.directory(cut.id), 'stdout'), 3);
    expect(await failures[0]).toMatchObject({ code: 'job-lost', details: { state: 'replaced' } });
    // Atomically: a partly removed directory is a partly lost job.
    const away = `${bed.directory(removed.id)}.away`;
    renameSync(bed.directory(removed.id), away);
    expect(await failures[1]).toMatchObject({ code: 'job-lost', details: { state: 'gone' } });
    removeWrittenTo(away);
    const identity = join(bed.directory(restarted.id), 'identity');
    const text = readFileSync(identity, 'utf8');
    replaceFile(identity, text.replace(/[0-9a-f-]{36}/, 'another-boot'));
    expect(await failures[2]).toMatchObject({ code: 'job-lost', details: { state: 'rebooted' } });
    replaceFile(identity, text);
    process.kill(launched[3]?.pid ?? 0, 'SIGKILL');
    await bed.reach(killed.id, 'lost');
    await Promise.all([cut, restarted, killed].map(({ id }) => bed.jobs.stop(bed.machine, id)));
    expect(await failures[3]).toMatchObject({ code: 'job-lost', details: { state: 'lost' }, host: kind.kind });
  });
});

/** The shell of a channel, as the parent of a process it started. Undefined if it has ended meanwhile. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** Atomically: a reader sees the old or the new text. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

it('reports the end at once if the index is followed, however long its poll interval', async () => {
  const bed = await openJobBed(KINDS[0] as Kind);
  try {
    const rare = createJobs({ firstPollMs: 600_000, pollMs: 600_000 });
    const spec = bed.spec('until [ -e enough ]; do sleep 0.05; done; echo enough; exit 3');
    await rare.launch(bed.machine, spec);
    const { signal } = new AbortController();
    const ends: JobStatus[] = [];
    const onEnd = (status: JobStatus): number => ends.push(status);
    const text = collect(rare.follow(bed.machine, spec.id, 'stdout', 0, signal, { onEnd }));
    const index = collect(rare.follow(bed.machine, spec.id, 'index', 0, signal));
    writeFileSync(join(bed.directory(spec.id), 'files', 'enough'), '');
    expect((await text).toString()).toBe('enough\n');
    expect((await index).toString()).toMatch(/^[\d.]+ [\d.]+ 7 0 last\n$/m);
    expect(ends).toMatchObject([{ state: 'ended', stdout: 7, end: { code: 3 } }]);
  } finally {
    await bed.close();
  }
});
