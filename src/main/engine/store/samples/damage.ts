import { damageWords, type LostSamples, type SampleOwner } from '../../../../shared/model/damage.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';

/** Records damage, or throws. */
export type OnDamage = (lost: LostSamples) => void;

export const refuseDamage =
  (owner: SampleOwner): OnDamage =>
  (lost) => {
    const isOfRun = 'runId' in owner;
    throw new KneepointError({
      code: 'store-corrupt',
      message: damageWords({ ...owner, ...lost }),
      ...(isOfRun && { run: owner.runId }),
      safe: `${isOfRun ? 'The rest of the run, and every other run,' : 'The other samples, and every run,'} can be read and exported. No figure is calculated from the damaged part.`,
      next: `${isOfRun ? 'Re-parse the stored output of the run, or export' : 'Export'} the intact data.`,
      details: { ...owner, ...lost },
    });
  };

/** `runId` null: output of `source`, a monitored host or server. */
export function damagedOutput(
  stream: { runId: number | null; source?: string; generator: number; name: string },
  from: number,
  to: number,
): KneepointError {
  const { runId, source = '', generator, name } = stream;
  const whose = runId === null ? `of the monitored source “${source}”` : `of run ${runId}`;
  const which = runId === null ? name : `${name} (generator ${generator + 1})`;
  return new KneepointError({
    code: 'store-corrupt',
    message: `The stored output ${whose} is damaged: bytes ${from} to ${to - 1} of ${which} do not match their checksum.`,
    ...(runId !== null && { run: runId }),
    safe: 'The rest of the output, its samples, and every run can be read.',
    next: 'Export the intact data; restore the library from a backup if you need this output.',
    details: { generator, name, from, to },
  });
}
