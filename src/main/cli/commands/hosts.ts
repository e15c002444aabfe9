import path from 'node:path';
import { HostSpec, type HostTest, LOCAL_HOST_NAME, type SshConfigEntry } from '../../../shared/model/host.ts';
import { describeProblem } from '../../../shared/model/problem.ts';
import { formatBytes, formatCount, formatNumber, formatShort } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readSecret } from '../files.ts';
import { askYes, canAsk, print, printJson, printStatus, table } from '../terminal.ts';
import { type Common, type EngineClient, requireKeeper, withEngine, withReader } from '../with-engine.ts';

interface HostAddOptions extends Common {
  address: string;
  port?: string;
  user: string;
  key?: string;
  secretFile?: string;
  jump?: string[];
}

export async function hostAddCommand(name: string, options: HostAddOptions): Promise<number> {
  const secret = options.secretFile === undefined ? undefined : readSecret(options.secretFile);
  const auth = options.key
    ? { method: 'key', keyFile: path.resolve(options.key) }
    : { method: secret === undefined ? 'agent' : 'password' };
  const port = Number(options.port ?? 22);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new UsageError(`--port takes 1 to 65535, not “${options.port}”.`);
  const spec = HostSpec.safeParse({
    kind: 'ssh',
    name,
    address: options.address,
    port,
    user: options.user,
    auth,
    jumps: options.jump ?? [],
  });
  if (!spec.success)
    throw new UsageError(spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  return withEngine(options, async (engine) => {
    if (secret !== undefined) await requireKeeper(engine);
    const host = await engine.hosts.save({ spec: spec.data, ...(secret !== undefined && { secret }) });
    if (options.json) printJson(host);
    else printStatus(`Added host “${name}”. Check it with: kneepoint host test "${name}"`);
    return EXIT.done;
  });
}

export async function hostListCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const hosts = await engine.hosts.list({});
    if (options.json) printJson(hosts);
    else {
      print(
        table(hosts, [
          { title: 'host', value: ({ spec }) => spec.name },
          {
            title: 'address',
            value: ({ spec }) => (spec.kind === 'ssh' ? `${spec.user}@${spec.address}:${spec.port}` : '–'),
          },
          { title: 'login', value: ({ spec }) => (spec.kind === 'ssh' ? spec.auth.method : '–') },
          { title: 'connect via', value: ({ spec }) => (spec.kind === 'ssh' ? spec.jumps.join(' → ') : '') },
        ]),
      );
    }
    return EXIT.done;
  });
}

async function hostId(engine: EngineClient, name: string): Promise<number> {
  const host = (await engine.hosts.list({})).find((entry) => entry.spec.name === name);
  if (!host) throw new UsageError(`There is no host named “${name}”. This computer is “${LOCAL_HOST_NAME}”.`);
  return host.id;
}

export async function hostTestCommand(name: string, options: Common & { acceptKey?: string }): Promise<number> {
  return withEngine(options, async (engine) => {
    const id = await hostId(engine, name);
    let test = await engine.hosts.test({ id });
    if (test.result === 'key-unknown' && (await trusts(test, options))) {
      await engine.hosts.trustKey({ key: test.key });
      test = await engine.hosts.test({ id });
    }
    if (options.json) printJson(test);
    else showTest(name, test);
    return test.result === 'ok' ? EXIT.done : EXIT.runFailed;
  });
}

/** The user compares the fingerprint, or has given it in advance; nothing is trusted automatically. */
async function trusts(
  test: Extract<HostTest, { result: 'key-unknown' }>,
  options: Common & { acceptKey?: string },
): Promise<boolean> {
  const { key } = test;
  if (options.acceptKey !== undefined) {
    if (options.acceptKey === key.fingerprint) return true;
    throw new UsageError(
      `The host presents ${key.fingerprint}, not the accepted ${options.acceptKey}. Nothing was sent to it.`,
    );
  }
  if (!canAsk(options)) return false;
  printStatus(
    `First contact with ${key.address}:${key.port}. Its ${key.algorithm} key is\n  ${key.fingerprint}\nCompare it with the host’s own: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub`,
  );
  return askYes('Do they match?');
}

function showTest(name: string, test: HostTest): void {
  if (test.result === 'failed') printStatus(describeProblem(test.problem));
  else if (test.result === 'key-unknown') {
    printStatus(
      `First contact with ${name}: its key is ${test.key.fingerprint}. Compare it, then accept it with --accept-key ${test.key.fingerprint}`,
    );
  } else if (test.result === 'key-changed') {
    printStatus(
      `The key of ${name} has changed. Known: ${test.known.fingerprint}. Shown now: ${test.key.fingerprint}. Nothing was sent. If the host was reinstalled, forget the old key in the app under Hosts.`,
    );
  } else {
    const { facts } = test;
    print(
      `${name} responds in ${test.roundTripMs.toFixed(1)} ms: ${facts.os}, kernel ${facts.kernel}, ${facts.cpuCount} × ${facts.cpuModel ?? facts.architecture}, ${formatBytes(facts.memoryBytes)}`,
    );
    print(
      table(facts.tools, [
        { title: 'tool', value: (tool) => tool.tool },
        { title: 'version', value: (tool) => (tool.found ? (tool.version ?? 'unknown') : 'missing') },
        { title: '', value: (tool) => tool.message ?? tool.path ?? '' },
      ]),
    );
  }
}

export async function hostSyncsCommand(name: string, folder: string, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const found = await engine.hosts.testSyncs({ id: await hostId(engine, name), path: folder });
    if (options.json) printJson(found);
    else
      print(
        `${found.path} on ${name}${found.fileSystem === undefined ? '' : ` (${found.fileSystem})`}: ${formatNumber(found.perSecond)} synced writes/s (${formatNumber(found.low)} – ${formatNumber(found.high)} in three rounds), ${formatShort(1000 / found.perSecond)} ms each`,
      );
    return EXIT.done;
  });
}

export async function hostFactsCommand(name: string, options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const { facts } = await engine.hosts.facts({ id: await hostId(engine, name) });
    if (!facts) throw new UsageError(`No facts about “${name}” yet. Run kneepoint host test first.`);
    printJson(facts);
    return EXIT.done;
  });
}

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
        { title: 'connect via', value: ({ spec }) => spec?.jumps.join(' → ') ?? '' },
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
