import { KneepointError } from '../../../shared/model/problem.ts';
import { isSilent } from '../targets/index.ts';
import type { Controlled } from './context.ts';

/**
 * Whether the server takes connections, asked as the app asks it. A login that is refused is an answer too, and so is “too many connections”. Throws what stands between us
 * and the question: a link that is down, a password that is missing.
 */
export async function answers({ context, spec }: Controlled, signal: AbortSignal): Promise<boolean> {
  try {
    const session = await context.targets.open(spec.name, signal);
    if (!session) return false;
    try {
      await session.ping();
    } finally {
      await session.close();
    }
    return true;
  } catch (error) {
    if (!(error instanceof KneepointError)) throw error;
    if (isSilent(error)) return false;
    if (['target-unreachable', 'target-auth-failed', 'database-missing'].includes(error.code)) return true;
    throw error;
  }
}
