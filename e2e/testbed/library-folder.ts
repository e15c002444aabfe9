import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Several working copies run tests on one machine; none restores the leftovers of another. */
const COPY = createHash('sha256').update(ROOT).digest('hex').slice(0, 6);

/** A new folder for the library of an engine of this working copy. */
export const newLibraryFolder = (name: string): string =>
  mkdtempSync(path.join(tmpdir(), `kneepoint-${COPY}-${name}-`));

export const isOwnLibrary = (folder: string): boolean => folder.startsWith(path.join(tmpdir(), `kneepoint-${COPY}-`));
