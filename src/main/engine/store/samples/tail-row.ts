/** One second of one generator before it is sealed: values by metric id; a metric without a value is not there. */
export interface TailRow {
  t: number;
  ids: readonly number[];
  values: readonly number[];
}

const ID_BYTES = 4;
const PAIR_BYTES = ID_BYTES + 8;

/** u32 metric id and f64 value per metric, little-endian. Names are never removed from a library: over years there are more than 65,535. */
export function encodeTail(row: TailRow): Uint8Array {
  const bytes = new Uint8Array(PAIR_BYTES * row.ids.length);
  const view = new DataView(bytes.buffer);
  row.ids.forEach((id, index) => {
    view.setUint32(PAIR_BYTES * index, id, true);
    view.setFloat64(PAIR_BYTES * index + ID_BYTES, row.values[index] ?? Number.NaN, true);
  });
  return bytes;
}

export function decodeTail(t: number, bytes: Uint8Array): TailRow {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ids: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < bytes.byteLength; at += PAIR_BYTES) {
    ids.push(view.getUint32(at, true));
    values.push(view.getFloat64(at + ID_BYTES, true));
  }
  return { t, ids, values };
}

/** Rows turned into one column per metric that has a value in them; NaN where a row has none. */
export function columnsOf(rows: readonly TailRow[]): Map<number, Float64Array> {
  const columns = new Map<number, Float64Array>();
  rows.forEach((row, index) => {
    row.ids.forEach((id, position) => {
      let column = columns.get(id);
      if (column === undefined) {
        column = new Float64Array(rows.length).fill(Number.NaN);
        columns.set(id, column);
      }
      column[index] = row.values[position] ?? Number.NaN;
    });
  });
  return columns;
}
