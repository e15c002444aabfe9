import type { CapturedTable } from '../model/capture.ts';

/** Files of a server by content. */
export const STORED_FILES = ['data', 'log', 'binary log'] as const;
export type StoredFiles = (typeof STORED_FILES)[number];

/**
 * Rows of the table. data, log, binary log: bytes as accounted by the server; `… files`: bytes that the file system has allocated to the
 * files, and their lengths. uncompressed, compressed: bytes of the same content before and after compression.
 */
export type StoredPart =
  | StoredFiles
  | `${StoredFiles} files`
  | `${StoredFiles} files, length`
  | 'data, length'
  | 'rows'
  | 'rows, estimated'
  | 'uncompressed'
  | 'compressed';

const MIB = 1024 ** 2;
const HOUR_S = 3600;

/**
 * Final figures of a part: `ids` before, after, and the growth between them per hour. Uses the first of `of` with counts at all moments.
 */
interface Figures {
  readonly of: readonly StoredPart[];
  readonly ids: readonly [before: string, after: string, growth?: string];
  readonly unit: number;
}
const FIGURES: readonly Figures[] = [
  {
    of: ['data files', 'data'],
    ids: ['stored_data_before_mib', 'stored_data_mib', 'stored_data_growth_mib_h'],
    unit: MIB,
  },
  { of: ['data files, length', 'data, length'], ids: ['stored_length_before_mib', 'stored_length_mib'], unit: MIB },
  { of: ['log files', 'log'], ids: ['stored_log_before_mib', 'stored_log_mib', 'stored_log_growth_mib_h'], unit: MIB },
  {
    of: ['binary log files', 'binary log'],
    ids: ['stored_binlog_before_mib', 'stored_binlog_mib', 'stored_binlog_growth_mib_h'],
    unit: MIB,
  },
  { of: ['rows'], ids: ['stored_rows_before', 'stored_rows', 'stored_rows_growth_h'], unit: 1 },
  // Two estimates differ by more than a run inserts.
  { of: ['rows, estimated'], ids: ['stored_rows_before', 'stored_rows'], unit: 1 },
];

const RATIO = ['stored_compression_before', 'stored_compression'] as const;

/** Ids of all figures of size. */
export const SIZE_METRICS: ReadonlySet<string> = new Set(
  [...FIGURES.flatMap(({ ids }) => ids), ...RATIO].flatMap((id) => id ?? []),
);

/** The table as stored. `value` absent: the server does not report it, for the reason in `source`. */
export const sizesTable = (
  sizes: readonly { readonly what: StoredPart; readonly value?: number | undefined; readonly source: string }[],
): CapturedTable => ({
  columns: ['what', 'value', 'unit', 'source'],
  rows: sizes.map(({ what, value, source }) => [
    what,
    value ?? null,
    what.startsWith('rows') ? 'rows' : 'bytes',
    source,
  ]),
});

type Sizes = ReadonlyMap<string, number>;
const sizesIn = (table: CapturedTable | undefined): Sizes =>
  new Map((table?.rows ?? []).flatMap(([what, value]) => (typeof value === 'number' ? [[String(what), value]] : [])));

/**
 * Final figures of a run from its tables of sizes. Sizes before and after use the same accounting, so that they can be subtracted.
 * `seconds`: running time of the tool.
 */
export function sizeFigures(
  start: CapturedTable | undefined,
  end: CapturedTable | undefined,
  seconds: number,
): Record<string, number> {
  const [before, after] = [sizesIn(start), sizesIn(end)];
  const moments = [...(start ? [before] : []), ...(end ? [after] : [])];
  const figures: Record<string, number> = {};
  const set = (id: string | undefined, value: number): void => {
    if (id !== undefined && Number.isFinite(value)) figures[id] = value;
  };
  for (const { of, ids, unit } of FIGURES) {
    const part = of.find((each) => moments.every((sizes) => sizes.has(each))) ?? of.find((each) => after.has(each));
    const [one, other] = [before, after].map((sizes) => (part === undefined ? undefined : sizes.get(part)));
    if (one !== undefined) set(ids[0], one / unit);
    if (other !== undefined) set(ids[1], other / unit);
    if (one !== undefined && other !== undefined && seconds > 0) set(ids[2], ((other - one) / unit / seconds) * HOUR_S);
  }
  for (const [index, sizes] of [before, after].entries()) {
    const [plain, packed] = [sizes.get('uncompressed'), sizes.get('compressed')];
    if (plain !== undefined && packed) set(RATIO[index], plain / packed);
  }
  return figures;
}
