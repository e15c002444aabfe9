import type { Comparison } from '../../../shared/model/result.ts';
import { type TargetFacts, targetsOf } from '../../../shared/model/session-snapshot.ts';
import { everySetting, isOfStart, settingWords, type TargetSetting } from '../../../shared/model/settings.ts';
import { NO_VALUE } from '../../../shared/util/format.ts';

type Difference = Comparison['settings'][number];
const RANKS: readonly Difference['rank'][] = ['matters', 'other', 'start'];

/**
 * The same for two sets of targets. Where each has one, they meet whatever they are called; of several those of the same name, and each
 * setting then says of which.
 */
export function settingDifferencesOf(a: Targeted, b: Targeted): Difference[] {
  const [left, right] = [targetsOf(a), targetsOf(b)];
  if (left.length < 2 && right.length < 2) return settingDifferences(left[0], right[0]);
  return left.flatMap((target) => {
    const other = right.find(({ name }) => name === target.name);
    if (!other) return [];
    return settingDifferences(target, other).map((each) => ({ ...each, name: `${target.name}: ${each.name}` }));
  });
}
type Targeted = Parameters<typeof targetsOf>[0];

/** Settings of the two targets that differ: those that matter in the servers' order, then the others by name, then what differs by nature. */
export function settingDifferences(a: TargetFacts | undefined, b: TargetFacts | undefined): Difference[] {
  // A list on one side only, or of another kind of server, would differ in every line and explain nothing.
  const whole = a?.kind === b?.kind && a?.settings !== undefined && b?.settings !== undefined;
  const settingsOf = (target: TargetFacts | undefined): Map<string, TargetSetting> =>
    new Map(everySetting(target?.description, whole ? target?.settings : []).map((setting) => [setting.name, setting]));
  const [left, right] = [settingsOf(a), settingsOf(b)];
  const differences = [...new Set([...left.keys(), ...right.keys()])].flatMap((name): Difference[] => {
    const [mine, theirs] = [left.get(name), right.get(name)];
    if (mine?.value === theirs?.value && mine?.unit === theirs?.unit) return [];
    const why = mine?.why ?? theirs?.why;
    const values = [mine, theirs].flatMap((setting) => (setting ? [setting.value] : []));
    const rank = isOfStart(mine ?? theirs ?? { name }, values) ? 'start' : why === undefined ? 'other' : 'matters';
    return [{ name, ...wordsOf(mine, theirs), rank, ...(why ? { why } : {}) }];
  });
  return RANKS.flatMap((rank) => {
    const those = differences.filter((difference) => difference.rank === rank);
    return rank === 'matters' ? those : those.sort((one, two) => one.name.localeCompare(two.name, 'en'));
  });
}

/** Words that tell two values apart: figures as the servers say them where rounded ones would be alike. */
function wordsOf(
  mine: TargetSetting | undefined,
  theirs: TargetSetting | undefined,
): Pick<Difference, 'baseline' | 'other'> {
  const inWords = (setting: TargetSetting | undefined): string =>
    setting === undefined ? NO_VALUE : settingWords(setting) || 'empty';
  const [baseline, other] = [inWords(mine), inWords(theirs)];
  if (baseline !== other) return { baseline, other };
  const asTold = (setting: TargetSetting | undefined): string =>
    `${setting?.value ?? ''} ${setting?.unit ?? ''}`.trim();
  return { baseline: asTold(mine), other: asTold(theirs) };
}
