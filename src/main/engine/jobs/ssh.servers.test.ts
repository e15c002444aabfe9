import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSame, expectSameBytes } from '../../../../scripts/test/recorded.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { collect, type JobBed, KINDS, openJobBed, until } from './testing/job-bed.ts';

const SEED = Number(process.env.KNEEPOINT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const TICKS = 150;
const TICKER = `i=0; while [ $i -lt ${TICKS} ]; do i=$((i + 1)); echo "tick $i"; echo "error $i" >&2; sleep 0.1; done`;

describe.each(KINDS.filter(({ server }) => server !== undefined))(
  `jobs over a bad link (KNEEPOINT_SEED=${SEED})`,
  (kind) => {
    let bed: JobBed;
    let random: () => number;
    beforeEach(async () => {
      bed = await openJobBed(kind, { pollMs: 1_000 });
      random = randomFrom(SEED);
    });
    afterEach(() => bed.close());

    it('start once although every launch loses its link', async () => {
      const spec = bed.spec(TICKER);
      let over = false;
      const kills = (async () => {
        for (let kill = 0; kill < 4; kill++) {
          await delay(random() * 400);
          bed.server?.signalSessions('SIGKILL');
        }
        over = true;
      })();
      let launched = 0;
      while (!over || launched === 0) {
        const outcome = await bed.jobs.launch(bed.machine, spec).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ problem: { code: 'host-unreachable' } });
        else launched++;
      }
      await kills;
      expect(await bed.jobs.launch(bed.machine, spec)).toMatchObject({ how: 'attached' });
      const firsts = () =>
        bed
          .read(spec.id, 'stdout')
          .toString()
          .match(/tick 1\n/g) ?? undefined;
      // The job exists before its tool has printed anything.
      await until(firsts);
      expect(await bed.jobs.stop(bed.machine, spec.id)).toEqual({ left: 0 });
      expectSame('number of starts', firsts()?.length, 1);
    });

    it('deliver every byte of both streams although sessions are killed and frozen and the server is away', async () => {
      const spec = bed.spec(TICKER);
      await bed.jobs.launch(bed.machine, spec);
      const { signal } = new AbortController();
      const stdout = collect(bed.jobs.follow(bed.machine, spec.id, 'stdout', 0, signal));
      const stderr = collect(bed.jobs.follow(bed.machine, spec.id, 'stderr', 0, signal));
      for (let fault = 0; fault < 8; fault++) {
        await delay(300 + random() * 700);
        bed.server?.signalSessions('SIGKILL');
      }
      bed.server?.signalSessions('SIGSTOP');
      await delay(3_000);
      bed.server?.signalSessions('SIGCONT');
      await bed.server?.stopListening();
      bed.server?.signalSessions('SIGKILL');
      await delay(1_000);
      await bed.server?.startListening();
      expectSameBytes(await stdout, bed.read(spec.id, 'stdout'));
      expectSameBytes(await stderr, bed.read(spec.id, 'stderr'));
      expectSame('lines', (await stdout).toString().trimEnd().split('\n').length, TICKS);
      const { end } = await bed.reach(spec.id, 'ended');
      expect(end).toMatchObject({ code: 0 });
    });
  },
);
