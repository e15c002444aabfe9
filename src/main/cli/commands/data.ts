import {
  DATA_STATE_WORDS,
  type DataSet,
  type DataSetKind,
  fileWords,
  rowWords,
  sizeWords,
  tableWords,
} from '../../../shared/model/data-set.ts';
import { formatBytes, formatDateTime, NO_VALUE } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { askYes, type Column, canAsk, plainText, print, printJson, printStatus, table } from '../terminal.ts';
import { type Common, withEngine, withReader } from '../with-engine.ts';

type Engine = Parameters<Parameters<typeof withEngine>[1]>[0];
type Place = { targetId: number } | { hostId: number } | undefined;

interface ListOptions extends Common {
  target?: string;
  host?: string;
}
interface RemoveOptions extends Common {
  yes?: boolean;
  generator?: string;
}

/** Words for the commands of one kind. */
interface Words {
  /** kneepoint … */
  command: string;
  noun: string;
  none: string;
  remove: 'Drop' | 'Remove';
  columns: readonly Column<DataSet>[];
}

const madeBy = ({ madeBy }: DataSet): string => (madeBy === undefined ? NO_VALUE : `session ${madeBy}`);
const partsOf = (set: DataSet): string => (set.kind === 'tables' ? tableWords(set) : fileWords(set));
const placeOf = (set: DataSet): string => (set.kind === 'tables' ? set.target : set.host);
const lookedAt = (set: DataSet): string => formatDateTime(set.kind === 'tables' ? set.countedAt : set.checkedAt);
const sizeOf = (set: DataSet): string => {
  if (set.kind === 'files') return sizeWords(set);
  return set.bytes === undefined ? NO_VALUE : formatBytes(set.bytes);
};

const WORDS: Readonly<Record<DataSetKind, Words>> = {
  tables: {
    command: 'data',
    noun: 'data set',
    none: 'No data sets yet. A session prepares them before its first trial.',
    remove: 'Drop',
    columns: [
      { title: 'id', number: true, value: ({ id }) => String(id) },
      { title: 'target', value: placeOf },
      { title: 'data', value: ({ title }) => title },
      { title: 'tables', value: partsOf },
      { title: 'rows', number: true, value: (set) => (set.kind === 'tables' ? rowWords(set) : NO_VALUE) },
      { title: 'approx. size', number: true, value: sizeOf },
      { title: 'state', value: ({ state }) => DATA_STATE_WORDS[state].word },
      { title: 'prepared by', value: madeBy },
      { title: 'counted', value: lookedAt },
    ],
  },
  files: {
    command: 'files',
    noun: 'file set',
    none: 'No file sets yet. A session prepares them before its first trial.',
    remove: 'Remove',
    columns: [
      { title: 'id', number: true, value: ({ id }) => String(id) },
      { title: 'host', value: placeOf },
      { title: 'files', value: ({ title }) => title },
      { title: 'place', value: partsOf },
      { title: 'size', number: true, value: sizeOf },
      { title: 'state', value: ({ state }) => DATA_STATE_WORDS[state].word },
      { title: 'prepared by', value: madeBy },
      { title: 'checked', value: lookedAt },
    ],
  },
};

/** `kneepoint data` and `kneepoint files`, for data sets of their kind. */
export function dataCommands(kind: DataSetKind) {
  const { command, noun, none, remove, columns } = WORDS[kind];
  const numberOf = (text: string): number => idOf(text, `${noun}'s number (kneepoint ${command} list shows them)`);
  return {
    list: (options: ListOptions): Promise<number> =>
      withReader(options, async (engine) => {
        const sets = await engine.dataSets.list({ kind, ...(await placeNamed(engine, options)) });
        if (options.json) printJson(sets);
        else print(sets.length === 0 ? none : table(sets, columns));
        return EXIT.done;
      }),
    look: (idText: string, options: Common): Promise<number> =>
      withEngine(options, async (engine) => {
        const set = await engine.dataSets.look({ kind, id: numberOf(idText) });
        if (options.json) printJson(set);
        else print(table([set], columns));
        return set.state === 'ready' || set.state === 'dirty' ? EXIT.done : EXIT.runFailed;
      }),
    remove: (idText: string, options: RemoveOptions): Promise<number> =>
      withEngine(options, async (engine) => {
        const id = numberOf(idText);
        const set = (await engine.dataSets.list({ kind })).find((entry) => entry.id === id);
        if (!set) throw new UsageError(`There is no ${noun} ${id} (kneepoint ${command} list shows them).`);
        const what = `${partsOf(set)} on ${placeOf(set)} (${set.title})`;
        if (!options.yes && !(canAsk(options) && (await askYes(plainText(`${remove} ${what}?`)))))
          throw new UsageError(`Nothing was removed. Add --yes to ${remove.toLowerCase()} ${what}.`);
        const { generator } = options;
        const removed = await engine.dataSets.remove(
          kind === 'files' ? { kind, id } : { kind, id, ...(generator !== undefined && { generator }) },
        );
        if (options.json) printJson(removed);
        else printStatus(`Removed ${what}.`);
        return EXIT.done;
      }),
  };
}

async function placeNamed(engine: Engine, { target, host }: ListOptions): Promise<Place> {
  if (target !== undefined) {
    const found = (await engine.targets.list({})).find(({ spec }) => spec.name === target);
    if (!found) throw new UsageError(`There is no target named “${target}”.`);
    return { targetId: found.id };
  }
  if (host === undefined) return undefined;
  const found = (await engine.hosts.list({})).find(({ spec }) => spec.name === host);
  if (!found) throw new UsageError(`There is no host named “${host}”.`);
  return { hostId: found.id };
}
