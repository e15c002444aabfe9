import type { DamagedSamples } from '../../../../shared/model/monitored.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { LOADING_SESSION } from '../../../../shared/model/states.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import type { Columns } from './columns.ts';
import type { Feed, Feeds } from './feeds.ts';
import type { MetricIds } from './metric-ids.ts';
import type { RawStreams } from './raw.ts';
import type { RowTimes } from './row-times.ts';

/** What one commit of a monitor writes, in one transaction. */
export interface MonitorBatch {
  sourceId: number;
  /** Ascending in time, seconds since 1970 by the clock of the source. */
  rows: readonly { t: number; metrics: Readonly<Record<string, number>> }[];
  /** Of what is read from a job: where its output was read from (must be the stored place, else `conflict`) and until where. */
  read?: { jobId: string; from: number; to: number; bytes?: Uint8Array };
}

/** Job of a monitor on a host. */
export interface MonitorJob {
  jobId: string;
  sourceId: number;
  host: string;
  /** Bytes of its output that are stored: where to continue. */
  readBytes: number;
  /** All of its output has been read, or there is no more of it. */
  ended: boolean;
}

/** Counters of a source as they were read: a column for each, as long as `t`; NaN: absent, or damaged. */
export interface MonitorColumns {
  t: Float64Array;
  columns: Map<string, Float64Array>;
  /** Stretches of samples that do not match their checksum, as places in `t`; without a name: their times. */
  damaged: readonly DamagedSamples[];
}

/** Samples that belong to a session and not to a run: of hosts, servers and commands that are watched. */
export interface MonitorRows {
  ingest(batch: MonitorBatch): void;
  /** Names of the counters that a source has, in the order in which they came. */
  names(sourceId: number): string[];
  /** Number of samples, and the times of the first and the last. */
  extent(sourceId: number): { samples: number; from?: number; to?: number };
  /** Counters between two times of the source's own clock, both included, with the sample before, from which growth is counted. */
  columns(sourceId: number, names: readonly string[], range?: { from?: number; to?: number }): MonitorColumns;
  /** Number of samples before this time of the source's own clock. */
  before(sourceId: number, time: number): number;
  /** Of the samples from a place on: what a live page needs. */
  since(sourceId: number, names: readonly string[], first: number): MonitorColumns;
  /** The output of a command, as it came. */
  output(sourceId: number, jobId: string, offset?: number, limit?: number): Uint8Array;
  beginJob(job: Pick<MonitorJob, 'jobId' | 'sourceId' | 'host'>): void;
  endJob(jobId: string): void;
  /** In the order in which they were begun. */
  jobs(sourceId: number): MonitorJob[];
  job(jobId: string): MonitorJob | undefined;
  /** Sessions that are not executed and whose samples are not all in chunks: the app ended before their end was complete. */
  unsealed(): number[];
  /** Turns what is open into chunks: the session has ended. */
  seal(sourceId: number): void;
}

const JOBS = `SELECT monitor_job.job_id AS jobId, source_id AS sourceId, monitor_job.host, read_bytes AS readBytes, ended FROM monitor_job`;
const QUERIES = {
  begin: 'INSERT OR IGNORE INTO monitor_job (job_id, source_id, host) VALUES (?, ?, ?)',
  place: 'SELECT read_bytes FROM monitor_job WHERE job_id = ?',
  moved: 'UPDATE monitor_job SET read_bytes = ? WHERE job_id = ?',
  end: 'UPDATE monitor_job SET ended = 1 WHERE job_id = ?',
  jobs: `${JOBS} LEFT JOIN job ON job.job_id = monitor_job.job_id WHERE source_id = ? ORDER BY coalesce(job.id, 0), monitor_job.job_id`,
  job: `${JOBS} WHERE monitor_job.job_id = ?`,
  unsealed: `SELECT DISTINCT session_id FROM feed JOIN source ON source.id = source_id JOIN session ON session.id = session_id
    WHERE run_id IS NULL AND rows > sealed AND session.state NOT IN (${LOADING_SESSION.map((state) => `'${state}'`).join(', ')})`,
};
const PIECE_BYTES = 1024 * 1024;

type StoredJob = Omit<MonitorJob, 'ended'> & { ended: number };
const toJob = (job: StoredJob): MonitorJob => ({ ...job, ended: job.ended === 1 });

export interface MonitorParts {
  feeds: Feeds;
  metrics: MetricIds;
  columns: Columns;
  streams: RawStreams;
  times: RowTimes;
}

export function monitorRows(connection: Connection, parts: MonitorParts): MonitorRows {
  const { db, write } = connection;
  const { feeds, metrics, streams } = parts;
  const begin = db.prepare<[string, number, string]>(QUERIES.begin);
  const place = db.prepare<[string], number>(QUERIES.place).pluck();
  const moved = db.prepare<[number, string]>(QUERIES.moved);
  const end = db.prepare<[string]>(QUERIES.end);
  const jobs = db.prepare<[number], StoredJob>(QUERIES.jobs);
  const one = db.prepare<[string], StoredJob>(QUERIES.job);
  const unsealed = db.prepare<[], number>(QUERIES.unsealed).pluck();

  const keepPlace = (sourceId: number, { jobId, from, to, bytes }: NonNullable<MonitorBatch['read']>): void => {
    const stored = place.get(jobId);
    if (stored === undefined) throw notFound('job', 0);
    if (stored !== from) throw wrongPlace(jobId, stored, from);
    if (bytes !== undefined && bytes.length > 0)
      streams.append(streams.ofSource(sourceId, jobId) ?? streams.createOfSource(sourceId, jobId), bytes);
    moved.run(to, jobId);
  };

  return guarded<MonitorRows>(connection, {
    ingest({ sourceId, rows, read }) {
      write(() => {
        if (rows.length > 0) feeds.append(feeds.ofSource(sourceId) ?? feeds.createOfSource(sourceId), rows);
        if (read) keepPlace(sourceId, read);
      });
    },
    names(sourceId) {
      const feed = feeds.ofSource(sourceId);
      return feed ? metrics.ofFeed(feed.id).map(({ name }) => name) : [];
    },
    extent(sourceId) {
      const feed = feeds.ofSource(sourceId);
      if (!feed || feed.rows === 0) return { samples: 0 };
      const { from, to } = parts.times.ends(feed);
      return { samples: feed.rows, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    },
    columns: (sourceId, names, range = {}) => readRange(parts, sourceId, names, range),
    before(sourceId, time) {
      const feed = feeds.ofSource(sourceId);
      return feed ? placeOf(parts, feed, time) : 0;
    },
    since: (sourceId, names, first) => readFrom(parts, sourceId, names, first),
    output(sourceId, jobId, offset = 0, limit = PIECE_BYTES) {
      const stream = streams.ofSource(sourceId, jobId);
      return stream ? streams.read(stream, offset, limit) : new Uint8Array();
    },
    beginJob({ jobId, sourceId, host }) {
      write(() => begin.run(jobId, sourceId, host));
    },
    endJob(jobId) {
      write(() => end.run(jobId));
    },
    jobs: (sourceId) => jobs.all(sourceId).map(toJob),
    job(jobId) {
      const job = one.get(jobId);
      return job && toJob(job);
    },
    unsealed: () => unsealed.all(),
    seal(sourceId) {
      write(() => {
        const feed = feeds.ofSource(sourceId);
        if (feed) feeds.seal(feed);
        for (const stream of streams.allOfSource(sourceId)) streams.pack(stream);
      });
    },
  });
}

const NOTHING: MonitorColumns = { t: new Float64Array(), columns: new Map(), damaged: [] };

function readFrom(
  { feeds, metrics, columns }: MonitorParts,
  sourceId: number,
  names: readonly string[],
  first: number,
  end?: number,
): MonitorColumns {
  const feed = feeds.ofSource(sourceId);
  if (!feed) return NOTHING;
  const known = metrics.ofFeed(feed.id).filter(({ name }) => names.includes(name));
  const damaged: DamagedSamples[] = [];
  const start = Math.max(0, first);
  const note = ({ metric, first: from, last }: { metric?: string | undefined; first: number; last: number }): void => {
    damaged.push({ ...(metric !== undefined && { name: metric }), first: from - start, last: last - start });
  };
  const read = columns.read(feed, known, start, note, end);
  const entries = known.map(({ name }, index) => [name, read.columns[index] ?? new Float64Array()] as const);
  return { t: read.t, columns: new Map(entries), damaged };
}

function readRange(
  parts: MonitorParts,
  sourceId: number,
  names: readonly string[],
  { from, to }: { from?: number; to?: number },
): MonitorColumns {
  if (from === undefined && to === undefined) return readFrom(parts, sourceId, names, 0);
  const feed = parts.feeds.ofSource(sourceId);
  if (!feed) return NOTHING;
  const first = from === undefined ? 0 : Math.max(0, placeOf(parts, feed, from) - 1);
  const end = to === undefined ? feed.rows : placeOf(parts, feed, to, true);
  return readFrom(parts, sourceId, names, first, Math.max(first, end));
}

/** Where damage keeps a time from being found, all of them are looked at. */
function placeOf({ times, columns }: MonitorParts, feed: Feed, time: number, behind = false): number {
  const place = times.place(feed, time, behind);
  if (place !== undefined) return place;
  const found = columns.read(feed, [], 0, () => {}).t.findIndex((at) => at > time || (!behind && at === time));
  return found < 0 ? feed.rows : found;
}

const wrongPlace = (jobId: string, stored: number, offered: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Output of the monitor ${jobId} continues at byte ${stored}, but byte ${offered} was offered.`,
    safe: 'Nothing of it was stored; what was stored before is unchanged.',
    next: `Fetch the output again from byte ${stored} on.`,
    details: { stored, offered },
  });
