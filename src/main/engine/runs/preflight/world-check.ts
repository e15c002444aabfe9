import { formatCount } from '../../../../shared/util/format.ts';
import type { Examined, Wish } from '../../factors/change.ts';
import type { RunsContext } from '../context.ts';
import type { DeviceFinding } from '../devices.ts';
import { atPlace, changerNamed, grouped, placeOf, placeWords } from '../world/index.ts';
import { liftable } from './finding-of.ts';
import type { Knowledge } from './knowledge.ts';

/** Findings that a person may lift by typing what they are about, and what follows the name of the place in that phrase. */
const LIFTED: Readonly<Record<string, (wish: Wish) => string>> = {
  'server-shared': () => 'shared',
  'cannot-undo': ({ what }) => what,
  'cannot-verify': ({ what }) => what,
};

/** Everything that cells want of hosts and servers, each thing and value once. */
export const wishesOf = ({ steps }: Pick<Knowledge, 'steps'>): Wish[] =>
  eachOnce(steps.flatMap(({ wishes }) => wishes));

export const eachOnce = (wishes: readonly Wish[]): Wish[] => [
  ...new Map(wishes.map((wish) => [JSON.stringify(wish), wish])).values(),
];

/** Asks hosts and servers what making each wish true would take, and what stands against it. Changes nothing. */
export async function examineWishes(
  context: RunsContext,
  known: Knowledge,
  signal: AbortSignal,
  tell: (evidence: string) => void,
  wishes = wishesOf(known),
): Promise<DeviceFinding[]> {
  const findings = new Map<string, DeviceFinding>();
  const note = (finding: DeviceFinding): void => {
    findings.set(JSON.stringify([finding.code, finding.message]), finding);
  };
  const placed = wishes.map((wish) => ({ wish, place: placeOf(context, wish) }));
  for (const { place, changer: name, things } of grouped(placed, ({ wish, place }) => ({
    place,
    changer: wish.changer,
  }))) {
    const asked = things.map(({ wish }) => wish);
    const changer = changerNamed(context.changers, name);
    const at = atPlace(context, place, signal);
    if (changer.needsData) {
      for (const finding of (await changer.against?.(at)) ?? []) note(finding);
      tell(`${placeWords(place)}: ${formatCount(things.length, 'variant')} of the data, made once it is there`);
      continue;
    }
    const examined = await changer.examine(at, asked);
    tell(`${placeWords(place)}: ${costWords(asked, examined)}`);
    examined.forEach((each, index) => {
      for (const finding of each.findings) note(liftableWish(known, finding, place.name, asked[index] as Wish));
    });
  }
  return [...findings.values()];
}

/** “3 settings, 1 after a restart”. */
function costWords(wishes: readonly Wish[], examined: readonly Examined[]): string {
  const whats = new Set(wishes.map(({ what }) => what));
  const costly = (cost: Examined['cost']): number =>
    new Set(wishes.flatMap(({ what }, index) => (examined[index]?.cost === cost ? [what] : []))).size;
  const [restart, reload] = [costly('restart'), costly('reload')];
  return [
    formatCount(whats.size, 'setting'),
    ...(restart > 0 ? [`${restart} after a restart`] : []),
    ...(reload > 0 ? [`${reload} after a reload`] : []),
  ].join(', ');
}

function liftableWish(known: Knowledge, finding: DeviceFinding, place: string, wish: Wish): DeviceFinding {
  const of = finding.severity === 'block' ? LIFTED[finding.code] : undefined;
  return of ? liftable(known, finding, `${place}:${of(wish)}`) : finding;
}
