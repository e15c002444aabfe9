import { damageWords, type LostSamples, lostWords } from '../../../../shared/model/damage.ts';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';

/** Whose samples a feed has: a generator of a run, or a host or server that was watched, by its name. */
export type FeedOwner = { readonly runId: number; readonly generator: number } | { readonly source: string };

/** Records damage, or throws. */
export type OnDamage = (lost: LostSamples) => void;

export const refuseDamage =
  (owner: FeedOwner): OnDamage =>
  (lost) => {
    throw new KneepointError({ code: 'store-corrupt', ...problemOf(owner, lost) });
  };

function problemOf(owner: FeedOwner, lost: LostSamples): Omit<Problem, 'code'> {
  if ('source' in owner)
    return {
      message: `Stored samples of “${owner.source}”, which was watched, are damaged: ${lostWords(lost)}.`,
      safe: 'The rest of them, and every run, can be read and exported.',
      next: 'Export what is whole; restore a copy of the library if these samples are needed.',
      details: lost,
    };
  const { runId, generator } = owner;
  const damage = { runId, generator, ...lost };
  return {
    message: damageWords(damage),
    run: runId,
    safe: 'The rest of the run, and every other run, can be read and exported. No figure is computed from the damaged part.',
    next: 'Read the samples again from the stored output of the run, or export what is whole.',
    details: damage,
  };
}

/** `runId` null: output of `source`, a host or server that was watched. */
export function damagedOutput(
  stream: { runId: number | null; source?: string; generator: number; name: string },
  from: number,
  to: number,
): KneepointError {
  const { runId, source = '', generator, name } = stream;
  const whose = runId === null ? `of “${source}”, which was watched,` : `of run ${runId}`;
  const which = runId === null ? name : `${name} (generator ${generator + 1})`;
  return new KneepointError({
    code: 'store-corrupt',
    message: `The stored output ${whose} is damaged: bytes ${from} to ${to - 1} of ${which} are not what was stored.`,
    ...(runId !== null && { run: runId }),
    safe: 'The rest of the output, the samples made from it, and every run can be read.',
    next: 'Export what is whole; restore a copy of the library if this output is needed.',
    details: { generator, name, from, to },
  });
}
