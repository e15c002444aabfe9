import { DEVICE_PATH } from '../device-path.ts';
import type { NeededPath } from '../tool.ts';
import type { FioOptions } from './options/index.ts';

/** The folder for the test files. A device is checked by itself, before anything is overwritten. */
export function pathsOf({ directory, device }: FioOptions, path: string | undefined): NeededPath[] {
  const base = directory ?? path;
  if (device !== undefined || base === undefined || DEVICE_PATH.test(base)) return [];
  return [{ what: 'Directory', kind: 'writable-folder', anyOf: [base] }];
}
