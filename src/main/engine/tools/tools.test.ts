import { describe, expect, it } from 'vitest';
import { isMetric } from '../../../shared/metrics/index.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { OptionWords } from '../../../shared/model/tool.ts';
import { normaliseOptions, optionName, parseText, shownCommand, TOOLS, toolById, toolInfo } from './index.ts';
import type { PlanInput, Step, Tool } from './tool.ts';

const CANARY = 'canary-7f3a';
/** One connection of each kind; passwords that are easy and hard to write into a file. */
const CONNECTIONS: readonly ConnectionFacts[] = [CANARY, `"${CANARY}', `, `${CANARY}\n`].flatMap((password) => [
  { kind: 'mysql', host: 'h', port: 1, user: 'u', database: 'd', password },
  { kind: 'mysql', socket: '/run/s', user: 'u', database: 'd', password, tls: 'disabled' },
  { kind: 'postgres', host: 'h', port: 1, user: 'u', database: 'd', password, tls: 'required' },
  {
    kind: 'mongodb',
    url: 'mongodb://h:1/?w=1',
    host: 'h',
    port: 1,
    user: 'u',
    authSource: 'a',
    database: 'd',
    password,
  },
  { kind: 'sqlite', path: '/tmp/x.sqlite' },
  { kind: 'host', path: '/tmp/x' },
]);

type Property = Partial<OptionWords> & { default?: unknown; enum?: unknown[] };
const propertiesOf = (tool: Tool): Record<string, Property> =>
  toolInfo(tool).options.properties as Record<string, Property>;

/** Options by default, with each value of each choice, and with the bindings that use a target: their option takes any word. */
function* choices(tool: Tool): Generator<Record<string, unknown>> {
  yield {};
  for (const binding of tool.id === 'ycsb' ? ['jdbc', 'mongodb'] : []) yield { binding };
  for (const [name, { enum: values }] of Object.entries(propertiesOf(tool)))
    for (const value of values ?? []) yield { [name]: value };
}

function* inputs(tool: Tool): Generator<PlanInput<Record<string, unknown>>> {
  for (const chosen of choices(tool)) {
    const options = tool.options.parse(chosen);
    const kinds = tool.needs(options);
    for (const connection of CONNECTIONS)
      if (kinds.includes(connection.kind) || (kinds.length === 0 && tool.drives.includes(connection.kind)))
        yield { options, connection, warmup: 1, duration: 2, seed: 3, nodePath: '/n/node', assetsDir: '/a' };
  }
}

/** `mysql-ssl` alone wants a folder beside it: refusing is right, and told by an error of our own. */
function planned(tool: Tool, input: PlanInput<Record<string, unknown>>): Step[] {
  try {
    const { prepare, run, cleanup } = tool.plan(input);
    return [prepare, run, cleanup].filter((step) => step !== undefined);
  } catch (error) {
    expect(error).toMatchObject({ name: 'KneepointError', problem: { code: 'experiment-invalid' } });
    return [];
  }
}

it('has tools with ids of their own', () => {
  expect(new Set(TOOLS.map(({ id }) => id)).size).toBe(TOOLS.length);
  for (const tool of TOOLS) {
    expect(tool.id).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(toolById(tool.id)).toBe(tool);
  }
  expect(toolById('nothing')).toBeUndefined();
});

describe.each(TOOLS.map((tool): [string, Tool] => [tool.id, tool]))('%s', (_id, tool) => {
  it('explains every option and needs none', () => {
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

  it('puts a metric first that is registered, whatever the options', () => {
    for (const chosen of choices(tool)) expect(isMetric(tool.primaryMetric(tool.options.parse(chosen)))).toBe(true);
  });

  it('plans the same for the same input', () => {
    let count = 0;
    for (const input of inputs(tool)) {
      const before = structuredClone(input);
      const steps = planned(tool, input);
      expect(planned(tool, input)).toEqual(steps);
      expect(input).toEqual(before);
      count += steps.length;
    }
    expect(count).toBeGreaterThan(0);
  });

  it('keeps secrets out of everything that other users and logs can see', () => {
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

  it('names only files that it brings', () => {
    for (const input of inputs(tool))
      for (const step of planned(tool, input)) {
        const brought = [...step.files, ...(step.programs ?? [])].map(({ name }) => name);
        expect(new Set(brought).size).toBe(brought.length);
        for (const [, name] of step.argv.join(' ').matchAll(/@([\w.-]+)@/g)) expect(brought).toContain(name);
        expect(step.plannedSeconds).toBeGreaterThanOrEqual(0);
      }
  });

  it('reads nothing into foreign or missing output, and the same each time', () => {
    const text = 'not a benchmark\r\n[ 1s ] \u0000\uFFFD\n{"t":\nhalf a li';
    for (const output of ['', text, new Uint8Array([0xff, 0xfe, 0x0a, 0x5b, 0xc3])]) {
      const parsed = parseText(tool, output, output);
      expect(parsed.samples).toEqual([]);
      expect(parseText(tool, output, output)).toEqual(parsed);
      expect(parsed.findings.length).toBeGreaterThan(0);
    }
    expect(parseText(tool, text).unparsed.join('\n')).toContain('not a benchmark');
  });

  it('calls a step that ended badly no success', () => {
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
  it('may be spelt with underscores, and typed as YAML and command lines do', () => {
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
  it('that do not fit are left for validation', () => {
    const given = { threads: 'many', 'skip-trx': 'perhaps', 'rand-type': true };
    expect(normaliseOptions(sysbench, given)).toEqual(given);
  });
});

describe('a shown command', () => {
  it('can be pasted into a shell', () => {
    const step = { argv: ['sh', '-c', `echo "it's"`, '--file=@a.conf@'], env: { X: 'a b' }, plannedSeconds: 0 };
    const files = [{ name: 'a.conf', content: 'x', mode: 0o600, secret: true }];
    expect(shownCommand({ ...step, files })).toBe(`X='a b' sh -c 'echo "it'\\''s"' --file=a.conf`);
  });
});
