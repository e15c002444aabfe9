import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileKind, tableText } from '../../../shared/captures/index.ts';
import type {
  CaptureContent,
  ComparedCounters,
  CounterDifference,
  KeptCapture,
} from '../../../shared/model/capture.ts';
import {
  differenceWords,
  growthWords,
  momentWords,
  problemWords,
  sizeWords,
} from '../../../shared/model/capture-words.ts';
import type { Run } from '../../../shared/model/session.ts';
import { formatBytes, formatChange, formatDateTime, formatShort, NO_VALUE } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, table } from '../terminal.ts';
import { type Common, type EngineClient, withReader } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';
import { runName, trialOf } from './figures.ts';

interface CapturesOptions extends Common {
  trial?: string;
  name?: string;
  save?: string;
}

/** Lists the captures of a session; with `--name`, prints their content; with `--save`, writes attachments to a folder. */
export async function capturesCommand(id: string, { trial, name, save, ...options }: CapturesOptions): Promise<number> {
  const sessionId = idOf(id);
  return withReader(options, async (engine) => {
    const runs = await engine.sessions.runs({ id: sessionId });
    const run = trial === undefined ? undefined : trialOf(sessionId, runs, trial);
    const all = await engine.captures.list({ sessionId, ...(run && { runId: run.id }) });
    const kept = name === undefined ? all : all.filter((each) => each.name === name);
    if (name !== undefined && kept.length === 0) throw noneNamed(sessionId, name, all);
    if (save !== undefined) return saveAttachments(engine, kept, runs, { sessionId, folder: save });
    if (name === undefined) {
      if (options.json) printJson(kept);
      else print(keptTable(kept, runs) ?? 'This session has no captures: its experiment defines none.');
      return EXIT.done;
    }
    const contents = [];
    for (const each of kept) contents.push({ ...each, ...(await engine.captures.content({ id: each.id })) });
    const differences = await differencesOf(engine, kept, name);
    if (options.json) printJson({ kept: contents.map(withBase64), differences });
    else if (differences.length > 0)
      for (const difference of differences) print(differenceText(difference, nameOf(difference.runId, runs)));
    else
      for (const { text, table: rows, file, ...each } of contents) {
        print(`${nameOf(each.runId, runs)}, ${momentWords(each)}, ${formatDateTime(each.at)}: ${sizeWords(each)}`);
        if (each.problem !== undefined) print(problemWords(each));
        if (file) print(`${file.name}, ${fileKind(file.bytes).words}: --save FOLDER writes it\n`);
        if (text !== undefined || rows) print(`${text ?? (rows ? tableText(rows) : '')}\n`);
      }
    return EXIT.done;
  });
}

const withBase64 = ({ file, ...capture }: KeptCapture & CaptureContent): object => ({
  ...capture,
  ...(file && { file: { name: file.name, base64: Buffer.from(file.bytes).toString('base64') } }),
});

/** Writes attachments to a folder, each under a name of its own. */
async function saveAttachments(
  engine: EngineClient,
  kept: readonly KeptCapture[],
  runs: readonly Run[],
  { sessionId, folder }: { sessionId: number; folder: string },
): Promise<number> {
  const attached = kept.filter(({ as, bytes }) => as === 'attachment' && bytes > 0);
  if (attached.length === 0) throw new UsageError('None of these captures is an attachment: see the column “as”.');
  mkdirSync(folder, { recursive: true });
  for (const each of attached) {
    const { file } = await engine.captures.content({ id: each.id });
    if (!file) continue;
    const trial = (runs.find(({ id }) => id === each.runId)?.trial ?? 0) + 1;
    const second = each.t === undefined || each.moment === 'end' ? [] : [`${Math.floor(each.t)}s`];
    const path = join(
      folder,
      [`session-${sessionId}`, `trial-${trial}`, each.moment, ...second, each.id, file.name].join('-'),
    );
    writeOutput(path, file.bytes);
    print(`${path}: ${fileKind(file.bytes).words}, ${formatBytes(file.bytes.length)}`);
  }
  return EXIT.done;
}

const nameOf = (runId: number, runs: readonly Run[]): string => {
  const run = runs.find((each) => each.id === runId);
  return run ? runName(run) : `Run ${runId}`;
};

async function differencesOf(
  engine: EngineClient,
  kept: readonly KeptCapture[],
  name: string,
): Promise<CounterDifference[]> {
  const ofRuns = new Set(kept.filter(({ as }) => as === 'difference').map(({ runId }) => runId));
  const found: CounterDifference[] = [];
  for (const runId of ofRuns)
    found.push(...(await engine.captures.differences({ runId })).filter((each) => each.name === name));
  return found;
}

function noneNamed(sessionId: number, name: string, all: readonly KeptCapture[]): UsageError {
  const names = [...new Set(all.map((each) => each.name))].join(', ');
  return new UsageError(
    `Session ${sessionId} has no capture named “${name}”. ${names ? `Captures: ${names}.` : 'It has none.'}`,
  );
}

/** Undefined if there are no captures. */
export const keptTable = (kept: readonly KeptCapture[], runs: readonly Run[]): string | undefined =>
  kept.length === 0
    ? undefined
    : table<KeptCapture>(kept, [
        { title: 'trial', value: ({ runId }) => nameOf(runId, runs) },
        { title: 'capture', value: ({ name }) => name },
        { title: 'stored as', value: ({ as }) => as },
        { title: 'when', value: momentWords },
        { title: 'size', value: (each) => (each.bytes > 0 ? sizeWords(each) : NO_VALUE) },
        ...(kept.some(({ problem }) => problem !== undefined) ? [{ title: 'problem', value: problemWords }] : []),
      ]);

/** Maximum rows shown of a difference. */
const MOST_ROWS = 50;

function differenceText(difference: CounterDifference, run: string): string {
  const { keys, counters, rows, operations, notes } = difference;
  const perOperation = (by: number | null | undefined): string =>
    by === null || by === undefined || !operations ? NO_VALUE : formatShort(by / operations.count);
  const shown = table(rows.slice(0, MOST_ROWS), [
    ...keys.map((title, index) => ({ title, value: ({ key }: (typeof rows)[number]) => shortened(key[index] ?? '') })),
    ...counters.flatMap((title, index) => [
      {
        ...{ title, number: true },
        value: ({ grew }: (typeof rows)[number]) => (grew[index] == null ? '?' : growthWords(grew[index])),
      },
      ...(operations
        ? [
            {
              ...{ title: `per ${operations.word}`, number: true },
              value: ({ grew }: (typeof rows)[number]) => perOperation(grew[index]),
            },
          ]
        : []),
    ]),
  ]);
  const more = rows.length > MOST_ROWS ? [`${rows.length - MOST_ROWS} more rows: --json`] : [];
  return [`${run}: ${difference.name} ${differenceWords(difference)}`, ...notes, shown, ...more, ''].join('\n');
}

/** Counters of both sides per operation, and their change, for the busiest rows. */
export function profileText({ name, word, keys, counters, rows }: ComparedCounters, most = MOST_ROWS): string {
  type Row = ComparedCounters['rows'][number];
  const of = (value: number | undefined): string => (value === undefined ? NO_VALUE : formatShort(value));
  const shown = table<Row>(rows.slice(0, most), [
    ...keys.map((title, index) => ({ title, value: ({ key }: Row) => shortened(key[index] ?? '') })),
    ...counters.flatMap((title, index) => [
      { title, number: true, value: ({ values }: Row) => of(values[index]?.one.mean) },
      { title: '→', number: true, value: ({ values }: Row) => of(values[index]?.other.mean) },
      {
        ...{ title: 'change', number: true },
        value: ({ values }: Row) => {
          const { change } = values[index] ?? {};
          return change === undefined ? NO_VALUE : formatChange(change);
        },
      },
    ]),
  ]);
  const more = rows.length > most ? [`${rows.length - most} more rows: --json`] : [];
  return [`${name}, per ${word}`, shown, ...more].join('\n');
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 99)}…` : text);
