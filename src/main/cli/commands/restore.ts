import type { Changed, PutBackResult } from '../../../shared/model/restore.ts';
import { formatCount, formatDateTime } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, table } from '../terminal.ts';
import { type Common, withEngine, withReader } from '../with-engine.ts';

const shownValue = (value: string | null): string => value ?? '(unset)';
const placeOf = ({ place }: Pick<Changed, 'place'>): string => `${place.kind} ${place.name}`;

/** Restores settings that sessions have changed on hosts and servers, or lists them. */
export async function restoreCommand(
  id: string | undefined,
  options: Common & { list?: boolean; force?: boolean; confirm?: string[]; giveUp?: string },
): Promise<number> {
  const session = id === undefined ? undefined : idOf(id);
  if (options.list) return listChanged(session, options);
  if (options.giveUp !== undefined) return giveUp(options.giveUp, session, options);
  return withEngine(options, async (engine) => {
    const results = await engine.changes.putBack({
      ...(session !== undefined && { session }),
      force: options.force ?? false,
      ...(options.confirm && { confirm: options.confirm }),
    });
    if (options.json) printJson(results);
    else if (results.length === 0) print('Nothing to restore: hosts and servers have no leftover changes.');
    else for (const result of results) print(resultLine(result));
    return results.every(({ outcome }) => outcome === 'restored') ? EXIT.done : EXIT.runFailed;
  });
}

/** Accepts the changed settings of this host or target as they are. */
function giveUp(name: string, session: number | undefined, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const all = await engine.changes.list({});
    const there = all.filter(
      (entry) => entry.place.name === name && (session === undefined || entry.session === session),
    );
    if (there.length === 0) throw new UsageError(`Nothing to restore on “${name}”.`);
    for (const { entry } of there) await engine.changes.leave({ entry });
    if (options.json) printJson(there);
    else for (const each of there) print(`kept as is  ${placeOf(each)}  ${each.what} was ${shownValue(each.first)}`);
    return EXIT.done;
  });
}

const OUTCOMES = { restored: 'restored', left: 'LEFT', failed: 'NOT RESTORED' } as const;

const resultLine = (result: PutBackResult): string =>
  [`${OUTCOMES[result.outcome]}  ${placeOf(result)}  ${result.what} = ${shownValue(result.first)}`, result.message]
    .filter(Boolean)
    .join('\n    ');

function listChanged(session: number | undefined, options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const all = await engine.changes.list({});
    const changed = all.filter((entry) => session === undefined || entry.session === session);
    if (options.json) printJson(changed);
    else if (changed.length === 0) print('Nothing to restore: hosts and servers have no leftover changes.');
    else {
      print(
        table<Changed>(changed, [
          { title: 'session', number: true, value: (entry) => String(entry.session ?? '–') },
          { title: 'place', value: (entry) => placeOf(entry) },
          { title: 'setting', value: ({ what }) => what },
          { title: 'was', value: ({ first }) => shownValue(first) },
          { title: 'set to', value: ({ wanted }) => shownValue(wanted) },
          { title: 'since', value: ({ since }) => formatDateTime(since) },
        ]),
      );
      for (const { what, message } of changed) if (message) print(`${what}: ${message}`);
      print(`${formatCount(changed.length, 'setting')} to restore: kneepoint restore`);
    }
    return EXIT.done;
  });
}
