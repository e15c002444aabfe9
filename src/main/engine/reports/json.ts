import { damageWords } from '../../../shared/model/damage.ts';
import { allMetrics, allResults, type ReportCapture, type ReportData, readEach } from './data.ts';

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
export async function sessionJson(data: ReportData): Promise<string> {
  const metrics = allMetrics(data);
  const runs: object[] = [];
  for await (const run of readEach('Reading seconds', data)) {
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
