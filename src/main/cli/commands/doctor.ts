import { EXIT } from '../exit.ts';
import { print, printJson, table } from '../terminal.ts';
import { type Common, withReader } from '../with-engine.ts';

export async function doctorCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const lines = await engine.app.doctor({});
    if (options.json) printJson(lines);
    else {
      print(
        table(lines, [
          { title: '', value: (line) => (line.ok ? 'ok' : '!!') },
          { title: '', value: (line) => line.topic },
          { title: '', value: (line) => [line.message, line.next].filter(Boolean).join(' ') },
        ]),
      );
    }
    return lines.every((line) => line.ok || line.topic === 'Secrets') ? EXIT.done : EXIT.runFailed;
  });
}
