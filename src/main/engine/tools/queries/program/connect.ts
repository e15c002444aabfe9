import { connectClickHouse } from './clickhouse.ts';
import type { Driver } from './driver.ts';
import { connectMySql } from './mysql.ts';
import { connectPostgres } from './postgres.ts';
import type { Connection } from './settings.ts';

const DRIVERS: Readonly<Record<Connection['kind'], (connection: Connection) => Promise<Driver>>> = {
  mysql: connectMySql,
  postgres: connectPostgres,
  clickhouse: connectClickHouse,
  // A large library that the others do not need to load.
  mongodb: async (connection) => (await import('./mongodb.ts')).connectMongo(connection),
};

export const connect = (connection: Connection): Promise<Driver> => DRIVERS[connection.kind](connection);
