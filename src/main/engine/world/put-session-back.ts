import type { PutBackResult } from '../../../shared/model/restore.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { STATE } from '../factors/index.ts';
import { placeWords } from './at.ts';
import { changedNow, isChange } from './entries.ts';
import { type ChangeContext, letGo, type PutBackOptions, putBack, valueWords } from './put-back.ts';

/** Everything that a session has changed, with what became of it in words. Nothing where it has changed nothing. */
export async function putSessionBack(
  context: ChangeContext,
  sessionId: number,
  options: PutBackOptions,
): Promise<PutBackResult[]> {
  const entries = changedNow(context.store, sessionId);
  const results = entries.length === 0 ? [] : await putBack(context, entries, options);
  // An engine that ended between putting back and letting go has left its claim.
  const earlier = context.store.journal.ofSession(sessionId).filter(isChange);
  await letGo(context, earlier, options.signal);
  return results;
}

/** One sentence for all settings that were put back, one for each server that was started again, and one for each thing that was not. */
export function restoredWords(results: readonly PutBackResult[]): { done?: string; left: string[] } {
  const all = results.filter(({ outcome }) => outcome === 'restored');
  const started = all.filter(({ what }) => what === STATE).map(({ place }) => `Server “${place.name}” started again.`);
  const restored = all.filter(({ what }) => what !== STATE);
  const words = restored.map(({ place, what, first }) => `${what} of ${placeWords(place)}: ${valueWords(first)}`);
  const settings =
    restored.length > 0
      ? [`${formatCount(restored.length, 'setting')} put back and read back: ${words.join('; ')}.`]
      : [];
  return {
    ...(all.length > 0 && { done: [...started, ...settings].join(' ') }),
    left: results
      .filter(({ outcome }) => outcome !== 'restored')
      .map(({ place, what, first, message = '' }) =>
        what === STATE
          ? `Server “${place.name}” was not started again. ${message}`
          : `“${what}” of ${placeWords(place)} was not put back to ${valueWords(first)}. ${message}`,
      ),
  };
}
