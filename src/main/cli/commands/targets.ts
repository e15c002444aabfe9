import { warningsOf } from '../../../shared/model/form-schema.ts';
import { describeProblem } from '../../../shared/model/problem.ts';
import { TargetSpec } from '../../../shared/model/target.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readSecret } from '../files.ts';
import { print, printJson, printStatus, table } from '../terminal.ts';
import { type Common, requireKeeper, withEngine, withReader } from '../with-engine.ts';
import { type PlaceOptions, readPlace } from './server-place.ts';
import { targetNamed } from './servers.ts';

interface TargetAddOptions extends Common, PlaceOptions {
  kind: string;
  via?: string;
  config?: string[];
  secretFile?: string;
}

export async function targetAddCommand(name: string, options: TargetAddOptions): Promise<number> {
  const placed = await readPlace(options);
  return withEngine(options, async (engine) => {
    const kinds = await engine.targets.kinds({});
    const kind = kinds.find((entry) => entry.kind === options.kind);
    if (!kind)
      throw new UsageError(`--kind is one of ${kinds.map((entry) => entry.kind).join(', ')}, not “${options.kind}”.`);
    const config = configOf(options.config ?? [], kind.schema);
    const required = (kind.schema.required ?? []) as string[];
    const missing = required.filter((name) => !Object.hasOwn(config, name));
    if (missing.length > 0)
      throw new UsageError(
        `A target of kind ${kind.kind} needs ${missing.map((name) => `--config ${name}=…`).join(' and ')}.`,
      );
    const spec = TargetSpec.safeParse({ name, kind: kind.kind, via: options.via ?? null, config, ...placed });
    if (!spec.success)
      throw new UsageError(spec.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
    const secret = options.secretFile === undefined ? undefined : readSecret(options.secretFile);
    if (secret !== undefined) await requireKeeper(engine);
    const target = await engine.targets.save({ spec: spec.data, ...(secret !== undefined && { secret }) });
    if (options.json) printJson(target);
    else printStatus(`Added target “${name}”. Check it with: kneepoint target test "${name}"`);
    return EXIT.done;
  });
}

/** Converts `name=value` pairs to the types of the kind's schema. */
function configOf(pairs: readonly string[], schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, { type?: string }>;
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      if (at < 1 || !Object.hasOwn(properties, name))
        throw new UsageError(
          `--config takes one of ${Object.keys(properties).join(', ')} as name=value, not “${pair}”.`,
        );
      const value = pair.slice(at + 1);
      const type = properties[name]?.type;
      if (type === 'boolean') return [name, value === 'true'];
      return [name, type === 'integer' || type === 'number' ? Number(value) : value];
    }),
  );
}

export async function targetListCommand(options: Common): Promise<number> {
  return withReader(options, async (engine) => {
    const [targets, kinds] = await Promise.all([engine.targets.list({}), engine.targets.kinds({})]);
    const warnings = ({ kind, config }: TargetSpec): string =>
      warningsOf(kinds.find((entry) => entry.kind === kind)?.schema ?? {}, config).join('; ');
    if (options.json) printJson(targets);
    else {
      print(
        table(targets, [
          { title: 'target', value: ({ spec }) => spec.name },
          { title: 'kind', value: ({ spec }) => spec.kind },
          {
            title: 'address',
            value: ({ spec }) =>
              [spec.config.address ?? spec.config.url ?? spec.config.path, spec.config.port]
                .filter((part) => part !== undefined)
                .join(':'),
          },
          { title: 'connect via', value: ({ spec }) => spec.via ?? 'direct' },
          { title: 'server on', value: ({ spec }) => serverOn(spec) },
          { title: 'note', value: ({ spec }) => warnings(spec) },
        ]),
      );
    }
    return EXIT.done;
  });
}

const serverOn = ({ server }: TargetSpec): string =>
  server ? [server.host, ...(server.control.kind === 'none' ? [] : [server.control.kind])].join(', ') : 'unknown';

export async function targetTestCommand(name: string, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const target = await targetNamed(engine, name);
    const test = await engine.targets.test({ id: target.id });
    if (options.json) printJson(test);
    else if (test.result === 'failed') printStatus(describeProblem(test.problem));
    else {
      const { description } = test;
      print(`${name}: ${description.product} ${description.version}, responds in ${test.roundTripMs.toFixed(1)} ms`);
      if (description.durability) print(`Durability: ${description.durability.level}. ${description.durability.why}`);
      print(
        table(description.settings, [
          { title: 'setting', value: (setting) => setting.name },
          { title: 'value', value: (setting) => [setting.value, setting.unit].filter(Boolean).join(' ') },
        ]),
      );
    }
    return test.result === 'ok' ? EXIT.done : EXIT.runFailed;
  });
}
