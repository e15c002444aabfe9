import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerLook } from '../../../shared/model/target.ts';
import { openServer } from '../servers/index.ts';
import { claimedElsewhere } from '../world/index.ts';
import type { ApiContext } from './context.ts';

/** The server of a saved target at this moment. Throws `bad-request` for a target that does not say where its server lives. */
export async function lookAtServer(context: ApiContext, target: string, signal: AbortSignal): Promise<ServerLook> {
  const state = await openServer(context.runs, target).state(signal);
  const told = state === 'running' ? await tell(context, target, signal) : {};
  return { state, ...told, claims: await claimsOf(context, target, signal), readAt: context.now() };
}

type Told = Pick<ServerLook, 'product' | 'upSince' | 'untold'>;

/** What it says of itself. A server that refuses the account runs all the same. */
async function tell({ runs, now }: ApiContext, target: string, signal: AbortSignal): Promise<Told> {
  try {
    const session = await runs.targets.open(target, signal);
    if (!session) return {};
    try {
      const { product, version, middleware } = await session.describe();
      if (middleware) return { product: [middleware.product, middleware.version].filter(Boolean).join(' ') };
      const up = (await (await session.settingsControl?.())?.shared())?.upSeconds;
      return {
        product: `${product} ${version}`,
        ...(up !== undefined && { upSince: Math.round(now() - up * 1000) }),
      };
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof KneepointError && error.code !== 'cancelled') return { untold: error.message };
    throw error;
  }
}

async function claimsOf({ runs }: ApiContext, target: string, signal: AbortSignal): Promise<ServerLook['claims']> {
  const host = runs.targets.spec(target).server?.host;
  const places = [
    { kind: 'server', name: target } as const,
    ...(host === undefined ? [] : [{ kind: 'host', name: host } as const]),
  ];
  const claims: ServerLook['claims'] = [];
  for (const place of places) {
    const by = await claimedElsewhere(runs, place, signal);
    if (by !== undefined) claims.push({ place: place.kind, by });
  }
  return claims;
}
