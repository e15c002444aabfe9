import Database from 'better-sqlite3';
import { migrate } from '../migrate.ts';
import { TEST_MIGRATIONS } from './migrations.ts';

/* Brings a file to the newest test format until it is killed: argv = file. */
const path = process.argv[2] ?? '';
const db = new Database(path);
db.pragma('journal_mode = WAL');
process.stdout.write('migrating\n');
migrate(db, path, TEST_MIGRATIONS, Date.now());
db.close();
process.stdout.write('done\n');
