import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/finding.ts';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { recoverySentences } from '../../../shared/stats/index.ts';
import { normalFrom } from '../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { openStore } from '../store/open.ts';
import type { RunRow, Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { judging } from './judgement.ts';
import { momentComparisons } from './moments.ts';
import { atOnce } from './testing/at-once.ts';

const START = 1_800_000_000_000;
const SEED = 25_018;
const STATEMENTS: SeriesRule = {
  ...{ id: 'statements', label: 'Statements', unit: 'per s', lane: 'statements', digits: 0, means: 'statements' },
  reading: { kind: 'rate', of: ['questions'] },
  own: { direct: 2, onHost: 11 },
};
const BUSY: SeriesRule = {
  ...{ id: 'cpu.busy', label: 'CPU busy', unit: '%', lane: 'cpu' },
  reading: { kind: 'gauge', of: ['busy'] },
};
const rulesOf = (source: { kind: string }): SeriesRule[] => [source.kind === 'server' ? STATEMENTS : BUSY];

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let run: RunRow;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  const id = firstRun(store);
  const ended = { state: 'done', startedAt: START, endedAt: START + 600_000, warmup: 0, duration: 600 } as const;
  run = store.runs.update(id, ended);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** Ten minutes of a host and its server: CPU halves at second 300; the server is silent in a stretch, and restarts after it unless `continues`. */
function watch(
  silent: readonly [number, number],
  kinds: readonly ('host' | 'server')[] = ['host', 'server'],
  continues = false,
  load = (_second: number): number => 1000,
): void {
  const normal = normalFrom(randomFrom(SEED));
  const seconds = Array.from({ length: 600 }, (_, second) => second);
  const sourceOf = (kind: 'host' | 'server', name: string): number =>
    store.sources.ensure(run.sessionId, { kind, name, position: 0 }).id;
  if (kinds.includes('host')) {
    const rows = seconds.map((second) => ({
      t: START / 1000 + second,
      metrics: { busy: (second < 300 ? 60 : 30) + normal() },
    }));
    store.monitored.ingest({ sourceId: sourceOf('host', 'db1'), rows });
  }
  if (!kinds.includes('server')) return;
  let questions = 0;
  const rows = seconds.flatMap((second) => {
    const isSilent = second >= silent[0] && second < silent[1];
    // It counts from zero after its restart.
    questions = isSilent && !continues ? 0 : questions + Math.round(load(second) * (1 + normal() / 100));
    return isSilent ? [] : [{ t: START / 1000 + second, metrics: { questions } }];
  });
  store.monitored.ingest({ sourceId: sourceOf('server', 'shop'), rows });
}
/** The connection to the server fails repeatedly. */
const refuses = (): void => store.sources.setProblem(serverId(), 'The connection was refused.');
/** Read by its own client on its host; otherwise over Kneepoint's connection. */
const readOnHost = (): void => store.sources.setAbout(serverId(), { host: 'db1' });
const serverId = (): number =>
  store.sources.ofSession(run.sessionId).find(({ kind }) => kind === 'server')?.id ?? Number.NaN;
const happens = (kind: 'note' | 'scenario', second: number, message: string): void => {
  const { id: runId, sessionId } = run;
  store.events.add({ sessionId, runId, kind, at: START + second * 1000, t: second, level: 'note', message });
};
const found = (): Finding[] => atOnce(judging(store, run, { facts: { hosts: [], load: [] }, rulesOf }))?.findings ?? [];
const effects = (): string[] => found().flatMap(({ code, message }) => (code === 'scenario-effect' ? [message] : []));
const recoveries = () => recoverySentences([{ levels: {}, findings: found() }]);
const moments = (isOffered = true) => momentComparisons(store, run.sessionId, rulesOf, () => isOffered);

describe('an event in a run that only monitors', () => {
  it('is described by the statements of the server: the depth of their drop and the time of recovery', () => {
    watch([200, 220]);
    happens('scenario', 200, 'The server of “shop” is killed.');
    const [effect, ...others] = effects();
    expect(others).toEqual([]);
    expect(effect).toMatch(
      /^Second 200: The server of “shop” is killed\. Statements of “shop” \(per s\) fell at once from (1,00\d|99\d) to 0, by 100 %, and recovered after 2[01] s\. That is about (19|20|21),\d{3} statements fewer than at the rate before\.$/,
    );
    expect(recoveries()).toEqual([
      expect.stringMatching(/^Time to recover: 2[01] s\. Second 200: The server of “shop” is killed\.$/),
    ]);
  });

  it('left a server down if it does not respond until the end', () => {
    watch([200, 600]);
    refuses();
    happens('scenario', 200, 'The server of “shop” is stopped.');
    expect(effects()[0]).toMatch(/by 100 %, and had not recovered by the end or the next event\./);
    expect(recoveries()).toEqual([
      'Not recovered by the end or the next event. Second 200: The server of “shop” is stopped.',
    ]);
  });

  it('did nothing if only monitoring stopped: counters continued, and give the mean', () => {
    watch([200, 260], ['host', 'server'], true);
    happens('scenario', 200, 'A statement is sent.');
    expect(effects()).toEqual([
      expect.stringMatching(
        /Statements of “shop” \(per s\): no dip within 30 s of it; median (1,00\d|99\d) before, (1,00\d|99\d) after\.$/,
      ),
    ]);
    expect(recoveries()).toEqual([]);
  });

  it('is undetermined if nothing was read until the end and the server did not refuse', () => {
    watch([200, 600], ['host', 'server'], true);
    happens('scenario', 198, 'A statement is sent.');
    expect(effects()[0]).toContain('dip unknown because there are no samples for');
  });

  it('did not make the CPU of a host idle if no sample arrived', () => {
    const normal = normalFrom(randomFrom(SEED));
    const rows = Array.from({ length: 600 }, (_, second) => second)
      .filter((second) => second < 200 || second >= 220)
      .map((second) => ({ t: START / 1000 + second, metrics: { busy: 60 + normal() } }));
    const { id: sourceId } = store.sources.ensure(run.sessionId, { kind: 'host', name: 'db1', position: 0 });
    store.monitored.ingest({ sourceId, rows });
    happens('scenario', 205, 'A command is run.');
    expect(effects()).toEqual([
      expect.stringMatching(/CPU busy of “db1” \(%\): dip unknown because there are no samples for 15 s of the 30 s/),
    ]);
  });

  it('is described by the CPU of the host if no server was monitored, and only once', () => {
    watch([0, 0], ['host']);
    happens('scenario', 300, 'A command is run: systemctl stop shop');
    expect(effects()).toEqual([expect.stringMatching(/CPU busy of “db1” \(%\) fell at once from 60\S* to 2\d/)]);
    expect(effects()[0]).not.toContain('fewer');
    run = { ...run, findings: [{ code: 'scenario-effect', severity: 'note', message: 'Told by the tool.' }] };
    expect(effects()).toEqual([]);
  });
});

describe('a note in a monitored run', () => {
  it('has the ratio of each series after it to before it, the load first', () => {
    watch([0, 0]);
    happens('note', 305, 'upgrade');
    const [upgrade, ...others] = moments();
    expect(others).toEqual([]);
    expect(upgrade).toMatchObject({
      ...{ kind: 'note', message: 'upgrade', runId: run.id, before: { from: START, to: START + 295_000 } },
      after: { from: START + 315_000, to: START + 600_000 },
      series: [
        { id: 'statements', source: 'shop', isLoad: true, verdict: 'same', digits: 0 },
        { id: 'cpu.busy', source: 'db1', verdict: 'less' },
      ],
    });
    expect(upgrade?.series[1]?.ratio).toBeCloseTo(0.5, 1);
    expect(upgrade?.sentences).toEqual([
      expect.stringMatching(
        /^Statements of “shop”: 1,00\d → (1,00\d|99\d) per s, ×1\.00 \(\S+ to \S+\), the same within 3 %\.$/,
      ),
      'The load was the same, so the other ratios show the effect of the change.',
    ]);
  });

  it('does not take the maximum speed of a tool for its load', () => {
    watch([0, 0]);
    happens('note', 305, 'upgrade');
    const [upgrade] = moments(false);
    expect(upgrade?.sentences[1]).toBe('Throughput was the same within 3 %.');
    expect(upgrade?.series.map(({ id, isLoad }) => [id, isLoad])).toEqual([
      ['statements', undefined],
      ['cpu.busy', undefined],
    ]);
  });

  it('is compared up to the previous and the next note', () => {
    watch([0, 0]);
    happens('note', 100, 'first');
    happens('note', 305, 'second');
    happens('scenario', 500, 'third');
    const spans = moments().map(({ message, before, after }) => [
      message,
      ...[before.from, before.to, after.from, after.to].map((at) => (at - START) / 1000),
    ]);
    expect(spans).toEqual([
      ['first', 0, 90, 110, 295],
      ['second', 110, 295, 315, 500],
      ['third', 315, 500, 510, 600],
    ]);
    const busy = moments().map(({ series }) => series.find(({ id }) => id === 'cpu.busy')?.verdict);
    expect(busy).toEqual(['same', 'less', 'same']);
  });

  it('reports no load on a server that only Kneepoint uses', () => {
    // 11 statements per sample, then nine and ten: 18 % fewer, but all of them Kneepoint's own.
    watch([0, 0], undefined, false, (second) => (second < 300 ? 11 : second < 320 ? 9 : 10));
    readOnHost();
    happens('scenario', 300, 'A statement is sent.');
    expect(effects()).toEqual([
      'Second 300: A statement is sent. Statements of “shop” (per s): median 11 before, 10 after, about as many as Kneepoint itself sends, without load.',
    ]);
    expect(recoveries()).toEqual([]);
    const [moment] = moments();
    expect(moment?.series[0]).toMatchObject({ id: 'statements', verdict: 'not-known', isIdle: true });
    expect(moment?.series[0]).not.toHaveProperty('ratio');
    expect(moment?.sentences).toEqual([
      expect.stringMatching(/^Statements of “shop”: 11 → 10 per s, about as many as Kneepoint itself sends\.$/),
      'No load to compare: the other ratios describe an idle server.',
    ]);
  });

  it('has a load if others use the server on one side of it, and if Kneepoint uses only one connection', () => {
    watch([0, 0], undefined, false, (second) => (second < 300 ? 11 : 60));
    readOnHost();
    happens('note', 300, 'clients came');
    expect(moments()[0]?.series[0]).toMatchObject({ verdict: 'more' });
    expect(moments()[0]?.sentences[1]).toMatch(/^The load changed/);
    store.sources.setAbout(serverId(), {});
    expect(moments()[0]?.series[0]).not.toHaveProperty('isIdle');
  });

  it('outside any run or without monitoring has none, and reports that', () => {
    happens('note', 300, 'nothing was watched');
    store.events.add({
      sessionId: run.sessionId,
      kind: 'note',
      at: START - 60_000,
      level: 'note',
      message: 'too early',
    });
    expect(moments()).toMatchObject([{ series: [], sentences: [expect.stringContaining('Too few samples')] }]);
  });
});
