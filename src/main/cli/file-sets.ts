import { DATA_STATE_WORDS } from '../../shared/model/data-set-words.ts';
import { type FileSet, fileWords, sizeWords } from '../../shared/model/file-set.ts';
import { formatDateTime, NO_VALUE } from '../../shared/util/format.ts';
import { askYes, canAsk } from './ask.ts';
import { EXIT, UsageError } from './exit.ts';
import { plainText, print, printJson, say, table } from './output.ts';
import { idOf } from './sessions.ts';
import { type Common, withEngine } from './with-engine.ts';

const NUMBER = "file set's number (kneepoint files list shows them)";

export async function filesListCommand(options: Common & { host?: string }): Promise<number> {
  return withEngine(options, async (engine) => {
    const host = (await engine.hosts.list({})).find(({ spec }) => spec.name === options.host);
    if (options.host !== undefined && !host) throw new UsageError(`There is no host named “${options.host}”.`);
    const sets = await engine.fileSets.list(host ? { hostId: host.id } : {});
    if (options.json) printJson(sets);
    else print(sets.length === 0 ? 'No file set yet: a session lays them out before its first trial.' : tableOf(sets));
    return EXIT.done;
  });
}

export async function filesCheckCommand(idText: string, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const set = await engine.fileSets.check({ id: idOf(idText, NUMBER) });
    if (options.json) printJson(set);
    else print(tableOf([set]));
    return set.state === 'ready' || set.state === 'dirty' ? EXIT.done : EXIT.runFailed;
  });
}

export async function filesRemoveCommand(idText: string, options: Common & { yes?: boolean }): Promise<number> {
  return withEngine(options, async (engine) => {
    const id = idOf(idText, NUMBER);
    const set = (await engine.fileSets.list({})).find((entry) => entry.id === id);
    if (!set) throw new UsageError(`There is no file set ${id} (kneepoint files list shows them).`);
    const what = `${fileWords(set)} on ${set.host} (${set.title})`;
    if (!options.yes && !(canAsk(options) && (await askYes(plainText(`Remove ${what}?`)))))
      throw new UsageError(`Nothing was removed. Add --yes to remove ${what}.`);
    const removed = await engine.fileSets.remove({ id });
    if (options.json) printJson(removed);
    else say(`Removed ${what}.`);
    return EXIT.done;
  });
}

const tableOf = (sets: readonly FileSet[]): string =>
  table<FileSet>(sets, [
    { title: 'id', number: true, value: (set) => String(set.id) },
    { title: 'host', value: (set) => set.host },
    { title: 'files', value: (set) => set.title },
    { title: 'place', value: fileWords },
    { title: 'size', number: true, value: sizeWords },
    { title: 'state', value: (set) => DATA_STATE_WORDS[set.state].word },
    { title: 'made by', value: (set) => (set.madeBy === undefined ? NO_VALUE : `session ${set.madeBy}`) },
    { title: 'checked', value: (set) => formatDateTime(set.checkedAt) },
  ]);
