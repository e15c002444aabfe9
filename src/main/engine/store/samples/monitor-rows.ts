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

/** One commit of a monitor, written in one transaction. */
export interface MonitorBatch {
  sourceId: number;
  /** Ascending in time, seconds since 1970 on the source's clock. */
  rows: readonly { t: number; metrics: Readonly<Record<string, number>> }[];
  /** For data read from a job: the range of its output. `from` must be the stored offset, else `conflict`. */
  read?: { jobId: string; from: number; to: number; bytes?: Uint8Array };
}

/** A job that monitors a host. */
export interface MonitorJob {
  jobId: string;
  sourceId: number;
  host: string;
  /** Stored bytes of its output: the offset to continue from. */
  readBytes: number;
  /** All of its output has been read, or there is no more. */
  ended: boolean;
}

/** Counters of a source as they were read: columns of the same length as `t`; NaN if absent or damaged. */
export interface MonitorColumns {
  t: Float64Array;
  columns: Map<string, Float64Array>;
  /** Ranges of samples with a wrong checksum, as positions in `t`; without a name, their times are damaged. */
  damaged: readonly DamagedSamples[];
}

/** Samples that belong to a session instead of a run: of monitored hosts, servers and commands. */
export interface MonitorRows {
  ingest(batch: MonitorBatch): void;
  /** Names of a source's counters, in the order of their first appearance. */
  names(sourceId: number): string[];
  /** Number of samples, and times of the first and last one. */
  extent(sourceId: number): { samples: number; from?: number; to?: number };
  /** Counters between two times on the source's clock, both included, plus the sample before, from which growth is counted. */
  columns(sourceId: number, names: readonly string[], range?: { from?: number; to?: number }): MonitorColumns;
  /** Number of samples before this time on the source's clock. */
  before(sourceId: number, time: number): number;
  /** Samples from a position on, for a live page. */
  since(sourceId: number, names: readonly string[], first: number): MonitorColumns;
  /** Output of a command, unmodified. */
  output(sourceId: number, jobId: string, offset?: number, limit?: number): Uint8Array;
  beginJob(job: Pick<MonitorJob, 'jobId' | 'sourceId' | 'host'>): void;
  endJob(jobId: string): void;
  /** In the order of their start. */
  jobs(sourceId: number): MonitorJob[];
  job(jobId: string): MonitorJob | undefined;
  /** Sessions that are not executed and whose samples are not all in chunks, because Kneepoint ended before they were finished. */
  unsealed(): number[];
  /** Moves open rows to chunks, at the end of the session. */
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

/** Scans all rows if damage prevents finding a time. */
function placeOf({ times, columns }: MonitorParts, feed: Feed, time: number, behind = false): number {
  const place = times.place(feed, time, behind);
  if (place !== undefined) return place;
  const found = columns.read(feed, [], 0, () => {}).t.findIndex((at) => at > time || (!behind && at === time));
  return found < 0 ? feed.rows : found;
}

const wrongPlace = (jobId: string, stored: number, offered: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Output of the monitor ${jobId} continues at byte ${stored}, but byte ${offered} was received.`,
    safe: 'It was not stored; earlier data is unchanged.',
    next: `Fetch the output again, starting at byte ${stored}.`,
    details: { stored, offered },
  });
