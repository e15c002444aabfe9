import { expect, it } from 'vitest';
import { sessionFacts, sessionLabel } from './session-words.ts';

it('never gives two sessions the same label, however similar their names are', () => {
  const long = 'sysbench oltp_read_write on db1, innodb_flush_log_at_trx_commit';
  const labels = [
    { id: 7, name: long },
    { id: 8, name: long },
    { id: 9, name: `${long} = 2` },
  ].map(sessionLabel);
  expect(new Set(labels).size).toBe(3);
  expect(labels[2]).toBe('9 · sysbench oltp…x_commit = 2');
  for (const label of labels) expect(label.length).toBeLessThanOrEqual(30);
});

it('lists date, tool, target, size and tags of a session', () => {
  const session = {
    createdAt: new Date(2026, 10, 20, 14, 32).getTime(),
    tool: 'fio',
    cells: 6,
    repeats: 3,
    tags: ['raid'],
  };
  expect(sessionFacts(session)).toBe('2026-11-20 14:32 · fio · 6 × 3 · raid');
  expect(sessionFacts({ ...session, target: 'db1', tags: [] })).toBe('2026-11-20 14:32 · fio → db1 · 6 × 3');
});
