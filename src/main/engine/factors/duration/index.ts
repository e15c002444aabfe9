import { z } from 'zod';
import { Measure } from '../../../../shared/model/experiment.ts';
import { levelName } from '../../../../shared/model/factor.ts';
import { issueWords } from '../../../../shared/util/issue-words.ts';
import { defineFactor } from '../factor.ts';

/** A factor that sets how long a trial is measured. */
export const durationFactor = defineFactor({
  kind: 'duration',
  title: 'Duration',
  description: 'How long a trial is measured after its warm-up, in seconds or with a unit: 90, 10m, 1h.',
  changes: 'nothing',
  takes: 'Nothing.',
  undone: 'The command of each run is stored with it; nothing to undo.',
  fields: z.strictObject({}),
  example: '{name: length, kind: duration, levels: [10m, 1h]}',
  plainLevel: (level, _factor, plain) => plain.seconds(level),
  rules: (factor) => ({
    varies: ['the duration'],
    cost: 'none',
    levelKey: (level) => String(Number(levelName(level))),
    check(complain) {
      factor.levels.forEach((level, at) => {
        const value = levelName(level);
        const read = Measure.shape.duration.safeParse(
          typeof value === 'string' && value !== '' ? Number(value) : value,
        );
        if (!read.success)
          complain(['levels', at], `${String(value)}: ${read.error.issues.map(issueWords).join('; ')}`);
      });
    },
    apply: (step, level) => ({ ...step, duration: Number(level) }),
  }),
});
