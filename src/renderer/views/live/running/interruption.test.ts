import { describe, expect, it } from 'vitest';
import type { LinkState } from '../../../../shared/model/host.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { gapOf, interruptionOf, interruptionWords } from './interruption.ts';

const run: Run = {
  ...{ id: 1, sessionId: 1, trial: 0, cell: 0, repeat: 0, levels: {}, state: 'running', warmup: 5, duration: 55 },
  ...{ summary: {}, findings: [], partial: false, seconds: 20 },
};
const link = (host: string, state: LinkState['state']): LinkState => ({ host, state, since: 9000 });
const connections = { engineLost: false, links: [link('load1', 'up')], generators: ['load1'], heardAt: 5000 };
const samples = (...lasts: number[]) =>
  lasts.map((last, generator) => ({ runId: 1, generator, t: Float64Array.of(1, last), columns: {} }));

describe('an interruption of the data', () => {
  it('lasts while a generator is unreachable, from its last seconds on', () => {
    expect(interruptionOf(run, connections, 60_000)).toBeUndefined();
    const links = [link('load1', 'down'), link('db1', 'down')];
    expect(interruptionOf(run, { ...connections, links }, 60_000)).toEqual({ since: 5000, hosts: ['load1'] });
    const again = [link('load1', 'connecting')];
    expect(interruptionOf(run, { ...connections, links: again, heardAt: undefined }, 60_000)?.since).toBe(9000);
  });
  it('lasts while the engine is unreachable, only while a tool runs', () => {
    const lost = { ...connections, engineLost: true };
    expect(interruptionOf(run, lost, 60_000)).toEqual({ since: 5000, hosts: [] });
    expect(interruptionOf({ ...run, state: 'done' }, lost, 60_000)).toBeUndefined();
    expect(interruptionOf({ ...run, state: 'launching' }, lost, 60_000)).toBeUndefined();
    expect(interruptionOf(undefined, lost, 60_000)).toBeUndefined();
  });
  it('names the hosts and the duration', () => {
    expect(interruptionWords({ since: 5000, hosts: ['load1', 'load2'] }, 47_000)).toMatch(
      /^No data from load1, load2 since \d\d:\d\d:05 \(42 s\)\./,
    );
  });
});

describe('the gap of an interruption', () => {
  it('extends from the last second of all generators to the end of the trial at most', () => {
    const interruption = { since: 5000, hosts: ['load1'] };
    expect(gapOf(run, samples(22, 20), interruption, 17_000)).toEqual({ from: 20, to: 32 });
    expect(gapOf(run, samples(20), interruption, 900_000)).toEqual({ from: 20, to: 60 });
    expect(gapOf(run, [], interruption, 17_000)).toBeUndefined();
  });
});
