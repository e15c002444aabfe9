import { describe, expect, it } from 'vitest';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { SettingNeeds } from '../../../shared/model/target.ts';
import { conditionFindings } from './conditions.ts';

type Costs = Readonly<Record<string, number>>;
type Session = Parameters<typeof conditionFindings>[0];

const NEEDS: Readonly<Record<string, SettingNeeds>> = {
  sync_binlog: 'writes',
  innodb_doublewrite: 'writes',
  innodb_buffer_pool_size: 'misses',
  innodb_adaptive_hash_index: 'cached',
  innodb_flush_neighbors: 'rotating',
};
const WRITING = { rows_written: 4, cache_misses: 0, data_to_cache: 0.5 };
const READING = { rows_written: 0, cache_misses: 0, data_to_cache: 0.5 };

/** A session on a server with these settings, whose cells have these costs. `rotating`: of each disk of the server, if reported. */
function session(
  values: Readonly<Record<string, string>>,
  costs: Costs | ((cell: CellResult) => Costs),
  rotating: readonly (boolean | undefined)[] = [false],
): Session {
  const disks = rotating.map((rotational, index) => ({ name: `sd${index}`, rotational }));
  const settings = Object.entries(values).map(([name, value]) => ({ name, value, needs: NEEDS[name] }));
  const facts = {
    name: 'db',
    kind: 'mysql',
    hostFacts: { disks },
    description: { settings },
  } as unknown as TargetFacts;
  return {
    target: () => facts,
    costs: (cell) =>
      Object.entries(typeof costs === 'function' ? costs(cell) : costs).map(
        ([id, value]) => ({ id, value }) as OperationCost,
      ),
  };
}

const plain = { levels: {} } as CellResult;
const pair = (baseline = plain, other = plain) => ({ baseline, other }) as ComparedCell;
const messages = (a: Session, b: Session, cells = [pair()]) =>
  conditionFindings(a, b, cells).map(({ message }) => message);

/** The same two values of a setting, with its condition met and not met. */
it.each([
  ['sync_binlog', ['0', '1'], READING, WRITING, 'only when rows change, and this workload changed none.'],
  [
    'innodb_buffer_pool_size',
    ['1073741824', '8589934592'],
    READING,
    { ...READING, cache_misses: 3 },
    'only when the server reads data outside its cache, and all data was cached.',
  ],
  [
    'innodb_adaptive_hash_index',
    ['ON', 'OFF'],
    { ...READING, data_to_cache: 4 },
    READING,
    'only when the data fits into the cache, which it does not.',
  ],
] as const)('%s is reported only if it could have no effect', (name, values, without, withIt, words) => {
  const [one, other] = values.map((value) => (costs: Costs) => session({ [name]: value }, costs));
  if (!one || !other) throw new Error('two values');
  expect(messages(one(without), other(without))).toEqual([`${name} differs, but matters ${words}`]);
  expect(messages(one(withIt), other(withIt))).toEqual([]);
  // Met on one side: the setting may have made the difference.
  expect(messages(one(without), other(withIt))).toEqual([]);
  expect(messages(one({}), other({})), 'not watched').toEqual([]);
  expect(messages(one(without), one(without)), 'not changed').toEqual([]);
});

it('neighbour flushing needs a rotating disk, and disks of unknown kind are not judged', () => {
  const [on, off] = [{ innodb_flush_neighbors: '1' }, { innodb_flush_neighbors: '0' }];
  expect(messages(session(on, WRITING), session(off, WRITING))).toEqual([
    'innodb_flush_neighbors differs, but matters only on rotating disks, and the server has none.',
  ]);
  for (const disks of [[true], [false, true], [undefined], []]) {
    expect(messages(session(on, WRITING, disks), session(off, WRITING, disks))).toEqual([]);
  }
});

it('settings with the same condition share one sentence, and an unknown target is skipped', () => {
  const [safe, fast] = [
    { sync_binlog: '1', innodb_doublewrite: 'ON', max_connections: '100' },
    { sync_binlog: '0', innodb_doublewrite: 'OFF', max_connections: '900' },
  ];
  expect(messages(session(safe, READING), session(fast, READING))).toEqual([
    'sync_binlog, innodb_doublewrite differ, but matter only when rows change, and this workload changed none.',
  ]);
  expect(messages({}, session(fast, READING))).toEqual([]);
});

describe('levels of a session', () => {
  const cell = (load: string, value: string) =>
    ({
      levels: { load, sync_binlog: value },
      facts: [{ place: { kind: 'server', name: 'db' }, what: 'sync_binlog', found: [value] }],
    }) as unknown as CellResult;

  it('are judged by their read-back values, and the cells are named', () => {
    const own = session({ sync_binlog: '1' }, ({ levels }) => (levels.load === 'write' ? WRITING : READING));
    const cells = ['write', 'read', 'scan'].map((load) => pair(cell(load, '1'), cell(load, '0')));
    expect(messages(own, own, cells)).toEqual([
      'sync_binlog differs, but matters only when rows change, and this workload changed none (load read · sync_binlog 0 and 1 more cell).',
    ]);
    expect(messages(own, own, cells.slice(0, 1))).toEqual([]);
  });

  it('are not compared with the values of another server at its start', () => {
    const own = session({ sync_binlog: '1' }, READING);
    expect(messages(own, own, [pair(plain, cell('read', 'ON'))])).toEqual([]);
  });
});
