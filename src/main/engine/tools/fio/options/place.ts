import { KneepointError } from '../../../../../shared/model/problem.ts';
import { SAFE_PATH } from './values.ts';

/** All test files begin with this, and so does the folder that holds nothing else. */
export const PREFIX = 'kneepoint-fio';

/** The folder that was named: in the options, or as the target's path. Throws `experiment-invalid` when there is none that may be used. */
export function folderOf(named: string | undefined): string {
  if (named !== undefined && SAFE_PATH.test(named)) return named.length > 1 ? named.replace(/\/+$/, '') : named;
  throw new KneepointError({
    code: 'experiment-invalid',
    message:
      named === undefined
        ? 'fio needs a folder on the host for its test files, and none is named.'
        : `“${named}” is not a folder that fio may use: it must be an absolute path, not of a device.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Set the option directory to an absolute path on the disk that is to be measured.',
  });
}
