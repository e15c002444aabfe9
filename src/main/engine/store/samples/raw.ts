import { createHash, type Hash } from 'node:crypto';
import { pack, unpack } from '../codec/column.ts';
import { checksumOf } from '../codec/integers.ts';
import type { Connection } from '../file/connection.ts';
import { damagedOutput } from './damage.ts';
import type { GeneratorSource } from './feeds.ts';

interface Digested {
  /** Bytes from the start of the stream that are in the digest. */
  size: number;
  hash: Hash;
}

/**
 * SHA-256 of growing streams, so the end of a run does not need to decompress all of its output again. A digest is known only while every
 * byte of the stream has passed through here: not after a restart, and not after a rollback.
 */
class RunningDigests {
  readonly #known = new Map<number, Digested>();

  /** Adds bytes appended to stream `id`, which had `size` bytes before. */
  append(id: number, size: number, bytes: Uint8Array): void {
    const known = size === 0 ? { size, hash: createHash('sha256') } : this.#known.get(id);
    if (known?.size !== size) {
      this.#known.delete(id);
      return;
    }
    known.hash.update(bytes);
    known.size += bytes.length;
    this.#known.set(id, known);
  }

  /** Returns the digest of all `size` bytes of a stream, only once: later calls have to check the stored bytes. */
  take(id: number, size: number): string | undefined {
    const known = this.#known.get(id);
    this.#known.delete(id);
    return known?.size === size ? known.hash.digest('hex') : undefined;
  }
}

/** Size in bytes at which unpacked pieces are merged into a compressed block. */
const BLOCK_BYTES = 128 * 1024;
const ZSTD_LEVEL = 9;

const SELECT = `SELECT stream.id, run_id AS runId, position AS generator, stream.name, size, packed
  FROM stream JOIN source ON source.id = source_id WHERE run_id = ? AND source.kind = 'generator'`;
const QUERIES = {
  find: `${SELECT} AND position = ? AND stream.name = ?`,
  create: 'INSERT INTO stream (source_id, run_id, name) VALUES (?, ?, ?)',
  ofRun: `${SELECT} ORDER BY position, stream.name = 'stderr'`,
  ofSource: `SELECT stream.id, run_id AS runId, position AS generator, source.name AS source, stream.name, size, packed
    FROM stream JOIN source ON source.id = source_id WHERE source_id = ? AND run_id IS NULL ORDER BY stream.id`,
  createOfSource: 'INSERT INTO stream (source_id, run_id, name) VALUES (?, NULL, ?)',
  insert: 'INSERT INTO raw (stream_id, offset, size, data, checksum) VALUES (?, ?, ?, ?, ?)',
  grow: 'UPDATE stream SET size = ?, packed = ? WHERE id = ?',
  open: 'SELECT offset, size, data, checksum FROM raw WHERE stream_id = ? AND offset >= ? ORDER BY offset',
  removeOpen: 'DELETE FROM raw WHERE stream_id = ? AND offset >= ?',
  between: `SELECT offset, size, data, checksum FROM raw WHERE stream_id = :id AND offset < :end
    AND offset >= (SELECT max(offset) FROM raw WHERE stream_id = :id AND offset <= :start) ORDER BY offset`,
};

export interface Stream {
  id: number;
  /** Null for output of a monitored host or server, whose name is `source`. */
  runId: number | null;
  source?: string;
  generator: number;
  name: string;
  /** Bytes stored: the next offset to read. */
  size: number;
  /** Bytes before this offset are in compressed blocks. */
  packed: number;
}

/** Raw output of tools: bytes in order, addressed by offset. All writes happen inside the caller's transaction. */
export interface RawStreams {
  find(runId: number, generator: number, name: string): Stream | undefined;
  create(runId: number, generator: number, name: string): Stream;
  /** By generator, stdout before stderr. */
  ofRun(runId: number): Stream[];
  /** Output of a monitored source, by name. */
  ofSource(sourceId: number, name: string): Stream | undefined;
  createOfSource(sourceId: number, name: string): Stream;
  allOfSource(sourceId: number): Stream[];
  append(stream: Stream, bytes: Uint8Array): void;
  pack(stream: Stream): void;
  /** SHA-256 of all bytes, hexadecimal: the first time of the received bytes, later of the stored ones. Throws like `read`. */
  digest(stream: Stream): string;
  /** SHA-256 of the concatenated streams, as stored. Throws like `read`. */
  digestOfAll(streams: readonly Stream[]): string;
  /** Throws `store-corrupt` for bytes that are missing or do not match their checksum. */
  read(stream: Stream, offset: number, limit: number): Uint8Array;
}

interface Piece {
  offset: number;
  size: number;
  data: Uint8Array;
  checksum: number | null;
}

/** Yields the pieces, after checking that their checksums match and that they have no gap between two offsets. */
function* proved(stream: Stream, pieces: Iterable<Piece>, start: number, end: number): Generator<Piece> {
  let next = start;
  for (const piece of pieces) {
    const { offset, size, data, checksum } = piece;
    if (offset > next) break;
    if (checksum !== checksumOf([stream.id, offset, size, 0], data)) throw damagedOutput(stream, offset, offset + size);
    yield piece;
    next = offset + size;
  }
  if (next < end) throw damagedOutput(stream, next, end);
}

const bytesOf = ({ packed }: Stream, { offset, size, data }: Piece): Uint8Array =>
  offset < packed ? unpack(data, size) : data;

export function rawStreams({ db }: Connection, sourceOf: GeneratorSource): RawStreams {
  const find = db.prepare<[number, number, string], Stream>(QUERIES.find);
  const create = db.prepare<[number, number, string]>(QUERIES.create);
  const ofRun = db.prepare<[number], Stream>(QUERIES.ofRun);
  const ofSource = db.prepare<[number], Stream>(QUERIES.ofSource);
  const createOfSource = db.prepare<[number, string]>(QUERIES.createOfSource);
  const insert = db.prepare<[number, number, number, Uint8Array, number]>(QUERIES.insert);
  const grow = db.prepare<[number, number, number]>(QUERIES.grow);
  const open = db.prepare<[number, number], Piece>(QUERIES.open);
  const removeOpen = db.prepare<[number, number]>(QUERIES.removeOpen);
  const between = db.prepare<[{ id: number; start: number; end: number }], Piece>(QUERIES.between);

  const add = (stream: Stream, offset: number, size: number, data: Uint8Array): void => {
    insert.run(stream.id, offset, size, data, checksumOf([stream.id, offset, size, 0], data));
  };
  const packAll = (stream: Stream, arriving: Uint8Array): void => {
    const pieces = proved(stream, open.iterate(stream.id, stream.packed), stream.packed, stream.size);
    const waiting = Array.from(pieces, (piece) => piece.data);
    const bytes = waiting.length > 0 ? Buffer.concat([...waiting, arriving]) : arriving;
    removeOpen.run(stream.id, stream.packed);
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      const block = bytes.subarray(start, start + BLOCK_BYTES);
      add(stream, stream.packed + start, block.length, pack(block, ZSTD_LEVEL));
    }
    const size = stream.packed + bytes.length;
    grow.run(size, size, stream.id);
  };

  const digests = new RunningDigests();
  const digestOfAll = (streams: readonly Stream[]): string => {
    const hash = createHash('sha256');
    for (const stream of streams) {
      const stored = between.iterate({ id: stream.id, start: 0, end: stream.size });
      for (const piece of proved(stream, stored, 0, stream.size)) hash.update(bytesOf(stream, piece));
    }
    return hash.digest('hex');
  };

  return {
    find: (runId, generator, name) => find.get(runId, generator, name),
    create: (runId, generator, name) => ({
      id: Number(create.run(sourceOf(runId, generator), runId, name).lastInsertRowid),
      runId,
      generator,
      name,
      size: 0,
      packed: 0,
    }),
    ofRun: (runId) => ofRun.all(runId),
    ofSource: (sourceId, name) => ofSource.all(sourceId).find((stream) => stream.name === name),
    createOfSource: (sourceId, name) => ({
      id: Number(createOfSource.run(sourceId, name).lastInsertRowid),
      runId: null,
      generator: 0,
      name,
      size: 0,
      packed: 0,
    }),
    allOfSource: (sourceId) => ofSource.all(sourceId),
    append(stream, bytes) {
      if (bytes.length === 0) return;
      digests.append(stream.id, stream.size, bytes);
      if (stream.size - stream.packed + bytes.length >= BLOCK_BYTES) {
        packAll(stream, bytes);
        return;
      }
      add(stream, stream.size, bytes.length, bytes);
      grow.run(stream.size + bytes.length, stream.packed, stream.id);
    },
    pack(stream) {
      if (stream.size > stream.packed) packAll(stream, new Uint8Array());
    },
    digest: (stream) => digests.take(stream.id, stream.size) ?? digestOfAll([stream]),
    digestOfAll,
    read(stream, offset, limit) {
      const end = Math.min(stream.size, offset + limit);
      if (offset >= end) return new Uint8Array();
      const result = new Uint8Array(end - offset);
      for (const piece of proved(stream, between.iterate({ id: stream.id, start: offset, end }), offset, end)) {
        const bytes = bytesOf(stream, piece);
        const from = Math.max(0, offset - piece.offset);
        result.set(bytes.subarray(from, end - piece.offset), piece.offset + from - offset);
      }
      return result;
    },
  };
}
