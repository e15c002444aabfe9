export { ACCOUNT } from './account.ts';
export { buildFerretDb, lacksGo, startFerretDb } from './ferretdb.ts';
export { sweep } from './folders.ts';
export { fetchMariaDb11, startMariaDb, startMariaDb11 } from './mariadb.ts';
export { fetchMySql, type MySqlVersion, startMySql, startMySql8 } from './mysql.ts';
export { type Pooler, startPgBouncer } from './pgbouncer.ts';
export { startPostgres, startPostgresVersion } from './postgres.ts';
export { type DatabaseOptions, type DatabaseServer, freePort } from './server.ts';
export { runSql } from './sql.ts';
