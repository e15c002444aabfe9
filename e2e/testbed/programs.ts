import { existsSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];

/** Names the programs that this machine lacks; empty if it has all. */
export function lacks(...programs: string[]): string {
  const absent = programs.filter((name) => !FOLDERS.some((folder) => existsSync(path.join(folder, name))));
  return absent.length === 0 ? '' : `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not on this machine`;
}
