import type { ApiContext } from './context.ts';

/** Applies a form's secret: text sets it, null deletes it, undefined leaves it. */
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
