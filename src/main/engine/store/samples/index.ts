import { createHash } from 'node:crypto';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { type Connection, guarded } from '../connection.ts';
import { corruptProblem, notFound } from '../problems.ts';
import type { IngestBatch, RunRows, SampleRows } from '../store.ts';
import { columnReader, present } from './columns.ts';
import { type Feed, type FeedKind, type Feeds, feedRows } from './feeds.ts';
import { metricIds } from './metric-ids.ts';
import { type RawStreams, rawStreams } from './raw.ts';

const QUERIES = {
  runExists: 'SELECT 1 FROM run WHERE id = ?',
  digest: 'SELECT digest FROM run WHERE id = ?',
  setDigest: 'UPDATE run SET digest = ? WHERE id = ?',
  generators:
    'SELECT generator FROM feed WHERE run_id = :run UNION SELECT generator FROM stream WHERE run_id = :run ORDER BY 1',
  metrics: `SELECT metric.name FROM feed JOIN feed_metric ON feed_id = feed.id JOIN metric ON metric.id = metric_id
    WHERE run_id = ? AND kind = 'samples' GROUP BY metric.id ORDER BY min(position), metric.id`,
};
const PIECE_BYTES = 1024 * 1024;

export function sampleRows(connection: Connection, runs: RunRows): SampleRows {
  const { db, write } = connection;
  const metrics = metricIds(connection);
  const feeds = feedRows(connection, metrics);
  const streams = rawStreams(connection);
  const columns = columnReader(connection, feeds);
  const metricsOfRun = db.prepare<[number], { name: string }>(QUERIES.metrics);
  const generators = db.prepare<[{ run: number }], { generator: number }>(QUERIES.generators);
  const ingest = ingester(connection, { feeds, streams, runs });
  const seal = sealer(connection, { feeds, streams });

  return guarded<SampleRows>(connection, {
    ingest(batch) {
      try {
        write(() => ingest(batch));
      } catch (error) {
        metrics.forget();
        throw error;
      }
    },
    offset: (runId, generator, stream) => streams.find(runId, generator, stream)?.size ?? 0,
    count: (runId, generator) => feeds.find(runId, generator, 'samples')?.rows ?? 0,
    raw(runId, generator, name, offset = 0, limit = PIECE_BYTES) {
      const stream = streams.find(runId, generator, name);
      return stream === undefined ? new Uint8Array() : streams.read(stream, offset, limit);
    },
    rawSize: (runId, generator, stream) => streams.find(runId, generator, stream)?.size ?? 0,
    metrics: (runId) => metricsOfRun.all(runId).map((row) => row.name),
    generators: (runId) => generators.all({ run: runId }).map((row) => row.generator),
    series(runId, metric, generator) {
      const id = metrics.find(metric);
      if (id === undefined) return [];
      const wanted = feeds
        .ofRun(runId, 'samples')
        .filter((feed) => generator === undefined || feed.generator === generator)
        .filter((feed) => metrics.ofFeed(feed.id).some((known) => known.id === id));
      return wanted.map((feed) => {
        const { t, columns: read } = columns.read(feed, [id], 0);
        return { runId, generator: feed.generator, metric, ...present(t, read[0] ?? new Float64Array()) };
      });
    },
    rows(runId, generator, first) {
      const feed = feeds.find(runId, generator, 'samples');
      if (feed === undefined) return { t: new Float64Array(), columns: {} };
      const known = metrics.ofFeed(feed.id);
      const read = columns.read(
        feed,
        known.map((metric) => metric.id),
        first,
      );
      const named = known.map((metric, index) => [metric.name, read.columns[index] ?? new Float64Array()] as const);
      return { t: read.t, columns: Object.fromEntries(named) };
    },
    index(runId, generator) {
      const feed = feeds.find(runId, generator, 'index');
      const ids = ['uptime', 'offset'].map((name) => metrics.find(name));
      if (feed === undefined || ids.some((id) => id === undefined)) return noIndex();
      const { t, columns: read } = columns.read(feed, ids.map(Number), 0);
      return { epoch: t, uptime: read[0] ?? new Float64Array(), offset: read[1] ?? new Float64Array() };
    },
    seal: (runId) => write(() => seal(runId)),
    clearSamples(runId) {
      write(() => feeds.clear(runId, 'samples'));
    },
  });
}

const noIndex = () => ({ epoch: new Float64Array(), uptime: new Float64Array(), offset: new Float64Array() });

function ingester({ db }: Connection, { feeds, streams, runs }: { feeds: Feeds; streams: RawStreams; runs: RunRows }) {
  const runExists = db.prepare<[number]>(QUERIES.runExists);
  const setDigest = db.prepare<[string | null, number]>(QUERIES.setDigest);
  const feedOf = (batch: IngestBatch, kind: FeedKind): Feed =>
    feeds.find(batch.runId, batch.generator, kind) ?? feeds.create(batch.runId, batch.generator, kind);
  return (batch: IngestBatch): void => {
    const { runId, generator } = batch;
    if (runExists.get(runId) === undefined) throw notFound('run', runId);
    const known = streams.find(runId, generator, batch.stream);
    const size = known?.size ?? 0;
    if (size !== batch.offset) throw wrongOffset(batch, size);
    if (batch.bytes.length > 0) {
      streams.append(known ?? streams.create(runId, generator, batch.stream), batch.bytes);
      setDigest.run(null, runId);
    }
    if (batch.samples.length > 0) feeds.append(feedOf(batch, 'samples'), batch.samples);
    if (batch.index !== undefined && batch.index.length > 0) {
      const lines = batch.index.map(({ epoch, uptime, offset }) => ({ t: epoch, metrics: { uptime, offset } }));
      feeds.append(feedOf(batch, 'index'), lines);
    }
    if (batch.run !== undefined) runs.update(runId, batch.run);
  };
}

function wrongOffset(batch: IngestBatch, stored: number): KneepointError {
  return new KneepointError({
    code: 'conflict',
    message: `Output of run ${batch.runId} (generator ${batch.generator}, ${batch.stream}) continues at byte ${stored}, but byte ${batch.offset} was offered.`,
    run: batch.runId,
    safe: 'Nothing of it was stored; what was stored before is unchanged.',
    next: `Fetch the output again from byte ${stored} on.`,
    details: { stored, offered: batch.offset },
  });
}

/** The digest covers the raw bytes of all generators in order, stdout before stderr: for one stream it is what `sha256sum` prints. */
function sealer({ db, path }: Connection, { feeds, streams }: { feeds: Feeds; streams: RawStreams }) {
  const digestOf = db.prepare<[number], { digest: string | null }>(QUERIES.digest);
  const setDigest = db.prepare<[string | null, number]>(QUERIES.setDigest);
  return (runId: number): string => {
    const run = digestOf.get(runId);
    if (run === undefined) throw notFound('run', runId);
    for (const kind of ['samples', 'index'] as const) for (const feed of feeds.ofRun(runId, kind)) feeds.seal(feed);
    for (const stream of streams.ofRun(runId)) streams.pack(stream);
    const hash = createHash('sha256');
    for (const stream of streams.ofRun(runId)) {
      for (let at = 0; at < stream.size; at += PIECE_BYTES) hash.update(streams.read(stream, at, PIECE_BYTES));
    }
    const digest = hash.digest('hex');
    if (run.digest !== null && run.digest !== digest) {
      throw new KneepointError({
        ...corruptProblem(path, { stored: run.digest, computed: digest }),
        message: `The stored output of run ${runId} is not what was sealed: its digest differs.`,
        run: runId,
      });
    }
    setDigest.run(digest, runId);
    return digest;
  };
}
