import Database from 'better-sqlite3';
import { migrate } from '../file/migrate.ts';
import { testMigrations } from './migrations.ts';

/** Migrates a file to the newest test format until it is killed, or kills itself at a row: argv = file, row. */
const [path = '', row] = process.argv.slice(2);
const db = new Database(path);
db.pragma('journal_mode = WAL');
process.stdout.write('migrating\n');
const migrations = testMigrations((id) => {
  if (id === Number(row)) process.kill(process.pid, 'SIGKILL');
});
migrate(db, path, migrations, Date.now());
db.close();
process.stdout.write('done\n');
