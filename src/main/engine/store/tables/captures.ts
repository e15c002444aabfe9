import { deflateSync, inflateSync } from 'node:zlib';
import type { CaptureContent, KeptCapture } from '../../../../shared/model/capture.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { type Connection, guarded } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import { fromJson, toJson } from './rows.ts';

/** Without `content`, nothing is stored, for the reason in `problem`. */
export type NewCapture = Omit<KeptCapture, 'id' | 'times'> & { readonly content?: CaptureContent };

/** Captures of runs. They are deleted with their run. */
export interface CaptureRows {
  /**
   * A capture at the start replaces the one before an earlier launch. A capture without content is only counted if the last one with this
   * name failed for the same reason.
   */
  add(capture: NewCapture): void;
  /** In the order in which they were taken. */
  ofRun(runId: number): KeptCapture[];
  ofSession(sessionId: number): KeptCapture[];
  /** Throws `not-found`, and `store-corrupt` if it can no longer be read. */
  content(id: number): CaptureContent;
  /** Stored bytes of all runs of a session. */
  bytes(sessionId: number): number;
}

const COLUMNS = `capture.id, run_id, name, form, moment, at, t, took_ms, bytes, left_out, left_unit, problem, times`;
const QUERIES = {
  add: `INSERT INTO capture (run_id, name, form, moment, at, t, took_ms, bytes, left_out, left_unit, problem, data)
    VALUES (:run_id, :name, :form, :moment, :at, :t, :took_ms, :bytes, :left_out, :left_unit, :problem, :data)`,
  forgetStart: `DELETE FROM capture WHERE run_id = ? AND name = ? AND moment = 'start'`,
  again: `UPDATE capture SET times = times + 1 WHERE data IS NULL AND moment = :moment AND problem = :problem
    AND id = (SELECT max(id) FROM capture WHERE run_id = :run_id AND name = :name)`,
  ofRun: `SELECT ${COLUMNS} FROM capture WHERE run_id = ? ORDER BY id`,
  ofSession: `SELECT ${COLUMNS} FROM capture JOIN run ON run.id = run_id WHERE session_id = ? ORDER BY run.trial, run.id, capture.id`,
  content: 'SELECT form, data FROM capture WHERE id = ?',
  bytes: 'SELECT coalesce(sum(bytes), 0) FROM capture JOIN run ON run.id = run_id WHERE session_id = ?',
};

interface Row {
  run_id: number;
  name: string;
  form: string;
  moment: string;
  at: number;
  t: number | null;
  took_ms: number;
  bytes: number;
  left_out: number | null;
  left_unit: string | null;
  problem: string | null;
}

const toRow = (capture: NewCapture): Row & { data: Buffer | null } => ({
  run_id: capture.runId,
  name: capture.name,
  form: capture.as,
  moment: capture.moment,
  at: Math.round(capture.at),
  t: capture.t ?? null,
  took_ms: capture.tookMs,
  bytes: capture.bytes,
  left_out: capture.left?.count ?? null,
  left_unit: capture.left?.unit ?? null,
  problem: capture.problem ?? null,
  // The format has its own checksum (Adler-32), so damage is detected on reading.
  data: capture.content === undefined ? null : deflateSync(packed(capture.content)),
});

const toKept = (row: Row & { id: number; times: number }): KeptCapture => ({
  id: row.id,
  runId: row.run_id,
  name: row.name,
  as: row.form as KeptCapture['as'],
  moment: row.moment as KeptCapture['moment'],
  at: row.at,
  ...(row.t !== null && { t: row.t }),
  tookMs: row.took_ms,
  bytes: row.bytes,
  ...(row.left_out !== null && {
    left: { count: row.left_out, unit: row.left_unit === 'rows' ? 'rows' : 'bytes' },
  }),
  ...(row.problem !== null && { problem: row.problem }),
  times: row.times,
});

export function captureRows(connection: Connection): CaptureRows {
  const { db, write } = connection;
  const add = db.prepare<[Row & { data: Buffer | null }]>(QUERIES.add);
  const forgetStart = db.prepare<[number, string]>(QUERIES.forgetStart);
  const again = db.prepare<[Pick<Row, 'moment' | 'problem' | 'run_id' | 'name'>]>(QUERIES.again);
  const ofRun = db.prepare<[number], Row & { id: number; times: number }>(QUERIES.ofRun);
  const ofSession = db.prepare<[number], Row & { id: number; times: number }>(QUERIES.ofSession);
  const content = db.prepare<[number], { form: string; data: Buffer | null }>(QUERIES.content);
  const bytes = db.prepare<[number], number>(QUERIES.bytes).pluck();
  return guarded<CaptureRows>(connection, {
    add(capture) {
      const row = toRow(capture);
      write(() => {
        const { run_id, name, moment, problem } = row;
        if (moment === 'start') forgetStart.run(run_id, name);
        else if (row.data === null && again.run({ run_id, name, moment, problem }).changes > 0) return;
        add.run(row);
      });
    },
    ofRun: (runId) => ofRun.all(runId).map(toKept),
    ofSession: (sessionId) => ofSession.all(sessionId).map(toKept),
    content(id) {
      const row = content.get(id);
      if (!row) throw notFound('capture', id);
      return row.data === null ? {} : unpacked(id, row.form, row.data);
    },
    bytes: (sessionId) => bytes.get(sessionId) ?? 0,
  });
}

const LINE_BREAK = 0x0a;

/** Text and tables as JSON; a file as a line of JSON with its name, and its bytes. */
function packed({ file, ...content }: CaptureContent): string | Buffer {
  return file ? Buffer.concat([Buffer.from(`${toJson({ name: file.name })}\n`), file.bytes]) : toJson(content);
}

function unpacked(id: number, form: string, data: Uint8Array): CaptureContent {
  try {
    const bytes = inflateSync(data);
    if (form !== 'attachment') return fromJson<CaptureContent>(bytes.toString());
    const end = bytes.indexOf(LINE_BREAK);
    const { name } = fromJson<{ name: string }>(bytes.subarray(0, end).toString());
    return { file: { name, bytes: new Uint8Array(bytes.subarray(end + 1)) } };
  } catch (error) {
    throw new KneepointError(
      {
        code: 'store-corrupt',
        message: `Capture ${id} is damaged and cannot be read.`,
        safe: 'Everything else in the library can be read.',
        next: 'Restore the library from a copy if you need it.',
      },
      { cause: error },
    );
  }
}
