import type { ExportFormat } from '../../../shared/contract/reports.ts';
import { damageWords } from '../../../shared/model/damage.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import { cellsCsv, secondsCsv } from './csv.ts';
import { allMetrics, allResults, type ReportCapture, type ReportData, type ReportFile, readEach } from './data.ts';
import type { CostGoalData } from './document/cost-goal.ts';
import { monitorsCsv } from './monitors-csv.ts';

export type { ReportData, ReportMonitors } from './data.ts';
export type { CostGoalData } from './document/cost-goal.ts';

/** Exports a session as a file. The bytes are the same from window, page and command line. */
export async function makeReport(format: ExportFormat, data: ReportData): Promise<ReportFile> {
  const name = fileStem(data);
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  switch (format) {
    case 'csv':
      return {
        fileName: `${name}-seconds.csv`,
        mediaType: 'text/csv; charset=utf-8',
        bytes: text(await secondsCsv(data)),
      };
    case 'csv-cells':
      return { fileName: `${name}-cells.csv`, mediaType: 'text/csv; charset=utf-8', bytes: text(cellsCsv(data)) };
    case 'csv-monitors':
      return { fileName: `${name}-monitors.csv`, mediaType: 'text/csv; charset=utf-8', bytes: await monitorsCsv(data) };
    case 'json':
      return { fileName: `${name}.json`, mediaType: 'application/json', bytes: text(await sessionJson(data)) };
    case 'pdf': {
      // Imported on demand: charts and typesetting are half of what the engine would load at its start, and are rarely needed.
      const { sessionPdf } = await import('./pdf/index.ts');
      return { fileName: `${name}.pdf`, mediaType: 'application/pdf', bytes: await sessionPdf(data) };
    }
  }
}

/** The answer to a goal as a PDF. */
export async function makeCostGoalReport(data: CostGoalData, progress: CallContext['progress']): Promise<ReportFile> {
  const { costGoalPdf } = await import('./pdf/index.ts');
  return {
    fileName: `kneepoint-costs-${data.goal.rate}-${data.scale.metric.replace(/[^A-Za-z0-9]+/g, '-')}.pdf`,
    mediaType: 'application/pdf',
    bytes: await costGoalPdf(data, progress),
  };
}

/** Letters, digits and dashes only, which every file system accepts. */
function fileStem({ detail }: ReportData): string {
  const words = detail.session.name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `kneepoint-${detail.session.id}${words ? `-${words.slice(0, 60)}` : ''}`;
}

/** Version of the JSON export, for readers to check. */
const FORMAT = 1;

/** JSON has no bytes: a file is in base64. */
const withBase64 = ({ file, ...capture }: ReportCapture): object => ({
  ...capture,
  ...(file && { file: { name: file.name, base64: Buffer.from(file.bytes).toString('base64') } }),
});

/**
 * A whole session: set-up, plan, runs with the tool's own summaries, every second, every cell's figures. For monitored hosts and servers,
 * their list and the judgements of runs, without values.
 */
async function sessionJson(data: ReportData): Promise<string> {
  const metrics = allMetrics(data);
  const runs: object[] = [];
  for await (const run of readEach('Reading per-second values', data)) {
    const [captures, differences] = [data.captures?.(run.id) ?? [], data.differences?.(run.id) ?? []];
    runs.push({
      ...run,
      ...(captures.length > 0 && { captures: captures.map(withBase64) }),
      ...(differences.length > 0 && { differences }),
      series: metrics.flatMap((metric) =>
        data.series(run.id, metric).map(({ generator, t, v }) => ({ metric, generator, t: [...t], v: [...v] })),
      ),
    });
  }
  return JSON.stringify(
    {
      format: 'kneepoint-session',
      version: FORMAT,
      madeAt: new Date(data.madeAt).toISOString(),
      ...data.detail,
      ...(data.cut !== undefined && { cut: data.cut }),
      ...(data.damage.length > 0 && {
        damage: data.damage.map((entry) => ({ ...entry, message: damageWords(entry) })),
      }),
      results: allResults(data),
      runs,
      ...(data.monitors && {
        monitored: {
          sources: data.monitors.sources,
          windows: data.monitors.windows,
          judgements: data.monitors.judgements,
          moments: data.monitors.moments(),
        },
      }),
      ...(data.cost && { cost: data.cost }),
      ...(data.comparison && { comparison: data.comparison }),
    },
    null,
    1,
  );
}
