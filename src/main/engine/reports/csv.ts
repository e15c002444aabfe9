import { metricOf } from '../../../shared/metrics/index.ts';
import type { Scalar } from '../../../shared/model/experiment.ts';
import { csvField } from './csv-field.ts';
import type { ReportData } from './data.ts';

/** Every stored second of every run: one line per run, generator and second, one column per metric. Absent values are empty. */
export function secondsCsv(data: ReportData): string {
  const metrics = data.results[0]?.metrics ?? [];
  const factors = factorNames(data);
  const lines = [
    line(['session', 'run', 'repeat', 'state', 'partial', ...factors, 'generator', 'second', 'measured', ...metrics]),
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
        ]),
      );
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** One line per cell and metric, the figures of the results table. */
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
        ]),
      );
    }
  }
  return `${lines.join('\r\n')}\r\n`;
}

const factorNames = (data: ReportData): string[] => data.detail.experiment.factors.map((factor) => factor.name);

const line = (fields: readonly (Scalar | undefined)[]): string => fields.map(csvField).join(',');
