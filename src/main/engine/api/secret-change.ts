import type { ApiContext } from './context.ts';

/** What a form sends for a secret: text sets it, null forgets it, undefined leaves it. */
export async function changeSecret(
  context: ApiContext,
  owner: string,
  secret: string | null | undefined,
): Promise<void> {
  if (secret === undefined) return;
  await context.secrets.set(owner, secret);
  context.events.changed('secrets');
  context.sessions.wake();
}

export const hostOwner = (id: number): string => `host:${id}`;
export const targetOwner = (id: number): string => `target:${id}`;
