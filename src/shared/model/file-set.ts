import { z } from 'zod';
import { formatBytes, formatCount } from '../util/format.ts';
import { DataSetState } from './data-set.ts';

/** Bytes that a file has to have at least, and those found when it was looked at last: null = no such file, absent = never looked at. */
export const SetFile = z.object({ name: z.string(), bytes: z.number(), found: z.number().nullable().optional() });
export type SetFile = z.infer<typeof SetFile>;

/** Files on a host that a workload reads or writes, made once and used by many cells. Times in epoch milliseconds. */
export const FileSet = z.object({
  id: z.number(),
  hostId: z.number(),
  host: z.string(),
  /** Absolute; nothing else of it belongs to the set. */
  directory: z.string(),
  tool: z.string(),
  /** “2 files of 1 GiB”. */
  title: z.string(),
  files: z.array(SetFile),
  state: DataSetState,
  /** Absent for files that were there before Kneepoint saw them. */
  madeAt: z.number().optional(),
  madeBy: z.number().optional(),
  checkedAt: z.number().optional(),
  /** When a trial that writes last began on them, and in which session. */
  writtenAt: z.number().optional(),
  writtenBy: z.number().optional(),
});
export type FileSet = z.infer<typeof FileSet>;

/** “kneepoint-fio.0.0 and 3 more in /mnt/disk/kneepoint-fio”. */
export function fileWords({ files, directory }: Pick<FileSet, 'files' | 'directory'>): string {
  const more = files.length > 1 ? ` and ${formatCount(files.length - 1, 'more', 'more')}` : '';
  return `${files[0]?.name ?? 'no file'}${more} in ${directory}`;
}

/** Size of all files together: as found where it is less than expected. */
export function sizeWords({ files }: Pick<FileSet, 'files'>): string {
  const expected = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const found = files.reduce(
    (sum, file) => sum + Math.min(file.bytes, file.found ?? (file.found === null ? 0 : file.bytes)),
    0,
  );
  return found === expected ? formatBytes(expected) : `${formatBytes(found)} of ${formatBytes(expected)}`;
}
