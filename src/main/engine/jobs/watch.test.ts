import { expect, it } from 'vitest';
import type { ExecResult, Machine } from '../hosts/machine.ts';
import { createWatches, type Watch } from './watch.ts';

const EVERY_MS = 20;

/** A machine on which each job runs forever; `looked` is called for each poll. */
const machineOf = (looked: (id: string) => void): Machine => {
  const never = (): never => {
    throw new Error('Nothing else is asked of it.');
  };
  return {
    name: 'host',
    ready: () => Promise.resolve(),
    exec: async (script): Promise<ExecResult> => {
      const [, nonce] = /nonce='?([0-9a-f]+)/.exec(script) ?? [];
      const [, id = ''] = /job_id='?([a-z]+)/.exec(script) ?? [];
      looked(id);
      return { code: 0, stdout: `@@${nonce} status ${id} running stdout=1 stderr=0 index=1\n`, stderr: '' };
    },
    ...{ spawn: never, dial: never, dialSocket: never, link: never },
  };
};

it('polls a job with recent output less often, until its output stops', async () => {
  const looks: Record<string, number> = { heard: 0, silent: 0 };
  let heard: Watch | undefined;
  let hasOutput = true;
  const enough = Promise.withResolvers<void>();
  const machine = machineOf((id) => {
    looks[id] = (looks[id] ?? 0) + 1;
    if (hasOutput) heard?.noteOutput();
    if (looks.silent === 40) enough.resolve();
  });
  const watches = createWatches(EVERY_MS, EVERY_MS);
  heard = watches.of(machine, 'heard');
  heard.noteOutput();
  const silent = watches.of(machine, 'silent');
  await enough.promise;
  expect(looks.heard).toBeGreaterThan(0);
  expect(looks.heard).toBeLessThan(30);
  hasOutput = false;
  const before = looks.heard ?? 0;
  while ((looks.heard ?? 0) < before + 3) await heard.next();
  silent.close();
  heard.close();
});

it('polls a job with recent output at once after a known event', async () => {
  const watches = createWatches(3_600_000, 3_600_000);
  const machine = machineOf(() => {});
  const watch = watches.of(machine, 'job');
  watch.noteOutput();
  const next = watch.next();
  watches.pollNow(machine, 'job');
  await next;
  watch.close();
});
