import type { Migration } from '../file/migrate.ts';

/** The factor that a session answers a question about, as a person chose it afterwards. What lists show of the answer is worked out anew. */
export const tested: Migration = {
  version: 24,
  up: (db) => void db.exec('ALTER TABLE session ADD COLUMN tested TEXT'),
};
