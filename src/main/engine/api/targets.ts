import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { Target, TargetSpec, TargetTest } from '../../../shared/model/target.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { TARGETS, targetKindInfo } from '../targets/index.ts';
import type { ApiContext } from './context.ts';
import { refuseWhileTargetUsed } from './in-use.ts';
import { changeSecret, targetOwner } from './secret-change.ts';
import { factsOf, openTarget } from './target-access.ts';

export function targetsApi(context: ApiContext): Implementation<AppContract['targets']> {
  const { store, secrets, events } = context;
  const get = (id: number) => {
    const target = store.targets.get(id);
    if (!target) throw new KneepointError({ code: 'not-found', message: 'This target does not exist any more.' });
    return target;
  };
  // A secret kept for this launch only is not in the library.
  const marked = (target: Target): Target => ({ ...target, hasSecret: secrets.has(targetOwner(target.id)) });
  return {
    kinds: () => TARGETS.map(targetKindInfo),
    list: () => store.targets.list().map(marked),
    async save({ id, spec, secret }) {
      factsOf(spec, undefined);
      const same = store.targets.byName(spec.name);
      if (same && same.id !== id) {
        throw new KneepointError({
          code: 'conflict',
          message: `There is a target named “${spec.name}” already.`,
          next: 'Choose another name.',
        });
      }
      if (id !== undefined) refuseWhileTargetUsed(store, get(id).spec, spec);
      const saved =
        id === undefined ? store.targets.insert(spec, context.now()) : store.targets.update(get(id).id, spec);
      await changeSecret(context, targetOwner(saved.id), secret);
      events.changed('targets');
      return marked(get(saved.id));
    },
    async remove({ id }) {
      refuseWhileTargetUsed(store, get(id).spec);
      await secrets.set(targetOwner(get(id).id), null);
      store.targets.remove(id);
      events.changed('targets');
      return {};
    },
    async test({ id }, { signal }) {
      return testTarget(context, get(id).spec, () => secrets.get(targetOwner(id)), signal);
    },
    testSpec({ id, spec, secret }, { signal }) {
      const known = async (): Promise<string | undefined> =>
        secret === undefined && id !== undefined ? secrets.get(targetOwner(id)) : (secret ?? undefined);
      return testTarget(context, spec, known, signal);
    },
  };
}

async function testTarget(
  context: ApiContext,
  spec: TargetSpec,
  readSecret: () => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<TargetTest> {
  try {
    const secret = await readSecret();
    factsOf(spec, secret);
    const session = await openTarget(context.machines, spec, secret, signal);
    if (!session) {
      const settings: [] = [];
      return {
        result: 'ok',
        description: { product: 'Host', version: '', settings, readAt: context.now() },
        roundTripMs: 0,
      };
    }
    try {
      const roundTripMs = await session.ping();
      return { result: 'ok', description: await session.describe(), roundTripMs };
    } finally {
      await session.close();
    }
  } catch (error) {
    return { result: 'failed', problem: { ...problemOf(error), target: spec.name } };
  }
}
