import { metricOf } from '../../../shared/metrics/index.ts';
import { damageWords } from '../../../shared/model/damage.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import { csvField } from './csv-field.ts';
import type { ReportData } from './data.ts';

/**
 * Every stored second of every run: one line per run, generator and second, one column per metric. Absent values are empty. Where stored
 * samples are damaged there is a last column more, and at the end of such a run a line for each damaged part that says what is missing.
 */
export function secondsCsv(data: ReportData): string {
  const metrics = data.results[0]?.metrics ?? [];
  const factors = factorNames(data);
  const lines = [
    line([
      'session',
      'run',
      'repeat',
      'state',
      'partial',
      ...factors,
      'generator',
      'second',
      'measured',
      ...metrics,
      ...damageColumn(data),
    ]),
  ];
  for (const run of data.runs) {
    const rows = new Map<string, { generator: number; t: number; values: Map<string, number> }>();
    for (const metric of metrics) {
      for (const series of data.series(run.id, metric)) {
        // A stopped tool can print the same second twice: the n-th value of a second belongs to its n-th line.
        const seen = new Map<number, number>();
        series.t.forEach((t, index) => {
          const turn = seen.get(t) ?? 0;
          seen.set(t, turn + 1);
          const key = `${series.generator} ${t} ${turn}`;
          const row = rows.get(key) ?? { generator: series.generator, t, values: new Map() };
          rows.set(key, row);
          row.values.set(metric, series.v[index] as number);
        });
      }
    }
    const ordered = [...rows.values()].sort((a, b) => a.generator - b.generator || a.t - b.t);
    for (const { generator, t, values } of ordered) {
      const measured = t > run.warmup && Math.floor(t) <= run.warmup + run.duration;
      lines.push(
        line([
          data.detail.session.id,
          run.id,
          run.repeat + 1,
          run.state,
          run.partial,
          ...factors.map((name) => run.levels[name]),
          generator,
          t,
          measured,
          ...metrics.map((metric) => values.get(metric)),
          ...damageColumn(data).map(() => undefined),
        ]),
      );
    }
    for (const entry of data.damage.filter(({ runId }) => runId === run.id)) {
      const levels = factors.map((name) => run.levels[name]);
      const empty = [undefined, undefined, ...metrics.map(() => undefined)];
      const head = [data.detail.session.id, run.id, run.repeat + 1, run.state, run.partial, ...levels];
      lines.push(line([...head, entry.generator, ...empty, damageWords(entry)]));
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** One line per cell and metric, the figures of the results table; what is damaged in it is named in a last column, where anything is. */
export function cellsCsv(data: ReportData): string {
  const factors = factorNames(data);
  const head = [
    'session',
    'cell',
    ...factors,
    'metric',
    'unit',
    'runs',
    'seconds',
    'mean',
    'median',
    'p5',
    'p95',
    'min',
    'max',
    'cv',
    'interval_low',
    'interval_high',
    'errors',
    'partial',
    ...damageColumn(data),
  ];
  const lines = [line(head)];
  for (const result of data.results) {
    for (const cell of result.cells) {
      const { spread } = cell;
      lines.push(
        line([
          result.sessionId,
          cell.cell + 1,
          ...factors.map((name) => cell.levels[name]),
          result.metric,
          metricOf(result.metric).unit,
          cell.means.length,
          spread?.n ?? 0,
          spread?.mean,
          spread?.median,
          spread?.p5,
          spread?.p95,
          spread?.min,
          spread?.max,
          spread?.cv,
          cell.interval?.low,
          cell.interval?.high,
          cell.errors,
          cell.partial,
          ...damageColumn(data).map(() => damageOfCell(result, cell)),
        ]),
      );
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

const damageColumn = (data: ReportData): string[] => (data.damage.length > 0 ? ['damage'] : []);

function damageOfCell(result: SessionResult, cell: CellResult): string {
  const runs = new Set(cell.runs.map((run) => run.runId));
  return (result.damage ?? [])
    .filter((entry) => runs.has(entry.runId))
    .map(damageWords)
    .join(' ');
}

const factorNames = (data: ReportData): string[] => data.detail.experiment.factors.map((factor) => factor.name);

const line = (fields: readonly (Scalar | undefined)[]): string => fields.map(csvField).join(',');
