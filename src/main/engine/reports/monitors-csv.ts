import {
  damagedWords,
  type MonitoredSource,
  type MonitoredValues,
  type RunWindow,
} from '../../../shared/model/monitored.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Run } from '../../../shared/model/session.ts';
import { secondOf } from '../../../shared/monitoring/index.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { csvField } from './csv.ts';
import type { ReportData, ReportMonitors } from './data.ts';

/** About 500 MB. A spreadsheet opens a twentieth of it. */
const MOST_LINES = 5_000_000;
/** Lines that are joined as text before being encoded: all of them at once would exceed the maximum length of a string. */
const PIECE = 20_000;

const HEAD = [
  ...['session', 'source', 'kind', 'host', 'series', 'unit', 'time', 'value'],
  ...['run', 'trial', 'second', 'measured'],
];

/**
 * Series of monitored hosts and servers, as they are shown: a line per value, with the time on this computer's clock and the second of the
 * run it belongs to. Unknown values have no line. Throws `not-found` if nothing was monitored, and `bad-request` if it does not fit into a
 * file.
 */
export async function monitorsCsv(data: ReportData): Promise<Uint8Array> {
  const { monitors } = data;
  const { id } = data.detail.session;
  if (!monitors)
    throw new KneepointError({
      code: 'not-found',
      message: `Session ${id} watched no hosts or servers.`,
      session: id,
      next: 'Samples of the tool are in the per-second CSV.',
    });
  return linesOf(data, monitors, false);
}

/** `damage`: adds a last column with the damage, which exists only if there is any. */
async function linesOf(data: ReportData, monitors: ReportMonitors, damage: boolean): Promise<Uint8Array> {
  const { id } = data.detail.session;
  const runs = new Map(data.runs.map((run) => [run.id, run]));
  const cut = data.cut;
  const end = damage ? ',\r\n' : '\r\n';
  const pieces = [`${[...HEAD, ...(damage ? ['damage'] : [])].join(',')}\r\n`];
  const bytes: Uint8Array[] = [];
  let count = 0;
  for await (const { source, values } of seriesOf(data, monitors)) {
    const series = source.series.find((each) => each.id === values.id);
    const before = [id, source.name, source.kind, source.host, values.id, series?.unit].map(csvField).join(',');
    const words = damagedWords(source.name, values);
    if (words !== undefined && !damage) return linesOf(data, monitors, true);
    if (words !== undefined) pieces.push(`${before},,,,,,,${csvField(words)}\r\n`);
    const placeOf = placesIn(monitors.windows, runs, cut);
    values.t.forEach((t, index) => {
      const value = values.v[index] ?? Number.NaN;
      if (Number.isNaN(value)) return;
      pieces.push(`${before},${new Date(t).toISOString()},${value},${placeOf(t)}${end}`);
      count += 1;
      if (pieces.length >= PIECE) bytes.push(encoded(pieces));
    });
    if (count > MOST_LINES) throw tooMany(id);
  }
  bytes.push(encoded(pieces));
  return Uint8Array.from(Buffer.concat(bytes));
}

const encoder = new TextEncoder();
const encoded = (pieces: string[]): Uint8Array => encoder.encode(pieces.splice(0).join(''));

/** One source after the other, so not all values of a long session have to be in memory. */
async function* seriesOf(
  { progress }: ReportData,
  monitors: ReportMonitors,
): AsyncGenerator<{ source: MonitoredSource; values: MonitoredValues }> {
  const { sources, chosen } = monitors;
  const wanted =
    chosen?.wanted ??
    sources.map(({ id, series }) => ({
      sourceId: id,
      ids: series.flatMap((each) => (each.main ? [each.id] : [])),
    }));
  const of = wanted.reduce((sum, { ids }) => sum + ids.length, 0);
  let done = 0;
  for (const { sourceId, ids } of wanted) {
    const source = sources.find(({ id }) => id === sourceId);
    if (!source) continue;
    for (const one of ids) {
      done += 1;
      await progress?.({ what: 'Writing monitored series', unit: 'series', done, of });
      const query = { wanted: [{ sourceId, ids: [one] }], from: chosen?.from, to: chosen?.to };
      for (const values of monitors.series(query)) yield { source, values };
    }
  }
}

/** Run, trial, second and whether it is measured, for ascending times; empty between runs. */
function placesIn(
  windows: readonly RunWindow[],
  runs: ReadonlyMap<number, Run>,
  cut: number | undefined,
): (t: number) => string {
  const ordered = windows.toSorted((one, other) => one.zero - other.zero);
  let at = 0;
  return (t) => {
    while (at < ordered.length && t > (ordered[at]?.to ?? 0)) at += 1;
    const window = ordered[at];
    const run = window && runs.get(window.runId);
    if (!window || !run || t < window.zero) return ',,,';
    const second = secondOf(window, t);
    return [run.id, run.trial + 1, Math.round(second * 1000) / 1000, second > (cut ?? run.warmup)].join(',');
  };
}

const tooMany = (session: number): KneepointError =>
  new KneepointError({
    code: 'bad-request',
    message: `The series of session ${session} have more than ${formatNumber(MOST_LINES)} values: too many for one file.`,
    session,
    safe: 'Nothing was written.',
    next: `Export fewer series or a shorter time: kneepoint monitors ${session} --series cpu.busy --trial 1 --csv`,
  });
