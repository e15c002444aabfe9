import { Pill } from '@mantine/core';
import { conditionsOf } from '../../../../../../shared/model/cells.ts';
import type { Experiment, Levels } from '../../../../../../shared/model/experiment.ts';
import { plainLevel, plainLevels } from '../../../../../../shared/util/format.ts';
import { withExclude, withFactor, withOnly } from '../factors.ts';
import classes from './cells.module.css';

interface Properties {
  experiment: Experiment;
  edit(change: (experiment: Experiment) => Experiment): void;
}

interface Rule {
  readonly words: string;
  remove(experiment: Experiment): Experiment;
}

const MOST_SHOWN = 12;
const without = <T,>(items: readonly T[] | undefined, index: number): T[] =>
  (items ?? []).filter((_, place) => place !== index);

/** Rules for the combinations to measure, each of which can be removed: conditions, selections, exclusions. */
export function Rules({ experiment, edit }: Properties) {
  const { factors, only, exclude } = experiment;
  const conditions = factors.flatMap((factor, index): Rule[] =>
    conditionsOf(factor).map(([name, levels]) => ({
      words: `${factor.name}: only where ${name} = ${levels.map(plainLevel).join(' or ')}`,
      remove: (now) => {
        const { when: { [name]: _, ...others } = {}, ...rest } = now.factors[index] ?? factor;
        return withFactor(now, index, { ...rest, ...(Object.keys(others).length > 0 && { when: others }) });
      },
    })),
  );
  const patterns = (all: readonly Levels[] | undefined, change: typeof withOnly, part: 'only' | 'exclude'): Rule[] =>
    (all ?? []).map((pattern, index) => ({
      words: plainLevels(pattern),
      remove: (now) => change(now, without(now[part], index)),
    }));
  const groups = [
    ['Conditions', conditions],
    ['Measured only', patterns(only, withOnly, 'only')],
    ['Excluded', patterns(exclude, withExclude, 'exclude')],
  ] as const;
  if (groups.every(([, rules]) => rules.length === 0)) return null;
  return (
    <div className={classes.rules}>
      {groups.map(
        ([title, rules]) =>
          rules.length > 0 && (
            <fieldset key={title} aria-label={title}>
              <span className="kp-small">{title}</span>
              {rules.slice(0, MOST_SHOWN).map((rule) => (
                <Pill
                  key={rule.words}
                  size="sm"
                  withRemoveButton
                  removeButtonProps={{ 'aria-hidden': false, 'aria-label': `Remove: ${rule.words}`, tabIndex: 0 }}
                  onRemove={() => edit(rule.remove)}
                >
                  {rule.words}
                </Pill>
              ))}
              {rules.length > MOST_SHOWN && (
                <span className="kp-small">and {(rules.length - MOST_SHOWN).toLocaleString('en-US')} more</span>
              )}
            </fieldset>
          ),
      )}
    </div>
  );
}
