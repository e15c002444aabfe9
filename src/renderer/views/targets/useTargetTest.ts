import { useState } from 'react';
import { problemOf } from '../../../shared/model/problem.ts';
import type { TargetTest } from '../../../shared/model/target.ts';
import { ask, useLink } from '../../client/index.ts';

type Input = Parameters<typeof ask<'targets.testSpec'>>[2];

/** What a test depends on: how the server is reached and logged in to, neither its name nor where it lives. */
const asked = ({ spec: { kind, via, config }, secret }: Input): string => JSON.stringify([kind, via, config, secret]);

/** One test at a time of the target as typed, saved or not. Its result stays; `outdated`: the form asks for something else by now. */
export function useTargetTest(input: () => Input) {
  const link = useLink();
  const [busy, setBusy] = useState(false);
  const [tested, setTested] = useState<{ of: string; result: TargetTest }>();
  const run = async (): Promise<void> => {
    const now = input();
    const keep = (result: TargetTest): void => setTested({ of: asked(now), result });
    setBusy(true);
    setTested(undefined);
    try {
      keep(await ask(link, 'targets.testSpec', now));
    } catch (error) {
      keep({ result: 'failed', problem: problemOf(error) });
    } finally {
      setBusy(false);
    }
  };
  const outdated = tested !== undefined && tested.of !== asked(input());
  return { busy, result: tested?.result, outdated, run: () => void run() };
}
