import { readFileSync } from 'node:fs';
import { KneepointError } from '../../../shared/model/problem.ts';

/** A built program of ours. Throws `tool-missing` where it was not built, or was removed. */
export function readProgram(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KneepointError(
      {
        code: 'tool-missing',
        message: `A program of Kneepoint itself cannot be read on this computer: ${error instanceof Error ? error.message : path}.`,
        safe: 'Nothing was started.',
        next: 'In a clone, npm run build makes it; an installed Kneepoint is incomplete: install it again.',
      },
      { cause: error },
    );
  }
}
