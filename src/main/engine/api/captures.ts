import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { comparedCaptures, runDifferences } from '../figures/index.ts';
import type { ApiContext } from './context.ts';
import { requireSession } from './require-session.ts';

export function capturesApi({ store }: ApiContext): Implementation<AppContract['captures']> {
  return {
    list({ sessionId, runId }) {
      const all = store.captures.ofSession(requireSession({ store }, sessionId).id);
      return runId === undefined ? all : all.filter((each) => each.runId === runId);
    },
    content: ({ id }) => store.captures.content(id),
    differences({ runId }) {
      const run = store.runs.get(runId);
      if (!run) throw new KneepointError({ code: 'not-found', message: `There is no run ${runId}.`, run: runId });
      return store.reading(() => runDifferences(store, run));
    },
    compare({ one, other }) {
      const rows = (ids: readonly number[]) => ids.flatMap((id) => store.runs.get(id) ?? []);
      return store.reading(() => comparedCaptures(store, rows(one), rows(other)));
    },
  };
}
