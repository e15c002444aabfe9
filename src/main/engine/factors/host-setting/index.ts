import type { Factor } from '../../../../shared/model/factor.ts';
import { type Complain, defineFactor, levelNamed } from '../factor.ts';
import { COMMANDS, hostPlaces, isOnTarget, withSettings } from '../host-commands.ts';
import {
  desiredSetting,
  type Fields,
  fields,
  keyOf,
  level,
  type Named,
  readKey,
  readNamed,
  wantedOf,
} from './document.ts';

export { COMMANDS } from '../host-commands.ts';
export { hostSettingChanger } from './changer.ts';

/** A factor that varies a setting of a kernel, device or interface on a host, or runs custom commands there. */
export const hostSettingFactor = defineFactor({
  kind: 'host-setting',
  title: 'Host setting',
  description:
    'A setting of the server host, of the generators or of any saved host: a kernel parameter, huge pages, a disk’s scheduler, a network rate, or custom commands.',
  changes: 'host',
  takes: 'A write on the host, without restarts. Custom commands: their own run time.',
  undone:
    'Read back on the host before each trial; a different value fails the trial. The original value is restored at the end. Custom commands are verified by `read` and undone by `undo`.',
  fields,
  level,
  plainLevels: true,
  example: '{name: thp, kind: host-setting, setting: transparent-hugepages, on: target, levels: [always, never]}',
  rules(factor, given) {
    const wanted = factor.levels.flatMap((each) => wantedOf(factor, given, each));
    return {
      varies: [...new Set(wanted.map(({ what }) => `${what} on ${given.on}`))],
      cost: 'live',
      levelKey: (each) =>
        JSON.stringify(
          wantedOf(factor, given, each)
            .map(({ what, value }) => [what, value])
            .sort(),
        ),
      check: (complain) => checkFactor(factor, given, complain),
      apply(step, name) {
        const chosen = levelNamed(factor, name);
        const desired = (chosen === undefined ? [] : wantedOf(factor, given, chosen)).flatMap((each) =>
          hostPlaces(given.on, each.ofServer, step).map((place) => desiredSetting(place, each)),
        );
        return { ...step, settings: withSettings(step, desired) };
      },
    };
  },
});

function checkFactor(factor: Factor, given: Fields, complain: Complain): void {
  const plain = factor.levels.some((each) => typeof each !== 'object');
  if (given.setting === undefined && plain)
    complain(['setting'], `Factor “${factor.name}” has plain levels but no “setting”.`);
  if (given.setting === COMMANDS) checkCommand(given, complain);
  else if ([given.apply, given.read, given.undo].some((text) => text !== undefined))
    complain(['setting'], `Commands are allowed only with setting: ${COMMANDS}.`);
  const named =
    given.setting === undefined || given.setting === COMMANDS ? undefined : readNamed(given.setting, given.of ?? '');
  if (typeof named === 'string') complain(['of'], named);
  if (given.setting === undefined && given.of !== undefined)
    complain(['of'], 'In a set, write the object after the name of the setting.');
  factor.levels.forEach((each, at) => {
    if (typeof each !== 'object')
      checkValue(named, String(each), given, (message) => complain(['levels', at], message));
    else if (given.setting !== undefined)
      complain(['levels', at], `A level with a set is allowed only in a factor without “setting”.`);
    else
      checkSet(level.parse({ set: each.set }).set, given, (path, message) =>
        complain(['levels', at, ...path], message),
      );
  });
}

function checkCommand({ apply, of }: Fields, complain: Complain): void {
  if (apply === undefined)
    complain(['apply'], 'The setting “commands” needs “apply”, the command that applies a level.');
  if (of !== undefined) complain(['of'], 'Custom commands take no object.');
}

function checkSet(set: Readonly<Record<string, unknown>>, given: Fields, complain: Complain): void {
  const seen = new Set<string>();
  for (const [key, value] of Object.entries(set)) {
    const named = readKey(key);
    const path = ['set', key];
    if (typeof named === 'string') {
      complain(path, named);
      continue;
    }
    if (seen.has(keyOf(named))) complain(path, `“${keyOf(named)}” appears twice in one level.`);
    seen.add(keyOf(named));
    checkValue(named, String(value), given, (message) => complain(path, message));
  }
}

function checkValue(
  named: Named | string | undefined,
  value: string,
  { on }: Fields,
  complain: (message: string) => void,
): void {
  if (named === undefined || typeof named === 'string') return;
  const wrong = named.setting.check(value);
  if (wrong !== undefined) complain(`${named.setting.name} ${wrong} “${value}” is not valid.`);
  if (named.setting.ofServer && !isOnTarget(on))
    complain(`${named.setting.name} belongs to a server, so it can only be varied on the target.`);
}
