import { KneepointError } from '../../../shared/model/problem.ts';
import type { Controlled } from './context.ts';

/**
 * Whether the server takes connections, asked as the app asks it. A login that is refused is an answer too. Throws what stands between us
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
    if (error.code === 'target-unreachable') return false;
    if (error.code === 'target-auth-failed' || error.code === 'database-missing') return true;
    throw error;
  }
}
