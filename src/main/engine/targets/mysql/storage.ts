import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import { durabilityOf, type Judged, storedIn } from '../durability.ts';
import type { MySqlConnection } from './connection.ts';
import { binlogJudged, mysqlDurability } from './settings.ts';

/** By the name of an engine, what a power cut costs tables of it that have no log, or none that waits for the disk. */
const WITHOUT_LOG: Readonly<Record<string, string>> = {
  MYISAM: 'MyISAM has no log: a power cut can damage its tables and lose rows.',
  MRG_MYISAM: 'MyISAM has no log: a power cut can damage its tables and lose rows.',
  MEMORY: 'MEMORY keeps rows in memory only: they are lost when the server ends.',
  CSV: 'CSV has no log: a power cut can damage its tables and lose rows.',
  ARCHIVE: 'ARCHIVE has no log: a power cut can damage its tables and lose rows.',
  BLACKHOLE: 'BLACKHOLE keeps no rows at all.',
};

const isOn = (value: string): boolean => ['ON', '1'].includes(value.toUpperCase());

/** Settings of engines that have a log of their own. */
const OWN_LOG: Readonly<Record<string, readonly { name: string; judge(value: string): Judged['level'] }[]>> = {
  // 1 waits at each commit; 0 and 2 about once a second.
  ROCKSDB: [{ name: 'rocksdb_flush_log_at_trx_commit', judge: (value) => (value === '1' ? 'safe' : 'relaxed') }],
  TOKUDB: [
    { name: 'tokudb_commit_sync', judge: (value) => (isOn(value) ? 'safe' : 'relaxed') },
    // Above 0 the log is brought to the disk every so many milliseconds, whatever commits ask.
    { name: 'tokudb_fsync_log_period', judge: (value) => (value === '0' ? 'safe' : 'relaxed') },
  ],
};

/** What a power cut costs tables of an engine, by the server's own variables. Unknown for an engine that is not in these lists. */
export function engineDurability(
  engine: string,
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string> = new Map(),
): Durability {
  const name = engine.toUpperCase();
  if (name === 'INNODB') return mysqlDurability(variables, status);
  const why = WITHOUT_LOG[name];
  if (why !== undefined) {
    return { level: 'unsafe', why, settings: [{ name: 'storage engine', value: engine, level: 'unsafe' }] };
  }
  const log = OWN_LOG[name];
  if (!log) return { level: 'unknown', why: `What a power cut costs tables of ${engine} is not known.` };
  const judged = log.flatMap((setting): Judged[] => {
    const value = variables.get(setting.name);
    return value === undefined ? [] : [{ name: setting.name, value, level: setting.judge(value) }];
  });
  return durabilityOf(
    [...judged, ...binlogJudged(variables)],
    log.flatMap((setting) => (variables.has(setting.name) ? [] : [setting.name])),
  );
}

/** Every engine that the server has, with the tables of the target's database that are kept in it. */
export async function mysqlStorage(
  connection: MySqlConnection,
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string>,
): Promise<NonNullable<TargetDescription['storage']>> {
  const engines = (await connection.query('SHOW ENGINES')).flatMap(([name, support]) =>
    ['YES', 'DEFAULT'].includes(String(support)) ? [String(name)] : [],
  );
  const tables = (
    await connection.query(
      `SELECT engine, table_name FROM information_schema.tables
       WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine IS NOT NULL ORDER BY table_name`,
    )
  ).map(([engine, name]) => ({ engine: String(engine), name: String(name) }));
  const all = [...new Set([...engines, ...tables.map(({ engine }) => engine)])].sort();
  return all.map((engine) =>
    storedIn(
      engine,
      tables.filter((table) => table.engine === engine).map(({ name }) => name),
      engineDurability(engine, variables, status),
    ),
  );
}
