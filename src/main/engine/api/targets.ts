import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError, type Problem, problemOf } from '../../../shared/model/problem.ts';
import type { Target, TargetSpec, TargetTest } from '../../../shared/model/target.ts';
import type { TargetDetails, TargetInspection } from '../../../shared/model/target-details.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { databaseKey } from '../runs/index.ts';
import { findPrograms, openServer } from '../servers/index.ts';
import { TARGETS, targetKindInfo } from '../targets/index.ts';
import type { TargetSession } from '../targets/target.ts';
import { type ApiContext, changeSecret, targetOwner } from './context.ts';
import {
  changesToGiveUp,
  giveUpChanges,
  measuresElsewhere,
  refuseWhileBehind,
  refuseWhileTargetUsed,
} from './in-use.ts';
import { checkServerPlace, controlServers, inspectServer } from './server-acts.ts';
import { factsOf, openTarget } from './target-access.ts';

export function targetsApi(context: ApiContext): Implementation<AppContract['targets']> {
  const { store, secrets, events } = context;
  const get = (id: number) => {
    const target = store.targets.get(id);
    if (!target) throw new KneepointError({ code: 'not-found', message: 'This target no longer exists.' });
    return target;
  };
  // A secret kept for this launch only is not in the library.
  const marked = (target: Target): Target => ({ ...target, hasSecret: secrets.has(targetOwner(target.id)) });
  const secretOf = async ({ id, secret }: { id?: number | undefined; secret?: string | null | undefined }) =>
    secret === undefined && id !== undefined ? secrets.get(targetOwner(id)) : (secret ?? undefined);
  const controlled = controlServers(context);
  const toGiveUp = (name: string, giveUp: string | undefined) =>
    changesToGiveUp(context, { name, kind: 'target', places: [{ kind: 'server', name }], giveUp });
  return {
    kinds: () => TARGETS.map(targetKindInfo),
    list: () => store.targets.list().map(marked),
    async save({ id, spec, secret, giveUp }) {
      factsOf(spec, undefined);
      checkServerPlace(store, spec, id === undefined ? undefined : get(id).spec);
      const same = store.targets.byName(spec.name);
      if (same && same.id !== id) {
        throw new KneepointError({
          code: 'conflict',
          message: `A target named “${spec.name}” already exists.`,
          next: 'Choose another name.',
        });
      }
      const before = id === undefined ? undefined : get(id).spec;
      if (before) refuseWhileTargetUsed(store, before, spec);
      if (before && before.name !== spec.name) refuseWhileBehind(store, before.name);
      const left = before && measuresElsewhere(before, spec) ? toGiveUp(before.name, giveUp) : [];
      const place = id === undefined ? undefined : databaseKey(store, get(id).spec.name);
      const saved =
        id === undefined ? store.targets.insert(spec, context.now()) : store.targets.update(get(id).id, spec);
      // Facts of data sets apply to the database where they were created.
      if (place !== undefined && place !== databaseKey(store, spec.name)) forgetDataSets(context, saved.id);
      await changeSecret(context, targetOwner(saved.id), secret);
      giveUpChanges(context, left);
      events.changed('targets');
      return marked(get(saved.id));
    },
    async remove({ id, giveUp }) {
      refuseWhileTargetUsed(store, get(id).spec);
      refuseWhileBehind(store, get(id).spec.name);
      const left = toGiveUp(get(id).spec.name, giveUp);
      await secrets.set(targetOwner(get(id).id), null);
      store.targets.remove(id);
      giveUpChanges(context, left);
      events.changed('targets');
      return {};
    },
    async test({ id }, { signal }) {
      return testTarget(context, get(id).spec, () => secrets.get(targetOwner(id)), signal);
    },
    testSpec: (typed, { signal }) => testTarget(context, typed.spec, () => secretOf(typed), signal),
    inspectSpec: (typed, { signal }) => inspectTarget(context, typed.spec, () => secretOf(typed), signal),
    serverState: async ({ id }, { signal }) => ({
      state: await openServer(context.runs, get(id).spec.name).state(signal),
    }),
    lookAtServer: ({ id }, { signal }) => inspectServer(context, get(id).spec.name, signal),
    findPrograms: ({ kind, host, also }, { signal }) => findPrograms(context.machines.get(host), kind, also, signal),
    startServer: ({ id }) => controlled(get(id).spec.name, (server, signal) => server.start(signal)),
    stopServer: ({ id }) => controlled(get(id).spec.name, (server, signal) => server.stop(signal)),
    restartServer: ({ id }) => controlled(get(id).spec.name, (server, signal) => server.restart(signal)),
  };
}

type ReadSecret = () => Promise<string | undefined>;

async function testTarget(
  context: ApiContext,
  spec: TargetSpec,
  readSecret: ReadSecret,
  signal: AbortSignal,
): Promise<TargetTest> {
  const without: TargetTest = {
    result: 'ok',
    description: { product: 'Host', version: '', settings: [], readAt: context.now() },
    roundTripMs: 0,
  };
  return asked(context, spec, readSecret, signal, without, async (session) => {
    const roundTripMs = await session.ping();
    return { result: 'ok', description: await session.describe(), roundTripMs };
  });
}

async function inspectTarget(
  context: ApiContext,
  spec: TargetSpec,
  readSecret: ReadSecret,
  signal: AbortSignal,
): Promise<TargetInspection> {
  const without: TargetInspection = { result: 'ok', details: { readAt: context.now() } };
  return asked(context, spec, readSecret, signal, without, async (session) => {
    const [settings, sizes] = [await session.settings?.(), await session.sizes?.()];
    const [sessions, counters] = [await session.sessions?.(), await session.counters()];
    const details: TargetDetails = {
      ...(settings && { settings }),
      ...(sizes && { sizes }),
      ...(sessions && { sessions }),
      ...(Object.keys(counters).length > 0 && { counters }),
      readAt: context.now(),
    };
    return { result: 'ok', details };
  });
}

/** Resolves with the result of `ask` over a connection of its own; `without` for kinds that have none. */
async function asked<Answer>(
  context: ApiContext,
  spec: TargetSpec,
  readSecret: ReadSecret,
  signal: AbortSignal,
  without: Answer,
  ask: (session: TargetSession) => Promise<Answer>,
): Promise<Answer | { result: 'failed'; problem: Problem }> {
  try {
    const secret = await readSecret();
    factsOf(spec, secret);
    const session = await openTarget(context.machines, spec, secret, signal);
    if (!session) return without;
    try {
      return await ask(session);
    } finally {
      await session.close();
    }
  } catch (error) {
    return { result: 'failed', problem: { ...problemOf(error), target: spec.name } };
  }
}

function forgetDataSets({ store, events }: ApiContext, targetId: number): void {
  const { tables } = store.dataSets;
  for (const set of tables.list()) if (set.placeId === targetId) tables.remove(set.id);
  events.changed('dataSets');
}
