import { expect, test } from 'vitest';
import { ROW } from '../../on-host.ts';
import { lastOf } from '../../testing/samples.ts';
import { postgresHostLines } from './on-host.ts';
import { POSTGRES_PARTS } from './parts.ts';
import { POSTGRES_SERIES } from './rules.ts';

type Activity = readonly [kind: string, state: string, type: string, event: string, count: number];

/** The client's output on the host for one sample. */
function lineOf(activity: readonly Activity[]): string {
  const columns = ['backend_type', 'state', 'wait_event_type', 'wait_event', 'count', 'max', 'max'];
  const rows = [['kneepoint-part pg_stat_activity'], columns, ...activity.map((row) => [...row, '', ''])];
  const text = rows.map((row) => row.join('\t') + ROW).join('');
  return text + Buffer.byteLength(text);
}

test('reports sessions waiting for data files and for the log, before any has waited for the log', () => {
  const read = postgresHostLines();
  const [files, both] = [
    [['client backend', 'active', 'IO', 'DataFileRead', 9]],
    [
      ['client backend', 'active', 'IO', 'DataFileRead', 5],
      ['client backend', 'active', 'IO', 'WalSync', 3],
      ['client backend', 'active', 'LWLock', 'WALWrite', 1],
    ],
  ] as const satisfies readonly (readonly Activity[])[];
  const [first, second] = [files, both].map((activity) => [{ metrics: read(lineOf(activity)) ?? {} }]);
  const waiting = (samples = first) =>
    ['io.waiting', 'log.waiting'].map((id) => lastOf(POSTGRES_SERIES, samples ?? [], id));
  expect(waiting(first)).toEqual([9, 0]);
  expect(waiting(second)).toEqual([5, 4]);
});

test('reports the ciphers of current client connections only', () => {
  const read = postgresHostLines();
  const sample = (...rows: (readonly [string, number])[]): number[] => {
    const text = [['kneepoint-part pg_stat_ssl'], ['case', 'count'], ...rows]
      .map((row) => row.join('\t') + ROW)
      .join('');
    const metrics = read(text + Buffer.byteLength(text)) ?? {};
    const of = (what: string) => lastOf(POSTGRES_SERIES, [{ metrics }], `encryption.${what}`) ?? Number.NaN;
    return [of('TLSv1.3 TLS_AES_256_GCM_SHA384'), of('none')];
  };
  expect(sample(['TLSv1.3 TLS_AES_256_GCM_SHA384', 64], ['none', 2])).toEqual([64, 2]);
  expect(sample(['TLSv1.3 TLS_AES_256_GCM_SHA384', 64])).toEqual([64, 0]);
});

test('counts the transactions of its own samples: one per part, and a final one', () => {
  const own = POSTGRES_SERIES.find(({ means }) => means === 'transactions')?.own;
  expect(own).toEqual({ direct: 1, onHost: POSTGRES_PARTS.length + 1 });
});
