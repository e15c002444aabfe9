import { damageWords, type SampleDamage } from '../../../../shared/model/damage.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';

/** Takes note of damage, or throws. */
export type OnDamage = (damage: SampleDamage) => void;

export const refuseDamage: OnDamage = (damage) => {
  throw new KneepointError({
    code: 'store-corrupt',
    message: damageWords(damage),
    run: damage.runId,
    safe: 'The rest of the run, and every other run, can be read and exported. No figure is computed from the damaged part.',
    next: 'Read the samples again from the stored output of the run, or export what is whole.',
    details: damage,
  });
};

export function damagedOutput(
  runId: number,
  stream: { generator: number; name: string },
  from: number,
  to: number,
): KneepointError {
  return new KneepointError({
    code: 'store-corrupt',
    message: `The stored output of run ${runId} is damaged: bytes ${from} to ${to - 1} of ${stream.name} (generator ${stream.generator + 1}) are not what was stored.`,
    run: runId,
    safe: 'The rest of the output, the samples of the run, and every other run can be read.',
    next: 'Export what is whole; restore a copy of the library if this output is needed.',
    details: { ...stream, from, to },
  });
}
