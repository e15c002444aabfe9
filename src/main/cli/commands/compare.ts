import { metricOf } from '../../../shared/metrics/index.ts';
import { shortDifferences } from '../../../shared/model/settings.ts';
import { formatLevels, formatNumber, formatRatio } from '../../../shared/util/format.ts';
import { EXIT } from '../exit.ts';
import { print, printJson, table } from '../output.ts';
import { type Common, withReader } from '../with-engine.ts';
import { requireMetric } from './figures.ts';
import { idOf } from './id.ts';

export async function compareCommand(a: string, b: string, options: Common & { metric?: string }): Promise<number> {
  const [baselineId, otherId] = [idOf(a), idOf(b)];
  return withReader(options, async (engine) => {
    const comparison = await engine.results.compare({
      baselineId,
      otherId,
      ...(options.metric !== undefined && { metric: options.metric }),
    });
    requireMetric(options.metric, comparison.metrics, 'The two sessions share');
    if (options.json) {
      printJson(comparison);
      return EXIT.done;
    }
    const { digits, unit } = metricOf(comparison.metric);
    print(
      `Baseline ${a}: ${comparison.baseline.name}\nOther    ${b}: ${comparison.other.name}\n\n${comparison.verdict}\n`,
    );
    print(
      table(comparison.cells, [
        { title: 'cell', value: (cell) => formatLevels(cell.levels) || '(the only one)' },
        { title: `baseline ${unit}`, number: true, value: (cell) => formatNumber(cell.baseline?.spread?.mean, digits) },
        { title: `other ${unit}`, number: true, value: (cell) => formatNumber(cell.other?.spread?.mean, digits) },
        { title: 'ratio', number: true, value: (cell) => formatRatio(cell.ratio) },
        { title: 'verdict', value: (cell) => cell.sentence },
      ]),
    );
    if (comparison.differences.length > 0) {
      print('\nWhat differs:');
      for (const difference of comparison.differences)
        print(`  ${difference.what}: ${difference.baseline} → ${difference.other}`);
    }
    if (comparison.settings.length > 0) {
      const { listed, sentences } = shortDifferences(comparison.settings);
      print('\nSettings of the targets that differ:');
      for (const setting of listed) print(`  ${setting.name}: ${setting.baseline} → ${setting.other}`);
      for (const sentence of sentences) print(`  ${sentence}`);
    }
    for (const finding of comparison.findings) print(`${finding.severity}: ${finding.message} ${finding.next ?? ''}`);
    return EXIT.done;
  });
}
