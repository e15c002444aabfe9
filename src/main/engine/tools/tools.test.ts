import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isMetric } from '../../../shared/metrics/index.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { OptionWords } from '../../../shared/model/tool.ts';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { GENERATOR_KIND, TARGETS } from '../targets/index.ts';
import { loadKind, normaliseOptions, optionName, parseText, shownCommand, TOOLS, toolById, toolInfo } from './index.ts';
import type { Command, PlanInput, Tool, ToolReader } from './tool.ts';

const CANARY = 'canary-7f3a';
/** Connections to each kind of target, from its own example. */
const EXAMPLES: readonly ConnectionFacts[] = TARGETS.map(({ facts, config, example }) =>
  facts(config.parse(example.config), undefined),
);
/** Without encryption, with it, and over a socket; with passwords that are easy and hard to write to a file. */
const CONNECTIONS: readonly ConnectionFacts[] = [CANARY, `"${CANARY}', `, `${CANARY}\n`].flatMap((password) =>
  EXAMPLES.flatMap((facts): ConnectionFacts[] =>
    facts.host === undefined
      ? [facts]
      : [
          { ...facts, password },
          { ...facts, password, tls: 'required' },
          ...('url' in facts ? [] : [{ ...facts, password, tls: 'disabled' as const, socket: '/run/s' }]),
        ],
  ),
);

/** Those with the first password, for checks that do not depend on the password. */
const FEW = byDay(CONNECTIONS, (_facts, index) => index < CONNECTIONS.length / 3);

type Property = Partial<OptionWords> & { default?: unknown; enum?: unknown[]; type?: string };
const propertiesOf = (tool: Tool): Record<string, Property> =>
  toolInfo(tool).options.properties as Record<string, Property>;

/** Default options, with each value of each choice, and with the bindings that use a target, whose option accepts any word. */
function* choices(tool: Tool): Generator<Record<string, unknown>> {
  yield {};
  for (const binding of tool.id === 'ycsb' ? ['jdbc', 'mongodb'] : []) yield { binding };
  for (const [name, { enum: values }] of Object.entries(propertiesOf(tool)))
    for (const value of values ?? []) yield { [name]: value };
}

/** Recorded outputs of a tool. */
function recordingsOf({ id }: ToolReader): Uint8Array[] {
  const folder = fileURLToPath(new URL(`./${id}/fixtures/`, import.meta.url));
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return files.filter((file) => file.endsWith('stdout.txt')).map((file) => readFileSync(folder + file));
}

/** Final figures in the recordings of a tool. */
const summariesOf = (tool: ToolReader): Record<string, number>[] =>
  recordingsOf(tool).map((output) => parseText(tool, output).summary);

function* inputs(
  tool: Tool,
  connections: readonly ConnectionFacts[] = CONNECTIONS,
): Generator<PlanInput<Record<string, unknown>>> {
  for (const chosen of choices(tool)) {
    const options = tool.options.parse(chosen);
    const kinds = tool.needs(options);
    for (const connection of connections)
      if (kinds.includes(connection.kind) || (kinds.length === 0 && tool.drives.includes(connection.kind)))
        yield { options, connection, warmup: 1, duration: 2, seed: 3, nodePath: '/n/node', assetsDir: '/a' };
  }
}

/** Only `mysql-ssl` requires a folder in addition: a refusal with a KneepointError is correct. */
function planned(tool: Tool, input: PlanInput<Record<string, unknown>>): Command[] {
  try {
    const { prepare, run, cleanup } = tool.plan(input);
    return [prepare, run, cleanup].filter((step) => step !== undefined);
  } catch (error) {
    expect(error).toMatchObject({ name: 'KneepointError', problem: { code: 'experiment-invalid' } });
    return [];
  }
}

it('has tools with unique ids', () => {
  expect(new Set(TOOLS.map(({ id }) => id)).size).toBe(TOOLS.length);
  for (const tool of TOOLS) {
    expect(tool.id).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(toolById(tool.id)).toBe(tool);
  }
  expect(toolById('nothing')).toBeUndefined();
});

/** Options shown by a form with these choices: those whose condition holds for the effective values. */
function shownNames(tool: Tool, chosen: Record<string, unknown>): string[] {
  const properties = propertiesOf(tool);
  const shows = (name: string): boolean => {
    const when = properties[name]?.when;
    if (!when) return true;
    const value = chosen[when.option] ?? properties[when.option]?.default;
    return shows(when.option) && when.in.some((each) => each === value);
  };
  return Object.keys(properties).filter(shows);
}

describe.each(TOOLS.map((tool): [string, Tool] => [tool.id, tool]))('%s', (_id, tool) => {
  it('describes every option and requires none', () => {
    const properties = propertiesOf(tool);
    expect(tool.options.safeParse({}).success).toBe(true);
    expect(toolInfo(tool).options.required).toBeUndefined();
    expect(toolInfo(tool).options.additionalProperties).toBe(false);
    for (const [name, property] of Object.entries(properties)) {
      expect(property.title, name).toMatch(/\S/);
      expect(property.description, name).toMatch(/\S\.( \(.*\))?$|\.\)$/);
      if (property.when) {
        const other = properties[property.when.option];
        expect(other, `${name} depends on ${property.when.option}`).toBeDefined();
        if (other?.enum) expect(other.enum).toEqual(expect.arrayContaining([...property.when.in]));
      }
    }
    expect(JSON.parse(JSON.stringify(toolInfo(tool)))).toEqual(toolInfo(tool));
  });

  it('marks a few of many options as main', () => {
    const properties = propertiesOf(tool);
    for (const chosen of choices(tool)) {
      if (Object.keys(properties).length <= 12) continue;
      const main = shownNames(tool, chosen).filter((name) => properties[name]?.main);
      expect([main.length >= 3, main.length <= 13], `${JSON.stringify(chosen)}: ${main.join(', ')}`).toEqual([
        true,
        true,
      ]);
    }
  });

  it('marks only numbers as load, and as rate those that 0 turns off', () => {
    for (const [name, { load, type }] of Object.entries(propertiesOf(tool))) {
      if (load === undefined) continue;
      expect(type, name).toMatch(/^(integer|number)$/);
      expect(loadKind(tool, `--${name.replaceAll('-', '_')}`)).toBe(load);
      expect(tool.options.shape[name].safeParse(0).success, name).toBe(load === 'rate');
    }
    const count = tool.load?.workers?.count(tool.options.parse({}));
    if (count !== undefined)
      expect(Object.values(propertiesOf(tool)).some(({ load }) => load === 'concurrency')).toBe(true);
  });

  it('has a registered primary metric with any options, unless it only monitors', () => {
    for (const chosen of choices(tool)) {
      const metric = tool.metrics.primary(tool.options.parse(chosen));
      if (tool.watchesOnly) expect(metric).toBeNull();
      else expect(metric !== null && isMetric(metric)).toBe(true);
    }
  });

  it('supports known targets and requires no others', () => {
    const kinds = TARGETS.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining([...tool.drives]));
    for (const chosen of choices(tool))
      expect(tool.drives).toEqual(expect.arrayContaining([...tool.needs(tool.options.parse(chosen))]));
  });

  it('supports targets of every kind if it only monitors, and requires only a generator', () => {
    if (!tool.watchesOnly) return;
    const kinds = TARGETS.map(({ kind }) => kind);
    expect([...tool.drives].toSorted()).toEqual(kinds.toSorted());
    expect(tool.needs(tool.options.parse({}))[0]).toBe(GENERATOR_KIND);
    expect(tool.data).toBeUndefined();
  });

  it('counts its load in valid units', () => {
    const { load } = tool;
    for (const chosen of choices(tool)) {
      const options = tool.options.parse(chosen);
      for (const count of [load?.workers?.count(options), load?.threads?.(options), load?.connections?.(options)])
        if (count !== undefined) expect(count).toBeGreaterThanOrEqual(0);
    }
    expect(load?.workers?.unit.every((word) => /^[a-z ]+$/.test(word)) ?? true).toBe(true);
  });

  it('adds up failures from figures in its recordings', () => {
    const failures = tool.metrics.failures ?? [];
    expect(new Set(failures).size).toBe(failures.length);
    const keys = new Set(summariesOf(tool).flatMap((summary) => Object.keys(summary)));
    expect([...keys]).toEqual(expect.arrayContaining([...failures]));
  });

  it('has the same plan for the same input', () => {
    let count = 0;
    for (const input of inputs(tool, FEW)) {
      const before = structuredClone(input);
      const steps = planned(tool, input);
      expect(planned(tool, input)).toEqual(steps);
      expect(input).toEqual(before);
      count += steps.length;
    }
    expect(count).toBeGreaterThan(0);
  });

  it('keeps secrets out of everything visible to other users and in logs', () => {
    for (const input of inputs(tool))
      for (const step of planned(tool, input)) {
        expect(JSON.stringify([step.argv, step.env])).not.toContain(CANARY);
        expect(shownCommand(step)).not.toContain(CANARY);
        for (const file of step.files) {
          if (!file.content.includes(CANARY)) continue;
          expect(file).toMatchObject({ secret: true, mode: 0o600 });
          expect(step.argv.join(' ')).toContain(`@${file.name}@`);
        }
      }
  });

  it('names only its own files', () => {
    for (const input of inputs(tool, FEW))
      for (const step of planned(tool, input)) {
        const brought = [...step.files, ...(step.programs ?? [])].map(({ name }) => name);
        expect(new Set(brought).size).toBe(brought.length);
        for (const [, name] of step.argv.join(' ').matchAll(/@([\w.-]+)@/g)) expect(brought).toContain(name);
        expect(step.plannedSeconds).toBeGreaterThanOrEqual(0);
      }
  });

  it('reads no samples from foreign or missing output, and the same each time', () => {
    const text = 'not a benchmark\r\n[ 1s ] \u0000\uFFFD\n{"t":\nhalf a li';
    for (const output of ['', text, new Uint8Array([0xff, 0xfe, 0x0a, 0x5b, 0xc3])]) {
      const parsed = parseText(tool, output, output);
      expect(parsed.samples).toEqual([]);
      expect(parseText(tool, output, output)).toEqual(parsed);
      expect(parsed.findings.length).toBeGreaterThan(0);
    }
    expect(parseText(tool, text).unparsed.join('\n')).toContain('not a benchmark');
  });

  it('is read with its reader only, which cannot start anything', () => {
    const { id, title, options, metrics, parser } = tool;
    const reader: ToolReader = { id, title, options, metrics, parser };
    for (const output of recordingsOf(tool).slice(0, 3))
      expect(parseText(reader, output)).toEqual(parseText(tool, output));
    // @ts-expect-error: plans are of the driver.
    expect(reader.plan).toBeUndefined();
  });

  it('never treats a failed phase as success', () => {
    for (const exit of [{ code: 1 }, { code: 137 }, { signal: 'SIGKILL' }])
      for (const step of ['prepare', 'run', 'cleanup'] as const) {
        const codes: string[] = [];
        const events = {
          sample: () => {},
          finding: ({ code }: { code: string }) => codes.push(code),
          unparsed: () => {},
        };
        const outcome = tool.parser(step, tool.options.parse({}), events).end(exit);
        expect(outcome).toMatchObject({ ok: false, reason: { severity: 'error' } });
        expect(outcome.reason?.message).toMatch(/\.$/);
      }
  });
});

describe('options of a document', () => {
  const sysbench = toolById('sysbench') as Tool;
  it('may be written with underscores, and typed as in YAML and on command lines', () => {
    expect(optionName(sysbench, 'table_size')).toBe('table-size');
    expect(
      normaliseOptions(sysbench, {
        table_size: '1000',
        skip_trx: 'on',
        'mysql-ssl': false,
        'forced-shutdown': 5,
        'file-rw-ratio': '2.5',
        nothing: 1,
      }),
    ).toEqual({
      'table-size': 1000,
      'skip-trx': true,
      'mysql-ssl': 'off',
      'forced-shutdown': '5',
      'file-rw-ratio': 2.5,
      nothing: 1,
    });
  });
  it('that do not fit are left to validation', () => {
    const given = { threads: 'many', 'skip-trx': 'perhaps', 'rand-type': true };
    expect(normaliseOptions(sysbench, given)).toEqual(given);
  });
});

describe('a displayed command', () => {
  it('can be pasted into a shell', () => {
    const step = { argv: ['sh', '-c', `echo "it's"`, '--file=@a.conf@'], env: { X: 'a b' }, plannedSeconds: 0 };
    const files = [{ name: 'a.conf', content: 'x', mode: 0o600, secret: true }];
    expect(shownCommand({ ...step, files })).toBe(`X='a b' sh -c 'echo "it'\\''s"' --file=a.conf`);
  });
});
