import { useState } from 'react';
import type { HostTest } from '../../../../shared/model/host.ts';
import { problemOf } from '../../../../shared/model/problem.ts';

export interface RunningTest {
  /** Start, epoch milliseconds; absent while none runs. */
  since: number | undefined;
  result: HostTest | undefined;
  run(): void;
  clear(): void;
}

/** One test at a time, whose result is kept until the next. */
export function useHostTest(test: () => Promise<HostTest>): RunningTest {
  const [since, setSince] = useState<number>();
  const [result, setResult] = useState<HostTest>();
  const run = async (): Promise<void> => {
    setSince(Date.now());
    setResult(undefined);
    try {
      setResult(await test());
    } catch (error) {
      setResult({ result: 'failed', problem: problemOf(error) });
    } finally {
      setSince(undefined);
    }
  };
  return { since, result, run: () => void run(), clear: () => setResult(undefined) };
}
