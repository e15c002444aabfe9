import { ExportFormat } from '../../../shared/contract/reports.ts';
import { formatNumber } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { printJson, printStatus, slow, terminal } from '../terminal.ts';
import { type Common, withReader } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';
import { baselinesOf, cutOf } from './figures.ts';

export async function exportCommand(
  id: string,
  options: Common & { format: string; output?: string; compareWith?: string; warmup?: string; baseline?: string[] },
): Promise<number> {
  const format = ExportFormat.safeParse(options.format);
  if (!format.success)
    throw new UsageError(`--format is one of ${ExportFormat.options.join(', ')}, not “${options.format}”.`);
  const sessionId = idOf(id);
  const compareWith = options.compareWith === undefined ? undefined : idOf(options.compareWith);
  const cut = cutOf(options.warmup);
  return withReader(options, async (engine) => {
    const get = () => slow((call) => engine.sessions.get({ id: sessionId }, call));
    const factors = options.baseline ? (await get()).experiment.factors : [];
    const asked = {
      ...{ sessionId, format: format.data, ...cut, ...baselinesOf(options.baseline, factors) },
      ...(compareWith !== undefined && { compareWith }),
    };
    const file = await slow((call) => engine.reports.make(asked, call));
    if (options.output === '-') terminal().stdout.write(file.bytes);
    else {
      const output = options.output ?? file.fileName;
      writeOutput(output, file.bytes);
      if (options.json) printJson({ file: output, bytes: file.bytes.length });
      else printStatus(`Wrote ${output} (${formatNumber(file.bytes.length)} bytes).`);
    }
    return EXIT.done;
  });
}
