import path from 'node:path';
import type { SshConfigEntry } from '../../../shared/model/host.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, printStatus, table } from '../output.ts';
import { type Common, type EngineClient, withEngine, withReader } from '../with-engine.ts';

type Options = Common & { all?: boolean; config?: string };

export async function hostImportCommand(names: string[], options: Options): Promise<number> {
  if (options.all && names.length > 0) throw new UsageError('Give names or --all, not both.');
  const file = options.config === undefined ? {} : { file: path.resolve(options.config) };
  if (names.length === 0 && !options.all) return withReader(options, (engine) => list(engine, file, options));
  return withEngine(options, async (engine) => {
    const wanted = options.all
      ? (await engine.hosts.sshConfig(file)).entries.filter(({ spec, saved }) => spec && !saved).map(({ name }) => name)
      : names;
    const { added, skipped } = await engine.hosts.importSshConfig({ ...file, names: wanted });
    if (options.json) printJson({ added, skipped });
    else {
      for (const { name, why } of skipped) printStatus(`${name}: not imported. ${why}`);
      printStatus(
        `${formatCount(added.length, 'host')} added${added.map(({ spec }, at) => `${at === 0 ? ': ' : ', '}${spec.name}`).join('')}.`,
      );
    }
    return skipped.length > 0 ? EXIT.wrongUse : EXIT.done;
  });
}

async function list(engine: EngineClient, file: { file?: string }, options: Options): Promise<number> {
  const config = await engine.hosts.sshConfig(file);
  if (options.json) printJson(config);
  else {
    print(
      table(config.entries, [
        { title: 'host', value: ({ name }) => name },
        { title: 'address', value: ({ spec }) => (spec ? `${spec.user}@${spec.address}:${spec.port}` : '–') },
        { title: 'login', value: ({ spec }) => loginWords(spec) },
        { title: 'through', value: ({ spec }) => spec?.jumps.join(' → ') ?? '' },
        {
          title: '',
          value: ({ saved, problem, notes }) =>
            [...(saved ? ['already saved'] : []), problem ?? [], notes].flat().join(' '),
        },
      ]),
    );
    for (const note of config.notes) printStatus(`note: ${note}`);
    printStatus('Import with: kneepoint host import NAME…, or --all');
  }
  return EXIT.done;
}

const loginWords = (spec: SshConfigEntry['spec']): string =>
  spec?.auth.method === 'key' ? `key ${spec.auth.keyFile}` : (spec?.auth.method ?? '–');
