import type { TargetDescription } from '../../../../shared/model/target.ts';
import type { Wanted } from '../server-facts.ts';

/** Settings that move results most, in the order shown; values as `SHOW` prints them, with their unit. */
export const POSTGRES_SETTINGS: readonly Wanted[] = [
  { name: 'shared_buffers', why: 'Data beyond it is read from the operating system or the disk.' },
  { name: 'effective_cache_size', why: 'What the planner believes is cached.' },
  { name: 'work_mem', why: 'Sorts beyond it go to the disk.' },
  { name: 'fsync', why: 'off: nothing waits for the disk, a power cut can damage the database.' },
  { name: 'synchronous_commit', why: 'off: a commit does not wait for the disk.' },
  { name: 'full_page_writes', why: 'Guards against half-written pages; the log grows after each checkpoint.' },
  { name: 'wal_level', why: 'replica and logical write more than minimal.' },
  { name: 'wal_sync_method', why: 'How the log is brought to the disk.' },
  { name: 'wal_compression', why: 'Fewer bytes of log for more processor time.' },
  { name: 'wal_buffers', why: 'Log kept in memory before it is written.' },
  { name: 'max_wal_size', why: 'A small one forces checkpoints.' },
  { name: 'checkpoint_timeout', why: 'Longest time between checkpoints.' },
  { name: 'checkpoint_completion_target', why: 'Spreads the writing of a checkpoint.' },
  { name: 'commit_delay', why: 'Waits to bring several commits to the disk at once.' },
  { name: 'bgwriter_lru_maxpages', why: 'Pace of write-back in the background.' },
  { name: 'autovacuum', why: 'off: dead rows are never cleared.' },
  { name: 'random_page_cost', why: 'High values keep the planner from indexes.' },
  { name: 'max_connections', why: 'More clients than this cannot connect.' },
  { name: 'huge_pages', why: 'Fewer misses in address translation with a large shared_buffers.' },
  { name: 'jit', why: 'Compiles long queries.' },
];

/** What a power cut costs, by the server's own settings. */
export function postgresDurability(
  settings: ReadonlyMap<string, string>,
): NonNullable<TargetDescription['durability']> {
  const fsync = settings.get('fsync');
  const commit = settings.get('synchronous_commit');
  if (fsync === undefined || commit === undefined) {
    return { level: 'unknown', why: 'The server does not tell fsync and synchronous_commit.' };
  }
  const damaging = ['fsync', 'full_page_writes'].filter((name) => settings.get(name) === 'off');
  if (damaging.length > 0) {
    return {
      level: 'unsafe',
      why: `A power cut can damage the database: ${damaging.map((name) => `${name} = off`).join(', ')}.`,
    };
  }
  if (commit === 'off') {
    return { level: 'relaxed', why: 'A power cut can lose the last committed transactions: synchronous_commit = off.' };
  }
  return { level: 'safe', why: `Each commit waits for the disk: fsync = ${fsync}, synchronous_commit = ${commit}.` };
}
