import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, collect, KINDS, openBench, until } from './testing/bench.ts';
import { seededRandom } from './testing/faults.ts';

const SEED = Number(process.env.KNEEPOINT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const TICKS = 150;
const TICKER = `i=0; while [ $i -lt ${TICKS} ]; do i=$((i + 1)); echo "tick $i"; echo "error $i" >&2; sleep 0.1; done`;

describe.each(KINDS.filter(({ server }) => server !== undefined))(
  `jobs over a bad link (KNEEPOINT_SEED=${SEED})`,
  (kind) => {
    let bench: Bench;
    let random: () => number;
    beforeEach(async () => {
      bench = await openBench(kind, { pollMs: 1_000 });
      random = seededRandom(SEED);
    });
    afterEach(() => bench.close());

    it('starts once though every launch loses its link', async () => {
      const spec = bench.spec(TICKER);
      let over = false;
      const kills = (async () => {
        for (let kill = 0; kill < 4; kill++) {
          await delay(random() * 400);
          bench.server?.signalSessions('SIGKILL');
        }
        over = true;
      })();
      let launched = 0;
      while (!over || launched === 0) {
        const outcome = await bench.jobs.launch(bench.machine, spec).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ problem: { code: 'host-unreachable' } });
        else launched++;
      }
      await kills;
      expect(await bench.jobs.launch(bench.machine, spec)).toMatchObject({ how: 'attached' });
      const firsts = () =>
        bench
          .read(spec.id, 'stdout')
          .toString()
          .match(/tick 1\n/g) ?? undefined;
      // The job is there before its tool has printed anything.
      await until(firsts);
      expect(await bench.jobs.stop(bench.machine, spec.id)).toEqual({ left: 0 });
      expect(firsts()).toHaveLength(1);
    });

    it('delivers every byte of both streams while sessions are killed and frozen and the server is away', async () => {
      const spec = bench.spec(TICKER);
      await bench.jobs.launch(bench.machine, spec);
      const { signal } = new AbortController();
      const stdout = collect(bench.jobs.follow(bench.machine, spec.id, 'stdout', 0, signal));
      const stderr = collect(bench.jobs.follow(bench.machine, spec.id, 'stderr', 0, signal));
      for (let fault = 0; fault < 8; fault++) {
        await delay(300 + random() * 700);
        bench.server?.signalSessions('SIGKILL');
      }
      bench.server?.signalSessions('SIGSTOP');
      await delay(3_000);
      bench.server?.signalSessions('SIGCONT');
      await bench.server?.stopListening();
      bench.server?.signalSessions('SIGKILL');
      await delay(1_000);
      await bench.server?.startListening();
      expect((await stdout).equals(bench.read(spec.id, 'stdout'))).toBe(true);
      expect((await stderr).equals(bench.read(spec.id, 'stderr'))).toBe(true);
      expect((await stdout).toString().trimEnd().split('\n')).toHaveLength(TICKS);
      const { end } = await bench.reach(spec.id, 'ended');
      expect(end).toMatchObject({ code: 0 });
    });
  },
);
