import type { SampleDamage } from '../../../../shared/model/damage.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { GeneratorSeries } from '../../../../shared/model/result.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { corruptProblem, notFound } from '../file/problems.ts';
import type { RunRows } from '../tables/runs.ts';
import type { SourceRows } from '../tables/sources.ts';
import { columnReader, present } from './columns.ts';
import { type OnDamage, refuseDamage } from './damage.ts';
import { type Feed, type FeedKind, type Feeds, feedRows, generatorSource } from './feeds.ts';
import { metricIds } from './metric-ids.ts';
import { type MonitorRows, monitorRows } from './monitor-rows.ts';
import { type RawStreams, rawStreams } from './raw.ts';
import { rowTimes } from './row-times.ts';
import type { HostIndex, IngestBatch, SampleRows } from './sample-rows.ts';

const QUERIES = {
  runExists: 'SELECT 1 FROM run WHERE id = ?',
  digest: 'SELECT digest FROM run WHERE id = ?',
  setDigest: 'UPDATE run SET digest = ? WHERE id = ?',
  generators: `SELECT DISTINCT position FROM source WHERE kind = 'generator' AND id IN
    (SELECT source_id FROM feed WHERE run_id = :run UNION SELECT source_id FROM stream WHERE run_id = :run) ORDER BY position`,
  metrics: `SELECT metric.name FROM feed JOIN source ON source.id = source_id
    JOIN feed_metric ON feed_id = feed.id JOIN metric ON metric.id = metric_id
    WHERE run_id = ? AND feed.kind = 'samples' AND source.kind = 'generator' GROUP BY metric.id ORDER BY min(feed_metric.position), metric.id`,
};
const PIECE_BYTES = 1024 * 1024;

export function sampleRows(
  connection: Connection,
  { runs, sources }: { runs: RunRows; sources: SourceRows },
): { samples: SampleRows; monitored: MonitorRows } {
  const { db, write } = connection;
  const metrics = metricIds(connection);
  connection.onUndone = () => metrics.forget();
  const sourceOf = generatorSource(connection, sources);
  const feeds = feedRows(connection, metrics, sourceOf);
  const streams = rawStreams(connection, sourceOf);
  const columns = columnReader(connection, feeds);
  const metricsOfRun = db.prepare<[number], { name: string }>(QUERIES.metrics);
  const generators = db.prepare<[{ run: number }], number>(QUERIES.generators).pluck();
  const ingest = ingester(connection, { feeds, streams, runs });
  const seal = sealer(connection, { feeds, streams });

  const read = (
    runId: number,
    metric: string,
    generator: number | undefined,
    onDamage: (feed: { runId: number; generator: number }) => OnDamage,
  ): GeneratorSeries[] => {
    const id = metrics.find(metric);
    if (id === undefined) return [];
    return feeds
      .ofRun(runId, 'samples')
      .filter((feed) => generator === undefined || feed.generator === generator)
      .flatMap((feed) => {
        const known = metrics.ofFeed(feed.id).find((entry) => entry.id === id);
        if (known === undefined) return [];
        const { t, columns: values } = columns.read(feed, [known], 0, onDamage(feed));
        return [{ runId, generator: feed.generator, metric, ...present(t, values[0] ?? new Float64Array()) }];
      });
  };

  const monitored = monitorRows(connection, { feeds, metrics, columns, streams, times: rowTimes(connection, feeds) });
  const samples = guarded<SampleRows>(connection, {
    ingest(batch) {
      write(() => ingest(batch));
    },
    offset: (runId, generator, stream) => streams.find(runId, generator, stream)?.size ?? 0,
    count: (runId, generator) => feeds.find(runId, generator, 'samples')?.rows ?? 0,
    raw(runId, generator, name, offset = 0, limit = PIECE_BYTES) {
      const stream = streams.find(runId, generator, name);
      return stream === undefined ? new Uint8Array() : streams.read(stream, offset, limit);
    },
    rawSize: (runId, generator, stream) => streams.find(runId, generator, stream)?.size ?? 0,
    metrics: (runId) => metricsOfRun.all(runId).map((row) => row.name),
    generators: (runId) => generators.all({ run: runId }),
    progress: (runId) => feeds.ofRun(runId, 'samples').map(({ generator, rows }) => ({ generator, rows })),
    series: (runId, metric, generator) => read(runId, metric, generator, refuseDamage),
    readable(runId, metric, generator) {
      const damage: SampleDamage[] = [];
      const series = read(runId, metric, generator, (feed) => (lost) => {
        damage.push({ runId, generator: feed.generator, ...lost });
      });
      return { series, damage };
    },
    rows(runId, generator, first) {
      const feed = feeds.find(runId, generator, 'samples');
      if (feed === undefined) return { t: new Float64Array(), columns: {} };
      const known = metrics.ofFeed(feed.id);
      // A page that follows a run shows what is readable; results and exports report damage.
      const rows = columns.read(feed, known, first, () => {});
      const named = known.map((metric, index) => [metric.name, rows.columns[index] ?? new Float64Array()] as const);
      return { t: rows.t, columns: Object.fromEntries(named) };
    },
    index(runId, generator) {
      const feed = feeds.find(runId, generator, 'index');
      if (feed === undefined) return noIndex();
      const known = metrics.ofFeed(feed.id);
      const wanted = ['uptime', 'offset', 'next'].flatMap((name) => known.find((metric) => metric.name === name) ?? []);
      if (wanted.length < 3) return noIndex();
      const errors = known.find((metric) => metric.name === 'err');
      const { t, columns: read } = columns.read(feed, errors ? [...wanted, errors] : wanted, 0, refuseDamage(feed));
      const [uptime = none(), offset = none(), next = none(), err] = read;
      return { epoch: t, uptime, offset, next, ...(err && { err }) };
    },
    seal: (runId) => write(() => seal(runId)),
    clearSamples(runId) {
      write(() => {
        feeds.clear(runId, 'samples');
        runs.forgetOverview(runId);
      });
    },
  });
  return { samples, monitored };
}

const none = () => new Float64Array();
const noIndex = (): HostIndex => ({ epoch: none(), uptime: none(), offset: none(), next: none() });

function ingester({ db }: Connection, { feeds, streams, runs }: { feeds: Feeds; streams: RawStreams; runs: RunRows }) {
  const runExists = db.prepare<[number]>(QUERIES.runExists);
  const setDigest = db.prepare<[string | null, number]>(QUERIES.setDigest);
  const feedOf = (batch: IngestBatch, kind: FeedKind): Feed =>
    feeds.find(batch.runId, batch.generator, kind) ?? feeds.create(batch.runId, batch.generator, kind);
  return (batch: IngestBatch): void => {
    const { runId, generator } = batch;
    const known = streams.find(runId, generator, batch.stream);
    if (known === undefined && runExists.get(runId) === undefined) throw notFound('run', runId);
    const size = known?.size ?? 0;
    if (size !== batch.offset) throw wrongOffset(batch, size);
    if (batch.bytes.length > 0) {
      streams.append(known ?? streams.create(runId, generator, batch.stream), batch.bytes);
      // Sealing packs everything: if something is not packed yet, the digest was removed before.
      if (known === undefined || known.size === known.packed) setDigest.run(null, runId);
    }
    if (batch.samples.length > 0) feeds.append(feedOf(batch, 'samples'), batch.samples);
    if (batch.index !== undefined && batch.index.length > 0) {
      const lines = batch.index.map(({ epoch, ...metrics }) => ({ t: epoch, metrics }));
      feeds.append(feedOf(batch, 'index'), lines);
    }
    if (batch.run !== undefined) runs.update(runId, batch.run);
  };
}

function wrongOffset(batch: IngestBatch, stored: number): KneepointError {
  return new KneepointError({
    code: 'conflict',
    message: `Output of run ${batch.runId} (generator ${batch.generator}, ${batch.stream}) continues at byte ${stored}, but byte ${batch.offset} was received.`,
    run: batch.runId,
    safe: 'It was not stored; earlier data is unchanged.',
    next: `Fetch the output again, starting at byte ${stored}.`,
    details: { stored, offered: batch.offset },
  });
}

/** A run's digest consists of the output of `sha256sum` for each stream, by generator, stdout before stderr, separated by blanks. */
function sealer({ db, path }: Connection, { feeds, streams }: { feeds: Feeds; streams: RawStreams }) {
  const digestOf = db.prepare<[number], { digest: string | null }>(QUERIES.digest);
  const setDigest = db.prepare<[string | null, number]>(QUERIES.setDigest);
  return (runId: number): string => {
    const run = digestOf.get(runId);
    if (run === undefined) throw notFound('run', runId);
    for (const kind of ['samples', 'index'] as const) for (const feed of feeds.ofRun(runId, kind)) feeds.seal(feed);
    for (const stream of streams.ofRun(runId)) streams.pack(stream);
    const stored = streams.ofRun(runId);
    const digest = stored.map((stream) => streams.digest(stream)).join(' ');
    // Earlier versions used one digest over all streams.
    const same = run.digest === null || run.digest === digest || run.digest === streams.digestOfAll(stored);
    if (!same) {
      throw new KneepointError({
        ...corruptProblem(path, { stored: run.digest, computed: digest }),
        message: `The stored output of run ${runId} has changed since it was sealed: its digest differs.`,
        run: runId,
      });
    }
    setDigest.run(digest, runId);
    return digest;
  };
}
