import type { ExportFormat } from '../../../shared/contract/reports.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import { cellsCsv, secondsCsv } from './csv.ts';
import type { ReportData, ReportFile } from './data.ts';
import type { CostGoalData } from './document/cost-goal.ts';
import { sessionJson } from './json.ts';
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
