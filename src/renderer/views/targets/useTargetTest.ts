import { useState } from 'react';
import { problemOf } from '../../../shared/model/problem.ts';
import type { TargetTest } from '../../../shared/model/target.ts';
import { ask, useLink } from '../../client/index.ts';

type Input = Parameters<typeof ask<'targets.testSpec'>>[2];

/** One test at a time of the target as typed, saved or not. */
export function useTargetTest(input: () => Input) {
  const link = useLink();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<TargetTest>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setResult(undefined);
    try {
      setResult(await ask(link, 'targets.testSpec', input()));
    } catch (error) {
      setResult({ result: 'failed', problem: problemOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return { busy, result, run: () => void run(), clear: () => setResult(undefined) };
}
