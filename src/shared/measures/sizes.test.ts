import { expect, it } from 'vitest';
import { isSize, KNOWN_METRICS } from '../metrics/index.ts';
import { SIZE_METRICS, type StoredPart, sizeFigures, sizesTable } from './sizes.ts';

const MIB = 1024 ** 2;
const sizes = (all: Partial<Record<StoredPart, number>>) =>
  sizesTable(Object.entries(all).map(([what, value]) => ({ what: what as StoredPart, value, source: 'of a test' })));

it('has a metric for each figure', () => {
  expect([...SIZE_METRICS].sort()).toEqual(KNOWN_METRICS.filter(isSize).sort());
});

it('reports the growth of sizes per hour', () => {
  const start = sizes({ data: 100 * MIB, log: 64 * MIB, 'binary log': 0, rows: 1000 });
  const end = sizes({ data: 103 * MIB, log: 64 * MIB, 'binary log': 5 * MIB, rows: 900 });
  expect(sizeFigures(start, end, 120)).toEqual({
    ...{ stored_data_before_mib: 100, stored_data_mib: 103, stored_data_growth_mib_h: 90 },
    ...{ stored_log_before_mib: 64, stored_log_mib: 64, stored_log_growth_mib_h: 0 },
    ...{ stored_binlog_before_mib: 0, stored_binlog_mib: 5, stored_binlog_growth_mib_h: 150 },
    ...{ stored_rows_before: 1000, stored_rows: 900, stored_rows_growth_h: -3000 },
  });
});

it('prefers the files of the host if both moments have them', () => {
  const both = sizes({ data: 90 * MIB, 'data files': 100 * MIB, 'data files, length': 110 * MIB });
  const later = sizes({ data: 95 * MIB, 'data files': 130 * MIB, 'data files, length': 140 * MIB });
  expect(sizeFigures(both, later, 3600)).toEqual({
    ...{ stored_data_before_mib: 100, stored_data_mib: 130, stored_data_growth_mib_h: 30 },
    ...{ stored_length_before_mib: 110, stored_length_mib: 140 },
  });
  const bare = sizes({ data: 95 * MIB });
  expect(sizeFigures(both, bare, 3600)).toEqual({
    stored_data_before_mib: 90,
    stored_data_mib: 95,
    stored_data_growth_mib_h: 5,
  });
});

it('has no growth from one moment or no time, and no figure for unreported sizes', () => {
  const end = sizesTable([
    { what: 'data', value: 2 * MIB, source: 'x' },
    { what: 'log', source: 'not reported by x: access denied' },
  ]);
  expect(sizeFigures(undefined, end, 60)).toEqual({ stored_data_mib: 2 });
  expect(sizeFigures(end, end, 0)).toEqual({ stored_data_before_mib: 2, stored_data_mib: 2 });
  expect(sizeFigures(undefined, undefined, 60)).toEqual({});
  const estimated = sizes({ 'rows, estimated': 900 });
  expect(sizeFigures(estimated, sizes({ 'rows, estimated': 800 }), 60)).toEqual({
    stored_rows_before: 900,
    stored_rows: 800,
  });
});

it('divides uncompressed by compressed size', () => {
  const packed = sizes({ uncompressed: 800, compressed: 200 });
  expect(sizeFigures(packed, sizes({ uncompressed: 900, compressed: 300 }), 60)).toEqual({
    stored_compression_before: 4,
    stored_compression: 3,
  });
  expect(sizeFigures(undefined, sizes({ uncompressed: 0, compressed: 0 }), 60)).toEqual({});
});
