import { describe, expect, it } from 'vitest';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { factorKindInfo, KINDS } from '../factors/index.ts';
import { shownCommand, toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { checkDocument, effectsOf, formatDocument, makePlan, placesOf, readDocument } from './index.ts';

const tool = toolById('sysbench') as Tool;
const servers: Readonly<Record<string, ConnectionFacts>> = {
  'mysql-8.0': { kind: 'mysql', host: '10.0.0.8', port: 3306, user: 'u', database: 'd' },
  'mariadb-10.11': { kind: 'mysql', host: '10.0.0.10', port: 3306, user: 'u', database: 'd' },
  'postgres-15': { kind: 'postgres', host: '10.0.0.15', port: 5432, user: 'u', database: 'd' },
};

interface Document {
  options?: string;
  data?: string;
  where?: string;
  duration?: string;
}
const text = (
  factors: string,
  { options = '{threads: 8}', data = 'create', where, duration = '60' }: Document = {},
): string =>
  `kneepoint: 1
name: Of a kind
workload: { tool: sysbench, options: ${options}, data: ${data} }
where: ${where ?? '{ generators: [one, two], target: mysql-8.0 }'}
factors: ${factors}
measure: { duration: ${duration}, warmup: 5, repeats: 2 }
`;

const check = (factors: string, document: Document = {}) =>
  checkDocument(text(factors, document), {
    tools: [tool],
    connection: (_experiment, target) => servers[target ?? ''] ?? { kind: 'mysql', host: 'ANY', port: 1 },
    steps: (_tool, { options, warmup, duration, generators }, _experiment, connection, part, seed) => {
      const size = { warmup, duration, part, seed, generators: generators.length };
      const plan = tool.plan({ options, connection, ...size, nodePath: 'node', assetsDir: '/app' });
      return { run: shownCommand(plan.run), ...(plan.prepare && { prepare: shownCommand(plan.prepare) }) };
    },
  });

const problemsOf = (factors: string, document: Document = {}): string[] =>
  check(factors, document).problems.map(({ path, message }: DocumentProblem) => `${path}: ${message}`);

function read(factors: string, document: Document = {}): Experiment {
  const { experiment, problems } = readDocument(text(factors, document));
  if (!experiment) throw new Error(JSON.stringify(problems));
  return experiment;
}
const effects = (experiment: Experiment, levels: Record<string, string | number>) =>
  effectsOf(experiment, { levels }, tool);

describe('every kind', () => {
  it.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    '%s can be the factor under test, one at a time',
    (_name, kind) => {
      const tested = kind.example.replace(/^\{/, '{tested: true, ');
      const where = { where: '{ generators: [one], target: mysql-8.0 }' };
      expect(problemsOf(`[${tested}]`, where)).toEqual([]);
      const both = `[${tested}, {name: other, option: tables, levels: [1, 2], tested: true}]`;
      expect(problemsOf(both, where)).toContain('factors.1.tested: Only one factor can be under test.');
    },
  );

  it.each(KINDS.map((kind) => [kind.kind, kind] as const))(
    '%s has an example that matches its description',
    (_name, kind) => {
      const factors = `[${kind.example}]`;
      expect(problemsOf(factors, { where: '{ generators: [one], target: mysql-8.0 }' })).toEqual([]);
      const experiment = read(factors);
      expect(experiment.factors[0]?.kind).toBe(kind.kind);
      expect(readDocument(formatDocument(experiment)).experiment).toEqual(experiment);
      expect(factorKindInfo(kind)).toMatchObject({ kind: kind.kind, example: kind.example });
    },
  );
});

describe('targets as levels', () => {
  const TARGETS = '[{name: server, kind: target, levels: [mysql-8.0, mariadb-10.11]}]';

  it('shows the commands of each cell with the connection of its own target', () => {
    const { problems, commands, plan } = check(TARGETS, { where: '{}' });
    expect(problems).toEqual([]);
    expect(plan?.cells).toHaveLength(2);
    expect(commands).toEqual([expect.stringContaining('10.0.0.8'), expect.stringContaining('10.0.0.10')]);
  });

  it('can be of every kind that the tool supports', () => {
    const { problems, commands } = check('[{name: server, kind: target, levels: [mysql-8.0, postgres-15]}]');
    expect(problems).toEqual([]);
    expect(commands).toEqual([expect.stringContaining('10.0.0.8'), expect.stringContaining('10.0.0.15')]);
  });

  it('replace the target of the document', () => {
    expect(placesOf(read(TARGETS), tool).targets).toEqual(['mysql-8.0', 'mariadb-10.11']);
    expect(problemsOf('[]', { where: '{}' })).toEqual([expect.stringContaining('This workload needs a target')]);
  });

  it('group the data of each target, and separate tables of different contents on one target', () => {
    const workload = { tool, kindOf: () => 'mysql' as const };
    const experiment = read(TARGETS);
    expect(makePlan(experiment, workload).cells.map(({ data }) => data)).toEqual([undefined, undefined]);
    const sizes = read(
      `[{name: server, kind: target, levels: [mysql-8.0, mariadb-10.11]}, {name: table-size, levels: [10, 20]}]`,
      { data: 'recreate' },
    );
    expect(makePlan(sizes, workload).cells.map(({ data }) => data)).toEqual([0, 1, 0, 1]);
    const byTarget = {
      ...sizes,
      exclude: [
        { server: 'mysql-8.0', 'table-size': 20 },
        { server: 'mariadb-10.11', 'table-size': 10 },
      ],
    };
    expect(makePlan(byTarget, workload).cells.map(({ data }) => data)).toEqual([undefined, undefined]);
    const oneDatabase = { ...workload, databaseOf: () => 'the same' };
    expect(makePlan(byTarget, oneDatabase).cells.map(({ data }) => data)).toEqual([0, 1]);
  });
});

describe('workloads as levels', () => {
  const LOADS =
    '[{name: load, kind: workload, levels: [{name: point, options: {script: oltp_point_select, threads: 4}}, {name: held, options: {rate: 500}}]}]';

  it('set several options at once and keep those of the document for the rest', () => {
    const experiment = read(LOADS, { options: '{tables: 2, rate: 7}' });
    expect(effects(experiment, { load: 'point' }).options).toMatchObject({
      ...{ script: 'oltp_point_select', threads: 4, tables: 2, rate: 7 },
    });
    expect(effects(experiment, { load: 'held' }).options).toMatchObject({ tables: 2, rate: 500 });
  });

  it('read durations with their unit', () => {
    const [factor] = read(
      '[{name: load, kind: workload, levels: [{name: slow, options: {thread-init-timeout: 1m}}]}]',
    ).factors;
    expect(factor?.levels).toEqual([{ name: 'slow', options: { 'thread-init-timeout': 60 } }]);
  });

  it.each([
    [
      'an option that does not exist',
      '{name: a, options: {thread: 1}}',
      'factors.0.levels.0.options.thread: sysbench has no option',
    ],
    [
      'a value that is not taken',
      '{name: a, options: {threads: many}}',
      'factors.0.levels.0.options.threads: threads = many',
    ],
    ['a plain level', 'point', 'a level of kind “workload” needs a name and the settings of that level.'],
    ['something else beside the options', '{name: a, options: {}, rate: 1}', 'There is no setting named “rate” here.'],
  ])('report %s', (_name, level, words) => {
    expect(problemsOf(`[{name: load, kind: workload, levels: [${level}]}]`)[0]).toContain(words);
  });

  it('are refused together with another factor that sets the same option, by any name', () => {
    const factors = `[{name: load, kind: workload, levels: [{name: a, options: {table_size: 5}}]}, {name: table-size, levels: [1, 2]}]`;
    expect(problemsOf(factors)).toEqual(['factors.1: Two factors vary “table-size”.']);
  });

  it('accept one workload under two names, and no name twice', () => {
    const levels = (other: string) =>
      `[{name: load, kind: workload, levels: [{name: a, options: {threads: 4}}, {name: ${other}, options: {threads: "4"}}]}]`;
    expect(problemsOf(levels('b'))).toEqual([]);
    expect(problemsOf(levels('a'))).toEqual(['factors.0.levels: Factor “load” has the same level twice.']);
  });
});

describe('durations as levels', () => {
  const LENGTHS = '[{name: length, kind: duration, levels: [10m, 1h, 90]}]';

  it('are seconds in any notation', () => {
    const experiment = read(LENGTHS);
    expect(experiment.factors[0]?.levels).toEqual([600, 3600, 90]);
    expect(effects(experiment, { length: 3600 })).toMatchObject({ warmup: 5, duration: 3600 });
    const excluded = readDocument(`${text(LENGTHS)}exclude: [{length: 1h}]\n`).experiment;
    expect(excluded?.exclude).toEqual([{ length: 3600 }]);
  });

  it('determine the length of the plan, which is judged by its shortest trial', () => {
    const { plan } = check('[{name: length, kind: duration, levels: [10, 100]}]', { duration: '1000' });
    expect(plan?.seconds).toBe(2 * (5 + 10) + 2 * (5 + 100) + 4 * 3);
    expect(plan?.findings.map(({ code }) => code)).toContain('short-duration');
    expect(check('[{name: length, kind: duration, levels: [60, 100]}]').plan?.findings).not.toContainEqual(
      expect.objectContaining({ code: 'short-duration' }),
    );
  });

  it.each(['fast', '0', 'true', '""', '100d'])('refuse the duration %s', (level) => {
    expect(problemsOf(`[{name: length, kind: duration, levels: [${level}]}]`)).toHaveLength(1);
  });
});

describe('generators as levels', () => {
  it('are hosts by name, a number of those in the document, or one host', () => {
    const experiment = read(
      '[{name: clients, kind: generators, levels: [1, 2, three, {name: both, hosts: [two, four]}]}]',
    );
    const hosts = [1, 2, 'three', 'both'].map((level) => effects(experiment, { clients: level }).generators);
    expect(hosts).toEqual([['one'], ['one', 'two'], ['three'], ['two', 'four']]);
    expect(placesOf(experiment, tool).generators).toEqual(['one', 'two', 'three', 'four']);
  });

  it('divide the load of each cell among its own hosts', () => {
    const { problems, commands } = check('[{name: clients, kind: generators, levels: [1, 2]}]', {
      options: '{threads: 8}',
    });
    expect(problems).toEqual([]);
    expect(commands?.[0]).toContain('--threads=8');
    expect(commands?.[1]?.match(/--threads=4/g)).toHaveLength(2);
  });

  it.each([
    [
      'more hosts than there are',
      '[1, 3]',
      'factors.0.levels.1: The level needs 3 hosts, but where.generators names 2.',
    ],
    ['none', '[0]', 'factors.0.levels.0: 0 is not a valid number of hosts. Use 1 or more.'],
    ['a host twice', '[{name: a, hosts: [x, x]}]', 'factors.0.levels.0.hosts: “x” is named twice.'],
    [
      'levels that mean the same',
      '[1, {name: a, hosts: [x]}, x]',
      'factors.0.levels: Factor “clients” has the same level twice.',
    ],
  ])('refuse %s', (_name, levels, problem) => {
    expect(problemsOf(`[{name: clients, kind: generators, levels: ${levels}}]`)).toEqual([problem]);
  });
});

describe('prices as levels', () => {
  it('are amounts or components as in costs', () => {
    const experiment = read(
      '[{name: volume, kind: price, levels: [{name: small, price: {amount: 80}}, {name: large, price: {components: [{kind: volume, id: gp3, sizeGb: 500}]}}]}]',
    );
    expect(effects(experiment, { volume: 'small' }).prices).toEqual([
      { label: 'small', currency: 'USD', components: [{ kind: 'own', label: 'small', amount: 80, per: 'month' }] },
    ]);
    expect(effects(experiment, { volume: 'large' }).prices).toEqual([
      { label: 'large', currency: 'USD', components: [{ kind: 'volume', id: 'gp3', sizeGb: 500, count: 1 }] },
    ]);
  });

  it('change the volume by commands, if any', () => {
    const commands = "on: vm-1, apply: 'grow $level', read: 'size', undo: 'grow $first'";
    const levels = '[{name: gp3, price: {amount: 80}}, {name: io2, price: {amount: 412}}]';
    const experiment = read(`[{name: volume, kind: price, ${commands}, levels: ${levels}}]`);
    expect(effects(experiment, { volume: 'io2' }).settings).toEqual([
      {
        changer: 'host-setting',
        place: { kind: 'host', name: 'vm-1' },
        what: 'commands volume',
        value: 'io2',
        how: { setting: 'commands', apply: 'grow $level', read: 'size', undo: 'grow $first' },
      },
    ]);
    expect(problemsOf(`[{name: volume, kind: price, read: size, levels: ${levels}}]`)).toEqual([
      expect.stringContaining('“read” and “undo” need “apply”'),
    ]);
  });

  it('refuse a negative amount', () => {
    expect(problemsOf('[{name: volume, kind: price, levels: [{name: a, price: {amount: -1}}]}]')).toHaveLength(1);
  });
});

describe('data as levels', () => {
  const VARIANTS = `[{name: triggers, kind: data, levels: [{name: none},
    {name: audit, statements: [make it], undo: [drop it], check: is it there}]}, {name: threads, levels: [2, 4]}]`;

  it('group the trials by variant without recreating the loaded data', () => {
    const { problems, plan } = check(VARIANTS);
    expect(problems).toEqual([]);
    expect(plan?.cells.map(({ data }) => data)).toEqual([0, 0, 1, 1]);
    expect(plan?.trials.map(({ cell }) => cell)).toEqual([0, 1, 0, 1, 2, 3, 2, 3]);
  });

  it('require the variant of their level, or none, on the target of the cell', () => {
    const experiment = read(VARIANTS);
    const settings = ['none', 'audit'].map((level) => effects(experiment, { triggers: level, threads: 2 }).settings);
    expect(settings.map(([setting]) => [setting?.place, setting?.what, setting?.value])).toEqual([
      [{ kind: 'server', name: 'mysql-8.0' }, 'variant of triggers', ''],
      [{ kind: 'server', name: 'mysql-8.0' }, 'variant of triggers', 'audit'],
    ]);
  });

  it('set options that determine the size, with each size prepared once', () => {
    const sizes =
      '[{name: size, kind: data, levels: [{name: small, options: {table-size: 10}}, {name: large, options: {table-size: 9000, tables: 2}}]}]';
    const { problems, plan } = check(sizes, { data: 'recreate' });
    expect(problems).toEqual([]);
    expect(plan?.cells.map(({ data }) => data)).toEqual([0, 1]);
    expect(problemsOf(sizes)).toEqual([expect.stringContaining('The cells need 2 different data')]);
  });

  it('are recreated for each level of a setting that affects only new data, and for no other setting', () => {
    const settingOf = (setting: string, levels: string): string =>
      `[{name: s, kind: server-setting, setting: ${setting}, levels: ${levels}}, {name: threads, levels: [2, 4]}]`;
    const formats = settingOf('innodb_default_row_format', '[compact, dynamic]');
    expect(check(formats, { data: 'recreate' }).plan?.cells.map(({ data }) => data)).toEqual([0, 0, 1, 1]);
    expect(problemsOf(formats)).toEqual([expect.stringContaining('Choose “recreate”, so that data is created')]);
    const toast = settingOf('default_toast_compression', '[pglz, lz4]');
    expect(check(toast, { data: 'recreate' }).plan?.cells.map(({ data }) => data)).toEqual([0, 0, 1, 1]);
    const flush = settingOf('innodb_flush_log_at_trx_commit', '[1, 2]');
    expect(check(flush).plan?.cells.map(({ data }) => data)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('require changes to be undone', () => {
    expect(problemsOf('[{name: v, kind: data, levels: [{name: none}, {name: a, statements: [x]}]}]')).toEqual([
      expect.stringContaining('factors.0.levels.1: statements, undo and check go together'),
    ]);
  });
});
