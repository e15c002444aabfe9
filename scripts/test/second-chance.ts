import { isIntegrityFailure, nameOf, type TestRecord } from './outcome.ts';

/** With more failures than this something is broken, not unstable. */
export const MOST_CHANCES = 10;

export interface Result {
  /** One record per test: that of its last run. */
  readonly records: readonly TestRecord[];
  /** Tests that first failed and then passed alone, with their failures. */
  readonly unstable: readonly TestRecord[];
}

/**
 * Runs failed tests once more. There is no second chance if data was lost, doubled or wrong, if something was thrown outside any test, or if too
 * many have failed. `rerun`: runs these alone; a record without a title stands for its whole file.
 */
export async function withSecondChance(
  first: readonly TestRecord[],
  rerun: (failed: readonly TestRecord[]) => Promise<readonly TestRecord[]>,
): Promise<Result> {
  const failed = first.filter(({ state }) => state === 'failed');
  const isFinal = (record: TestRecord): boolean => record.file === undefined || isIntegrityFailure(record);
  if (failed.length === 0 || failed.length > MOST_CHANCES || failed.some(isFinal))
    return { records: first, unstable: [] };
  const files = new Set(failed.filter(({ title }) => title === undefined).map(fileKey));
  const tests = new Set(failed.map(testKey));
  const isRepeated = (record: TestRecord): boolean => files.has(fileKey(record)) || tests.has(testKey(record));
  const second = await rerun(failed);
  const repeated = second.filter((record) => isRepeated(record) || record.file === undefined);
  // A test missing from the second run has not passed.
  const hasPassed = (record: TestRecord): boolean => {
    const key = record.title === undefined ? fileKey : testKey;
    const own = repeated.filter((it) => key(it) === key(record));
    return own.some(({ state }) => state === 'passed') && own.every(({ state }) => state !== 'failed');
  };
  const isRepeatedFailure = (record: TestRecord): boolean =>
    repeated.some((it) => it.state === 'failed' && testKey(it) === testKey(record));
  return {
    records: [
      ...first.filter((record) => !isRepeated(record)),
      ...repeated,
      ...failed.filter((record) => !hasPassed(record) && !isRepeatedFailure(record)),
    ],
    unstable: failed.filter(hasPassed),
  };
}

const fileKey = ({ runner, file }: TestRecord): string => `${runner} ${file}`;
const testKey = (record: TestRecord): string => `${record.runner} ${nameOf(record)}`;
