import { pack, unpack } from '../codec/packed.ts';
import type { Connection } from '../connection.ts';

/** Pieces as they came are merged into one packed block when they reach this many bytes. */
const BLOCK_BYTES = 128 * 1024;
const ZSTD_LEVEL = 9;

const QUERIES = {
  find: 'SELECT id, size, packed FROM stream WHERE run_id = ? AND generator = ? AND name = ?',
  create: 'INSERT INTO stream (run_id, generator, name) VALUES (?, ?, ?)',
  ofRun: `SELECT id, size, packed FROM stream WHERE run_id = ? ORDER BY generator, name = 'stderr'`,
  insert: 'INSERT INTO raw (stream_id, offset, size, data) VALUES (?, ?, ?, ?)',
  grow: 'UPDATE stream SET size = ?, packed = ? WHERE id = ?',
  open: 'SELECT data FROM raw WHERE stream_id = ? AND offset >= ? ORDER BY offset',
  removeOpen: 'DELETE FROM raw WHERE stream_id = ? AND offset >= ?',
  between: `SELECT offset, size, data FROM raw WHERE stream_id = :id AND offset < :end
    AND offset >= (SELECT max(offset) FROM raw WHERE stream_id = :id AND offset <= :start) ORDER BY offset`,
};

export interface Stream {
  id: number;
  /** Bytes stored: the next offset wanted. */
  size: number;
  /** Bytes before this offset are in packed blocks. */
  packed: number;
}

/** Raw output of tools: bytes in order, addressed by offset. All writes happen inside the caller's transaction. */
export interface RawStreams {
  find(runId: number, generator: number, name: string): Stream | undefined;
  create(runId: number, generator: number, name: string): Stream;
  /** Generator by generator, stdout before stderr. */
  ofRun(runId: number): Stream[];
  append(stream: Stream, bytes: Uint8Array): void;
  pack(stream: Stream): void;
  read(stream: Stream, offset: number, limit: number): Uint8Array;
}

interface Piece {
  offset: number;
  size: number;
  data: Uint8Array;
}

export function rawStreams({ db }: Connection): RawStreams {
  const find = db.prepare<[number, number, string], Stream>(QUERIES.find);
  const create = db.prepare<[number, number, string]>(QUERIES.create);
  const ofRun = db.prepare<[number], Stream>(QUERIES.ofRun);
  const insert = db.prepare<[number, number, number, Uint8Array]>(QUERIES.insert);
  const grow = db.prepare<[number, number, number]>(QUERIES.grow);
  const open = db.prepare<[number, number], { data: Uint8Array }>(QUERIES.open);
  const removeOpen = db.prepare<[number, number]>(QUERIES.removeOpen);
  const between = db.prepare<[{ id: number; start: number; end: number }], Piece>(QUERIES.between);

  const packAll = (stream: Stream, arriving: Uint8Array): void => {
    const bytes = Buffer.concat([...open.all(stream.id, stream.packed).map((piece) => piece.data), arriving]);
    removeOpen.run(stream.id, stream.packed);
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      const block = bytes.subarray(start, start + BLOCK_BYTES);
      insert.run(stream.id, stream.packed + start, block.length, pack(block, ZSTD_LEVEL));
    }
    const size = stream.packed + bytes.length;
    grow.run(size, size, stream.id);
  };

  return {
    find: (runId, generator, name) => find.get(runId, generator, name),
    create: (runId, generator, name) => ({
      id: Number(create.run(runId, generator, name).lastInsertRowid),
      size: 0,
      packed: 0,
    }),
    ofRun: (runId) => ofRun.all(runId),
    append(stream, bytes) {
      if (bytes.length === 0) return;
      if (stream.size - stream.packed + bytes.length >= BLOCK_BYTES) {
        packAll(stream, bytes);
        return;
      }
      insert.run(stream.id, stream.size, bytes.length, bytes);
      grow.run(stream.size + bytes.length, stream.packed, stream.id);
    },
    pack(stream) {
      if (stream.size > stream.packed) packAll(stream, new Uint8Array());
    },
    read(stream, offset, limit) {
      const end = Math.min(stream.size, offset + limit);
      if (offset >= end) return new Uint8Array();
      const result = new Uint8Array(end - offset);
      for (const piece of between.iterate({ id: stream.id, start: offset, end })) {
        const bytes = piece.offset < stream.packed ? unpack(piece.data, piece.size) : piece.data;
        const from = Math.max(0, offset - piece.offset);
        result.set(bytes.subarray(from, end - piece.offset), piece.offset + from - offset);
      }
      return result;
    },
  };
}
