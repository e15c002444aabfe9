import type { DataSet } from '../../shared/model/data-set.ts';
import { DATA_STATE_WORDS, rowWords, tableWords } from '../../shared/model/data-set-words.ts';
import { formatBytes, formatDateTime, NO_VALUE } from '../../shared/util/format.ts';
import { askYes, canAsk } from './ask.ts';
import { EXIT, UsageError } from './exit.ts';
import { plainText, print, printJson, say, table } from './output.ts';
import { idOf } from './sessions.ts';
import { type Common, withEngine } from './with-engine.ts';

const NUMBER = "data set's number (kneepoint data list shows them)";

interface ListOptions extends Common {
  target?: string;
}

export async function dataListCommand(options: ListOptions): Promise<number> {
  return withEngine(options, async (engine) => {
    const target = (await engine.targets.list({})).find(({ spec }) => spec.name === options.target);
    if (options.target !== undefined && !target) throw new UsageError(`There is no target named “${options.target}”.`);
    const sets = await engine.dataSets.list(target ? { targetId: target.id } : {});
    if (options.json) printJson(sets);
    else print(sets.length === 0 ? 'No data set yet: a session makes them before its first trial.' : dataTable(sets));
    return EXIT.done;
  });
}

export async function dataCountCommand(idText: string, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const set = await engine.dataSets.count({ id: idOf(idText, NUMBER) });
    if (options.json) printJson(set);
    else print(dataTable([set]));
    return set.state === 'ready' || set.state === 'dirty' ? EXIT.done : EXIT.runFailed;
  });
}

interface RemoveOptions extends Common {
  yes?: boolean;
  generator?: string;
}

export async function dataRemoveCommand(idText: string, options: RemoveOptions): Promise<number> {
  return withEngine(options, async (engine) => {
    const id = idOf(idText, NUMBER);
    const set = (await engine.dataSets.list({})).find((entry) => entry.id === id);
    if (!set) throw new UsageError(`There is no data set ${id} (kneepoint data list shows them).`);
    const what = `${tableWords(set)} on ${set.target} (${set.title})`;
    if (!options.yes && !(canAsk(options) && (await askYes(plainText(`Drop ${what}?`)))))
      throw new UsageError(`Nothing was removed. Add --yes to drop ${what}.`);
    const { generator } = options;
    const removed = await engine.dataSets.remove({ id, ...(generator !== undefined && { generator }) });
    if (options.json) printJson(removed);
    else say(`Removed ${what}.`);
    return EXIT.done;
  });
}

const dataTable = (sets: readonly DataSet[]): string =>
  table<DataSet>(sets, [
    { title: 'id', number: true, value: (set) => String(set.id) },
    { title: 'target', value: (set) => set.target },
    { title: 'data', value: (set) => set.title },
    { title: 'tables', value: tableWords },
    { title: 'rows', number: true, value: rowWords },
    {
      title: 'size, about',
      number: true,
      value: (set) => (set.bytes === undefined ? NO_VALUE : formatBytes(set.bytes)),
    },
    { title: 'state', value: (set) => DATA_STATE_WORDS[set.state].word },
    { title: 'made by', value: (set) => (set.madeBy === undefined ? NO_VALUE : `session ${set.madeBy}`) },
    { title: 'counted', value: (set) => formatDateTime(set.countedAt) },
  ]);
