import {
  alongProgress,
  cellsDrawn,
  chartTheme,
  chosenChart,
  chosenTitle,
  curveOver,
  metricDrawn,
  progressAsked,
  secondsAsked,
  tableToCsv,
} from '../../../shared/chart-models/index.ts';
import { definedIn, metricNamed } from '../../../shared/measures/index.ts';
import { metricName } from '../../../shared/metrics/index.ts';
import { type ChartChoice, chartsOf } from '../../../shared/model/chart.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { formatShort } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, printStatus, slow, table, terminal } from '../terminal.ts';
import { type Common, type EngineClient, withReader } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';
import { cutOf } from './figures.ts';

interface ChartsOptions extends Common {
  chart?: string;
  csv?: boolean;
  output?: string;
  warmup?: string;
}

/** Lists the charts of a session; with `--chart`, prints the data of one as a table. */
export async function chartsCommand(id: string, options: ChartsOptions): Promise<number> {
  const sessionId = idOf(id);
  return withReader(options, async (engine) => {
    const detail = await slow((call) => engine.sessions.get({ id: sessionId }, call));
    const all = chartsOf(detail);
    if (options.chart === undefined) {
      if (options.json) printJson(all);
      else
        print(
          listOf(all, detail) ?? `Session ${sessionId} has no charts: its document defines none, and none were added.`,
        );
      return EXIT.done;
    }
    const choice = all[Number(options.chart) - 1];
    if (!choice)
      throw new UsageError(
        `--chart takes a number from 1 to ${all.length}, not “${options.chart}”. They are listed by: kneepoint charts ${sessionId}`,
      );
    const { title, data } = await drawn(engine, detail, choice, options);
    const text = tableToCsv(data);
    if (options.output !== undefined && options.output !== '-') {
      writeOutput(options.output, new TextEncoder().encode(text));
      printStatus(`Wrote ${options.output}.`);
    } else if (options.csv || options.output === '-') terminal().stdout.write(text);
    else if (options.json) printJson({ ...choice, title, ...data });
    else print(`${title}\n${tableOf(data)}`);
    return EXIT.done;
  });
}

/** A chart of the first measured step, with its data. Throws if this session has no figure for it. */
async function drawn(engine: EngineClient, detail: SessionDetail, choice: ChartChoice, options: ChartsOptions) {
  const { id } = detail.session;
  const asked = { sessionId: id, ...cutOf(options.warmup) };
  const shown = await slow((call) => engine.results.session(asked, call));
  const nothing = new UsageError(`Session ${id} has no figures that this chart can draw.`);
  if (shown.metric === null) throw nothing;
  const named = choice.metric === undefined ? undefined : metricNamed(choice.metric, definedIn(detail));
  if (choice.metric !== undefined && named === undefined)
    throw new UsageError(`Session ${id} has no measure or metric named “${choice.metric}”.`);
  const metric = metricDrawn(choice, named, shown);
  const baselines = choice.against && { baselines: choice.against };
  const result =
    metric === shown.metric && !baselines
      ? shown
      : await slow((call) => engine.results.session({ ...asked, metric, ...baselines }, call));
  if (result.metric === null) throw nothing;
  const own = cellsDrawn(choice, result);
  if (choice.over !== undefined) {
    const sides = { baselineId: choice.over, otherId: id, metric, ...cutOf(options.warmup) };
    const comparison = await slow((call) => engine.results.compare(sides, call));
    return { title: chosenTitle(choice, own), data: curveOver(choice, comparison, chartTheme('light')).table() };
  }
  const query = secondsAsked(choice, own);
  const measured = query ? await engine.results.seconds(query) : [];
  const way = progressAsked(choice, query);
  const seconds = way ? alongProgress(measured, await engine.results.seconds(way)) : measured;
  const runs = choice.counts === undefined ? [] : await engine.sessions.runs({ id });
  const model = chosenChart(choice, own, seconds, chartTheme('light'), runs);
  return { title: chosenTitle(choice, own), data: model.table() };
}

function listOf(all: readonly ChartChoice[], detail: SessionDetail): string | undefined {
  if (all.length === 0) return undefined;
  const own = detail.experiment.charts?.length ?? 0;
  const numbered = all.map((choice, place) => ({ choice, place }));
  return table(numbered, [
    { title: 'chart', number: true, value: ({ place }) => String(place + 1) },
    { title: 'kind', value: ({ choice }) => choice.kind },
    { title: 'title', value: ({ choice }) => choice.title ?? '' },
    {
      title: 'of',
      value: ({ choice: { counts, metric } }) =>
        counts ?? (metric === undefined ? 'the displayed metric' : metricName(metric)),
    },
    { title: 'from', value: ({ place }) => (place < own ? 'document' : 'added') },
  ]);
}

const tableOf = ({
  columns,
  rows,
}: {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}): string =>
  table(
    rows,
    columns.map((title, index) => ({
      title,
      number: rows.every((row) => typeof row[index] === 'number' || row[index] === ''),
      value: (row: (typeof rows)[number]) => {
        const value = row[index] ?? '';
        return typeof value === 'number' ? formatShort(value) : value;
      },
    })),
  );
