import type { Experiment } from '../model/experiment.ts';
import type { Finding } from '../model/finding.ts';

/** What a person has to know of a load that comes from several hosts. */
export function severalChecks({ where }: Pick<Experiment, 'where'>): Finding[] {
  const { generators } = where;
  if (generators.length < 2) return [];
  return [
    {
      code: 'load-divided',
      severity: 'note',
      message: `Numbers of threads, clients and rates are for all ${generators.length} generators together and are divided between them; they start at the same moment.`,
      evidence: generators.join(', '),
      next: 'The command of each generator shows its part. Rates are added up; percentiles are shown for each generator, as they cannot be.',
    },
  ];
}
