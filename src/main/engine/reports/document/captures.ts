import { byChange, fileKind, type LevelPair, levelPairs } from '../../../../shared/captures/index.ts';
import type { CapturedTable, ComparedCounters, CounterDifference } from '../../../../shared/model/capture.ts';
import {
  differenceWords,
  entryWords,
  growthWords,
  type KeptEntry,
  keptEntries,
  sizeWords,
} from '../../../../shared/model/capture-words.ts';
import type { Scalar } from '../../../../shared/model/factor.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import type { Run } from '../../../../shared/model/session.ts';
import {
  formatBytes,
  formatChange,
  formatCount,
  formatLevels,
  formatNumber,
  formatShort,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import type { ReportCapture, ReportData } from '../data.ts';
import { heading, inOnePiece, note, type Part, table, withHeading, words } from './parts.ts';
import { WIDTH } from './svg.ts';

/** Maximum rows, columns and lines of a capture in print. */
const MOST_ROWS = 15;
const MOST_COLUMNS = 10;
const MOST_LINES = 15;
/** Characters of a line of text, and lines of a cell. */
const LINE_LETTERS = 100;
const CELL_LINES = 3;
/** Points between two columns, and maximum points of a character. */
const GAP = 7;
const LETTER = 4.5;
/** Range of characters used to divide the width between columns. */
const [LEAST_LETTERS, MOST_LETTERS] = [5, 60];
/** Share of a table's width that numbers may take on one line each; above it they are wrapped like words. */
const NUMBERS_SHARE = 0.7;

interface Listed {
  readonly run: Run;
  readonly entry: KeptEntry;
}

/** All captures of runs, and for each name the content of the first one. Empty for a session without captures. */
export function keptPart(data: ReportData): Part[] {
  const listed = data.runs.flatMap((run) => keptEntries(data.kept?.(run.id) ?? []).map((entry) => ({ run, entry })));
  if (listed.length === 0) return [];
  const names = [...new Set(listed.map(({ entry }) => entry.name))];
  return [
    ...inOnePiece('Captures', listTable(listed), 2),
    ...names.flatMap((name) =>
      contentPart(
        data,
        listed.filter(({ entry }) => entry.name === name),
      ),
    ),
  ];
}

/** Pairs of cells whose profiles are printed. */
const MOST_PAIRS = 4;

/** Counters per operation of a factor's levels next to those of its baseline. Empty if runs have none. */
export function profilesPart(data: ReportData, result: SessionResult): Part[] {
  const factor =
    result.factors.find(({ name }) => name === result.answer?.factor) ??
    result.factors.find(({ levels, load }) => levels.length > 1 && load === undefined);
  const { profiles } = data;
  if (!factor || !profiles) return [];
  const baseline = result.ratios?.find((ratios) => ratios.factor === factor.name)?.level ?? factor.levels[0] ?? '';
  const pairs = levelPairs(result.cells, factor.name, baseline);
  const parts = byChange(pairs)
    .slice(0, MOST_PAIRS)
    .flatMap((pair) =>
      profiles(pair.one, pair.other)
        .filter(({ rows }) => rows.length > 0)
        .flatMap((profile) => profileParts(profile, factor.name, baseline, pair)),
    );
  if (parts.length === 0) return [];
  const more = pairs.length - MOST_PAIRS;
  return [
    ...withHeading(heading('Profiles side by side'), parts),
    ...(more > 0 ? [note(`${formatCount(more, 'more pair')} of cells in the results.`)] : []),
  ];
}

function profileParts(
  { name, keys, counters, rows, word }: ComparedCounters,
  factor: string,
  baseline: Scalar,
  { level, others }: LevelPair,
): Part[] {
  const title = [`${name}, per ${word}`, others].filter(Boolean).join(', ');
  const [one, other] = [baseline, level].map((each) => formatLevels({ [factor]: each }));
  // Both figures and their change, for as many counters as fit.
  const shown = counters.slice(0, 2);
  const wordsOf = (value: number | undefined): string => (value === undefined ? NO_VALUE : formatShort(value));
  return [
    ...inOnePiece(
      title,
      table(
        [
          { title: keys.join(', '), width: '*' },
          ...shown.flatMap((counter) => [
            { title: `${counter}: ${one}`, align: 'right' as const, width: 82 },
            { title: `${counter}: ${other}`, align: 'right' as const, width: 82 },
            { title: 'change', align: 'right' as const, width: 44 },
          ]),
        ],
        rows.slice(0, MOST_ROWS).map(({ key, values }) => [
          cutTo(key.join(', '), LINE_LETTERS),
          ...shown.flatMap((_, place) => {
            const value = values[place];
            return [
              wordsOf(value?.one.mean),
              wordsOf(value?.other.mean),
              value?.change === undefined ? NO_VALUE : formatChange(value.change),
            ];
          }),
        ]),
      ),
      3,
    ),
    ...cutNote(rows.length - MOST_ROWS, 'more row'),
  ];
}

/** A row for each name and moment, over all runs. */
function listTable(listed: readonly Listed[]): Part {
  const hasProblems = listed.some(({ entry }) => entry.problem !== undefined);
  const when = (entry: KeptEntry): string => entryWords(entry.isDifference ? entry : { ...entry, t: undefined });
  const groups = Map.groupBy(listed, ({ entry }) => JSON.stringify([entry.name, when(entry)]));
  return table(
    [
      { title: 'Name', width: hasProblems ? 110 : '*' },
      { title: 'When' },
      { title: 'Stored as' },
      { title: 'Captures', align: 'right' },
      { title: 'Size of each', width: 80 },
      { title: 'Truncated', width: 70 },
      ...(hasProblems ? [{ title: 'Problem', width: '*' } as const] : []),
    ],
    [...groups.values()].flatMap((group) => {
      const [first] = group;
      const kept = group.filter(({ entry }) => entry.bytes > 0).map(({ entry }) => entry);
      return first
        ? [
            [
              ...[first.entry.name, when(first.entry), first.entry.as],
              `${formatNumber(kept.length)} of ${formatNumber(group.reduce((sum, { entry }) => sum + entry.times, 0))}`,
              ...[rangeWords(kept.map(({ bytes }) => bytes)), cutWords(kept)],
              ...(hasProblems ? [problemsOf(group)] : []),
            ],
          ]
        : [];
    }),
  );
}

function rangeWords(bytes: readonly number[]): string {
  if (bytes.length === 0) return NO_VALUE;
  const [least, most] = [formatBytes(Math.min(...bytes)), formatBytes(Math.max(...bytes))];
  return least === most ? least : `${least} to ${most}`;
}

/** How many are truncated, and the largest amount missing from one of them. */
function cutWords(kept: readonly KeptEntry[]): string {
  const cut = kept.flatMap(({ left }) => left ?? []).sort((one, other) => other.count - one.count);
  const [most] = cut;
  if (!most) return kept.length === 0 ? NO_VALUE : 'no';
  const more = most.unit === 'bytes' ? formatBytes(most.count) : formatCount(most.count, 'row');
  return `${cut.length === 1 ? '' : `${formatNumber(cut.length)} of them, up to `}${more} more`;
}

function problemsOf(group: readonly Listed[]): string {
  const problems = [...new Set(group.flatMap(({ entry }) => entry.problem ?? []))];
  const more = problems.length - 1;
  return [...problems.slice(0, 1), ...(more > 0 ? [`${formatCount(more, 'other reason')}.`] : [])].join(' ');
}

/** The last content of the first run that has any: repeats and cells have the same columns. */
function contentPart(data: ReportData, listed: readonly Listed[]): Part[] {
  const first = listed.find(({ entry }) => entry.bytes > 0);
  if (!first) return [];
  const { run } = first;
  const ofRun = listed.filter((each) => each.run === run && each.entry.bytes > 0);
  const { entry } = ofRun.at(-1) ?? first;
  const others = listed.filter((each) => each.entry.bytes > 0).length - 1;
  const head = `${entry.name}${data.runs.length > 1 ? `, ${runWords(run)}` : ''}, ${entryWords(entry)}`;
  const more =
    others > 0 ? [note(`${formatCount(others, 'more of this name', 'more of this name')} in the JSON export.`)] : [];
  const difference = entry.isDifference && data.differences?.(run.id).find(({ name }) => name === entry.name);
  if (difference) return [...differenceParts(head, difference), ...more];
  const content = data.captures?.(run.id).find(({ id }) => id === entry.id);
  return content ? [...contentParts(head, content), ...more] : [];
}

const runWords = ({ trial, levels }: Run): string =>
  `trial ${trial + 1}${Object.keys(levels).length > 0 ? ` (${formatLevels(levels)})` : ''}`;

function contentParts(head: string, { table: kept, text, file, left, problem }: ReportCapture): Part[] {
  const cut = left && `Truncated at the storage limit: ${sizeWords({ bytes: 0, left }).replace(/^.*truncated: /, '')}.`;
  const notes = [cut ?? [], problem ?? []].flat().map(note);
  if (kept) return [...tableParts(head, kept), ...notes];
  if (file)
    return [
      heading(head, 3),
      words(
        'cell',
        `${file.name}: ${fileKind(file.bytes).words}, ${formatBytes(file.bytes.length)}. It is in the JSON export.`,
      ),
      ...notes,
    ];
  if (text === undefined) return [heading(head, 3), ...notes];
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line) => cutTo(line, LINE_LETTERS));
  return [
    heading(head, 3),
    ...(text.trim() === '' ? [words('cell', 'Empty.')] : [{ kind: 'code', text: shown.join('\n') } as const]),
    ...cutNote(lines.length - shown.length, 'more line'),
    ...notes,
  ];
}

function tableParts(head: string, { columns, rows }: CapturedTable): Part[] {
  if (rows.length === 0) return [heading(head, 3), words('cell', 'No rows.')];
  // Columns that are empty in all rows are left out.
  const used = columns.flatMap((_, index) => (rows.some((row) => cellWords(row[index]) !== '') ? [index] : []));
  const shown = used.slice(0, MOST_COLUMNS);
  return [
    ...inOnePiece(
      head,
      grid(
        shown.map((index) => ({ title: columns[index] ?? '', right: rows.every((row) => isNumber(row[index])) })),
        rows.slice(0, MOST_ROWS).map((row) => shown.map((index) => cellWords(row[index]))),
      ),
    ),
    ...cutNote(rows.length - MOST_ROWS, 'more row'),
    ...cutNote(used.length - shown.length, 'more column'),
  ];
}

function differenceParts(head: string, difference: CounterDifference): Part[] {
  const { keys, counters, rows, operations, notes } = difference;
  const grown = counters.flatMap((_, index) => (rows.some(({ grew }) => grew[index] !== 0) ? [index] : []));
  const shown = grown.slice(0, Math.max(1, MOST_COLUMNS - keys.length));
  const basis = `${differenceWords(difference)}${operations && rows.length > 0 ? `. Figures: from start to end · per ${operations.word}` : ''}`;
  const figure = (by: number | null | undefined): string =>
    by === null || by === undefined
      ? NO_VALUE
      : `${growthWords(by)}${operations ? ` · ${growthWords(by / operations.count)}` : ''}`;
  if (rows.length === 0) return [heading(head, 3), words('cell', `No counter grew ${basis}.`), ...notes.map(note)];
  return [
    ...inOnePiece(
      head,
      grid(
        [
          ...keys.map((title) => ({ title, right: false })),
          ...shown.map((index) => ({ title: counters[index] ?? '', right: true })),
        ],
        rows.slice(0, MOST_ROWS).map(({ key, grew }) => [...key, ...shown.map((index) => figure(grew[index]))]),
      ),
    ),
    ...cutNote(rows.length - MOST_ROWS, 'more row'),
    ...cutNote(grown.length - shown.length, 'more counter'),
    note(`${basis.charAt(0).toUpperCase()}${basis.slice(1)}.`),
    ...notes.map(note),
  ];
}

interface GridColumn {
  readonly title: string;
  readonly right: boolean;
}

/** Columns sized by the length of their text, in points: a long word must not widen the table beyond the page. */
function grid(columns: readonly GridColumn[], rows: readonly (readonly string[])[]): Part {
  const letters = columns.map(({ title }, index) =>
    rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), Math.max(LEAST_LETTERS, title.length)),
  );
  const room = WIDTH - GAP * columns.length;
  const sum = (of: (index: number) => number): number => columns.reduce((all, _, index) => all + of(index), 0);
  const lineOf = (index: number): number => (letters[index] ?? 0) * LETTER;
  const numbers = sum((index) => (columns[index]?.right ? lineOf(index) : 0));
  const isInLine = (index: number): boolean => columns[index]?.right === true && numbers <= room * NUMBERS_SHARE;
  const shareOf = (index: number): number => (isInLine(index) ? 0 : Math.min(MOST_LETTERS, letters[index] ?? 0));
  const shares = sum(shareOf);
  const rest = room - sum((index) => (isInLine(index) ? lineOf(index) : 0));
  const widthOf = (index: number): number =>
    Math.floor(
      isInLine(index) ? lineOf(index) + (shares === 0 ? rest / columns.length : 0) : (rest * shareOf(index)) / shares,
    );
  const fitting = (text: string, index: number): string =>
    cutTo(text.replaceAll(/\s+/g, ' '), Math.max(LEAST_LETTERS, Math.floor(widthOf(index) / LETTER) * CELL_LINES));
  return table(
    columns.map(({ title }, index) => ({
      ...{ title: fitting(title, index), width: widthOf(index) },
      ...(isInLine(index) && { align: 'right' as const }),
    })),
    rows.map((row) => row.map(fitting)),
  );
}

type Cell = CapturedTable['rows'][number][number];
const cellWords = (value: Cell | undefined): string => (value === null || value === undefined ? '' : String(value));
const isNumber = (value: Cell | undefined): boolean =>
  value === null || value === undefined || (cellWords(value).trim() !== '' && Number.isFinite(Number(value)));

const cutTo = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, letters - 1).trimEnd()}…` : text;

const cutNote = (left: number, what: string): Part[] =>
  left > 0 ? [note(`Truncated: ${formatCount(left, what)}. The JSON export has all.`)] : [];
