import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Experiment } from '../../../shared/model/experiment.ts';
import { NO_FACTOR_UNDER_TEST } from '../../../shared/model/finding.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { checkDocument, checkingDocument, formatDocument, makePlan, readDocument, type Step } from './index.ts';

/** A tool with the smallest schema that has a number, a choice and two kinds of target. */
const probe: Tool = defineTool(
  {
    id: 'probe',
    title: 'Probe',
    options: z.object({
      threads: z.number().int().min(1).default(1),
      'rand-type': z.enum(['uniform', 'special']).default('uniform'),
      where: z.enum(['database', 'host']).default('host'),
    }),
    metrics: { primary: () => 'ops' },
    parser: () => ({ line: () => {}, end: () => ({ summary: {}, ok: true }) }),
  },
  {
    summary: '',
    drives: ['mysql', 'host'],
    plan: () => ({ run: { argv: ['true'], env: {}, files: [], plannedSeconds: 1 } }),
    needs: (options) => (options.where === 'host' ? ['host'] : ['mysql']),
  },
) as unknown as Tool;

const context = {
  tools: [probe],
  steps: (tool: Tool, { options }: Pick<Step, 'options'>) => ({
    run: `${tool.id} --threads=${String(options.threads)}`,
    prepare: `${tool.id} prepare`,
  }),
  connection: () => ({ kind: 'host' as const }),
};
const workload = { tool: probe, kindOf: () => 'host' as const };
const check = (text: string) => checkDocument(text, context);

const GOOD = `# Threads against one table
kneepoint: 1
name: Ladder   # a name
workload:
  tool: probe
  options:
    rand_type: special
where: {}
factors:
  # doubling
  - name: threads
    levels: [1, 2, 4]
  - name: distribution
    option: rand-type
    levels: [uniform, special]
measure:
  duration: 10
  repeats: 3
`;

it('checks cell by cell, with the same result', () => {
  const work = checkingDocument(GOOD, context);
  const reached: string[] = [];
  for (;;) {
    const step = work.next();
    if (step.done) {
      expect(step.value).toEqual(check(GOOD));
      break;
    }
    const { what, unit, done, of } = step.value;
    reached.push(`${what}: ${unit} ${done} of ${of}`);
  }
  expect(reached).toEqual(
    ['Planning cells', 'Checking commands'].flatMap((what) =>
      [1, 2, 3, 4, 5, 6].map((done) => `${what}: cell ${done} of 6`),
    ),
  );
});

describe('events of a trial', () => {
  const of = (events: string, where = '{ target: db }') =>
    check(`kneepoint: 1
name: Events
workload: { tool: probe, options: { where: database } }
where: ${where}
measure:
  warmup: 5
  duration: 10
  events:
    - ${events}
`).problems.map(({ path, message, line }) => [path, line, message]);

  it.each([
    '{ at: 14.9, do: kill }',
    '{ at: 0, do: server-setting, setting: work_mem, value: 8MB }',
    '{ at: 0, do: host-setting, setting: sysctl, of: vm.swappiness, value: 1, on: generators }',
  ])('can be %s', (event) => expect(of(event)).toEqual([]));

  it.each([
    ['{ at: 15, do: kill }', 'at', 'No trial reaches second 15: the longest ends at second 15.'],
    ['{ at: 1, do: host-setting, setting: sysctl, value: 1 }', 'of', 'sysctl needs the name of a kernel parameter'],
    ['{ at: 1, do: host-setting, setting: colour, value: 1 }', 'setting', 'must be one of sysctl'],
    [
      '{ at: 1, do: host-setting, setting: commands, value: 1 }',
      'setting',
      'To run custom commands, use an event with do: run.',
    ],
    ['{ at: 1, do: host-setting, setting: io-scheduler, of: sda, value: "a b" }', 'value', 'io-scheduler'],
    ['{ at: 1, do: server-setting, setting: "work mem", value: 1 }', 'setting', 'is not a name of a setting'],
  ])('%s is refused at its %s', (event, part, message) => {
    const [problem, ...others] = of(event);
    expect(others).toEqual([]);
    expect(problem).toEqual([`measure.events.0.${part}`, 9, expect.stringContaining(message)]);
  });

  it('after the end of some cells are reported', () => {
    const findings = (at: number) =>
      check(`kneepoint: 1
name: Events
workload: { tool: probe, options: { rand_type: special } }
where: {}
factors: [{ name: how long, kind: duration, levels: [10, 20, 40] }]
measure:
  duration: 10
  events: [{ at: ${at}, do: run, command: ls }]
`).plan?.findings.flatMap(({ code, message }) => (code === 'event-not-reached' ? [message] : []));
    expect(findings(9.9)).toEqual([]);
    expect(findings(20)).toEqual([
      'The event at second 20 does not happen in 2 of 3 cells, whose trials end earlier: how long 10 (10 s); how long 20 (20 s).',
    ]);
  });

  it('require the named host and a target', () => {
    const problems = checkDocument(
      GOOD.replace('  repeats: 3', '  repeats: 3\n  events: [{ at: 1, do: run, command: ls, host: nowhere }]'),
      { ...context, monitors: { isHost: () => false, takesStatements: () => true } },
    ).problems.map(({ path }) => path);
    expect(problems).toEqual(['measure.events.0.host']);
    const alone = check(GOOD.replace('  repeats: 3', '  repeats: 3\n  events: [{ at: 1, do: stop }]')).problems;
    expect(alone).toMatchObject([{ path: 'measure.events.0.do', message: 'This needs a target, but none is chosen.' }]);
  });
});

describe('reading a document', () => {
  it('returns the plan and a command per cell', () => {
    const checked = check(GOOD);
    expect(checked.problems).toEqual([]);
    expect(checked.plan?.cells).toHaveLength(6);
    expect(checked.plan?.trials).toHaveLength(18);
    expect(checked.commands?.[5]).toBe('probe --threads=4');
    expect(checked.dataCommands).toEqual({ prepare: ['probe prepare'], cleanup: [] });
    expect(checked.plan?.cells[1]?.levels).toEqual({ threads: 1, distribution: 'special' });
  });

  it('asks for the factor under test among several, unless one is the only one or marked', () => {
    const asked = (text: string) => {
      const { testable, plan } = check(text);
      return [
        testable,
        plan?.findings.flatMap(({ code, message }) => (code === NO_FACTOR_UNDER_TEST ? [message] : [])),
      ];
    };
    const both = ['threads', 'distribution'];
    expect(asked(GOOD)).toEqual([both, ['No factor is under test. Choose one: “threads” or “distribution”.']]);
    expect(asked(GOOD.replace('option: rand-type', 'option: rand-type\n    tested: true'))).toEqual([both, []]);
    expect(asked(GOOD.replace('[1, 2, 4]', '[4]'))).toEqual([['distribution'], []]);
    // Above eight levels the effect is drawn as a curve.
    expect(asked(GOOD.replace('[1, 2, 4]', '1..9 by 1'))).toEqual([['distribution'], []]);
  });

  it.each([
    ['unknown option', GOOD.replace('rand_type: special', 'tabels: 4'), 7, 'no option named “tabels”'],
    ['a misspelt setting', GOOD.replace('repeats:', 'repeat:'), 18, '“repeat” under measure. Did you mean “repeats”?'],
    [
      'a misspelt setting of a factor',
      GOOD.replace('levels:', 'lvels:'),
      12,
      'There is no setting named “lvels” under factors.0. Did you mean “levels”?',
    ],
    ['a misspelt part', GOOD.replace('workload:', 'worklod:'), 5, '“worklod”. Did you mean “workload”?'],
    ['a name like no other', GOOD.replace('repeats:', 'abcdefgh:'), 18, '“abcdefgh” under measure.'],
    ['unknown factor', GOOD.replace('option: rand-type', 'option: rand-typ'), 14, 'Did you mean “rand-type”'],
    [
      'a factor like no option',
      GOOD.replace('name: threads', 'name: variant'),
      11,
      'Its options are: threads, rand-type, where.',
    ],
    ['a colon in a value', GOOD.replace('name: Ladder ', 'name: Ladder: up '), 3, 'quote the value'],
    ['a colon in a value in braces', GOOD.replace('where: {}', 'where: { target: a: b }'), 8, 'quote the value'],
    ['level of the wrong kind', GOOD.replace('[1, 2, 4]', '[1, two, 4]'), 12, 'threads = two'],
    [
      'unknown kind of factor',
      GOOD.replace('  - name: threads', '  - name: threads\n    kind: weather'),
      12,
      'no such kind of factor. Known: target, ',
    ],
    ['unknown tool', GOOD.replace('tool: probe', 'tool: prob'), 5, 'no tool named “prob”'],
    ['unknown setting', GOOD.replace('duration: 10', 'duratoin: 10'), 17, 'no setting named “duratoin”'],
    ['a level twice', GOOD.replace('[1, 2, 4]', '[1, 2, 2]'), 12, 'same level twice'],
    ['broken YAML', GOOD.replace('levels: [1, 2, 4]', 'levels: [1, 2, 4'), 13, ''],
    ['a figure that is too small', GOOD.replace('duration: 10', 'duration: 0'), 17, 'measure.duration: at least 1.'],
    [
      'a figure that is text',
      GOOD.replace('duration: 10', 'duration: long'),
      17,
      'measure.duration: must be a number.',
    ],
    ['a missing name', GOOD.replace('name: Ladder   # a name\n', ''), 2, 'name: required.'],
    [
      'a word that is not known',
      GOOD.replace('repeats: 3', 'repeats: 3\n  order: random'),
      19,
      'one of listed, rounds, shuffled',
    ],
    ['missing target', GOOD.replace('rand_type: special', 'where: database'), 8, 'needs a target'],
    [
      'no trials left',
      `${GOOD}exclude:\n  - { distribution: uniform }\n  - { distribution: special }\n`,
      20,
      'no trials left',
    ],
  ])('names the line of %s', (_name, text, line, words) => {
    const [problem] = check(text).problems;
    expect(problem?.message).toContain(words);
    expect(problem?.line).toBe(line);
  });

  it('plans without the target that is still to be chosen, and reports that', () => {
    const checked = check(GOOD.replace('rand_type: special', 'where: database'));
    expect(checked.problems).toMatchObject([{ path: 'where', message: expect.stringContaining('MySQL family') }]);
    expect(checked.plan?.trials).toHaveLength(18);
    expect(checked.commands).toHaveLength(6);
  });

  it.each([
    ['empty', ''],
    ['a list', '- 1'],
    ['a scalar', 'hello'],
    ['alias bomb', `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n`],
    ['deep', '['.repeat(5000)],
    ['large', 'x'.repeat(1_000_001)],
    ['prototype', '__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n'],
  ])('refuses %s with a sentence', (_name, text) => {
    expect(readDocument(text).problems[0]?.message).toMatch(/\w/);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('ambiguous and hostile documents', () => {
  const problem = (text: string): string =>
    check(text)
      .problems.map(({ message }) => message)
      .join(' ');
  const matrix = (lines: string): string => GOOD.replace('levels: [1, 2, 4]', 'levels: [1, 2]').concat(lines);

  it.each(['constructor', 'toString', 'hasOwnProperty'])('refuses the unknown option %s', (name) => {
    expect(problem(GOOD.replace('rand_type: special', `${name}: 1`))).toContain(`no option named “${name}”`);
    expect(problem(GOOD.replace('name: threads', `name: ${name}`))).toContain(`no option named “${name}”`);
  });

  it('refuses __proto__ wherever it would be lost', () => {
    expect(problem(GOOD.replace('rand_type: special', '__proto__: 1'))).toContain('__proto__');
    expect(problem(GOOD.replace('name: distribution', 'name: __proto__'))).toContain('this name is reserved');
  });

  it.each(['[1, "1"]', '[1, "01"]', '[2, 1, 1.0]'])('refuses %s as a repeated level', (levels) => {
    expect(problem(GOOD.replace('[1, 2, 4]', levels))).toContain('the same level twice');
  });

  it('excludes a level with or without quotes, and reports an exclusion without a match', () => {
    expect(check(matrix('exclude: [{ threads: "2" }]\n')).plan?.cells.map((cell) => cell.levels.threads)).toEqual([
      1, 1,
    ]);
    expect(problem(matrix('exclude: [{ threads: 8 }]\n'))).toBe('8 is excluded, but is not a level of “threads”.');
    expect(problem(matrix('exclude: [{}]\n'))).toBe('This exclusion names no level.');
  });

  it.each(['"one\\ntwo"', '"\\e[31mred"', '"a\\0b"'])('refuses the name %s, which would control a terminal', (name) => {
    expect(problem(GOOD.replace('Ladder', name))).toContain('without control characters');
    expect(problem(GOOD.replace('name: distribution', `name: ${name}`))).toContain('without control characters');
  });

  it('keeps quotes and letters of any script in names', () => {
    const name = `It's "Größe" ≥ 5 本`;
    expect(check(GOOD.replace('Ladder', JSON.stringify(name))).experiment?.name).toBe(name);
  });

  it.each([
    ['a list of 100,000 entries', `tags: [${'a,'.repeat(100_000)}b]\n`],
    [
      '20,000 unknown options',
      GOOD.replace('rand_type: special', Array.from({ length: 20_000 }, (_, i) => `o${i}: 1`).join('\n    ')),
    ],
    ['1,000 steps of indentation', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['a list in a list in a list', `${'- '.repeat(5000)}a`],
  ])('refuses %s before reading it', (_name, text) => {
    expect(problem(text)).toMatch(/more than|deeper than/);
  });

  it('refuses a value that cannot be passed to a program', () => {
    expect(problem(GOOD.replace('special\n', '"spe\\0cial"\n'))).toContain('rand_type: a NUL character');
  });

  it('lists at most fifty problems', () => {
    const text = GOOD.replace('rand_type: special', Array.from({ length: 3000 }, (_, i) => `o${i}: 1`).join('\n    '));
    expect(check(text).problems).toHaveLength(50);
  });
});

describe('order of trials', () => {
  const experiment = (measure: object): Experiment =>
    Experiment.parse({
      kneepoint: 1,
      name: 'x',
      workload: { tool: 'probe' },
      where: {},
      factors: [{ name: 'threads', levels: [1, 2, 3, 4, 5] }],
      measure: { duration: 10, repeats: 4, ...measure },
    });
  const order = (measure: object) =>
    makePlan(experiment(measure), workload).trials.map((trial) => `${trial.cell}.${trial.repeat}`);

  it('goes cell by cell, by rounds, or shuffled the same way from the same seed', () => {
    expect(order({ order: 'listed' }).slice(0, 5)).toEqual(['0.0', '0.1', '0.2', '0.3', '1.0']);
    expect(order({ order: 'rounds' }).slice(0, 6)).toEqual(['0.0', '1.0', '2.0', '3.0', '4.0', '0.1']);
    const shuffled = order({ order: 'shuffled', seed: 7 });
    expect(shuffled).toEqual(order({ order: 'shuffled', seed: 7 }));
    expect(shuffled).not.toEqual(order({ order: 'shuffled', seed: 8 }));
    expect([...shuffled].sort()).toEqual(order({ order: 'rounds' }).sort());
    // Every round has every cell once.
    expect(new Set(shuffled.slice(0, 5).map((trial) => trial.split('.')[0])).size).toBe(5);
  });

  it('estimates measured time, warm-up and pauses', () => {
    const { seconds } = makePlan(experiment({ warmup: 5, pause: 3 }), workload);
    expect(seconds).toBe(20 * (5 + 10 + 3) + 19 * 3);
  });

  it('estimates pauses of a factor at changes of its level', () => {
    const own = experiment({ warmup: 5, pause: 3, order: 'listed' });
    const [first, ...others] = own.factors;
    if (!first) throw new Error('It has no factor.');
    const { trials, cells, seconds } = makePlan({ ...own, factors: [{ ...first, pause: 100 }, ...others] }, workload);
    const levels = trials.map(({ cell }) => cells[cell]?.levels[first.name]);
    const changes = levels.slice(1).filter((level, at) => level !== levels[at]).length;
    expect(changes).toBeGreaterThan(0);
    expect(seconds).toBe(20 * (5 + 10 + 3) + 19 * 3 + changes * 97);
  });
});

describe('cells that need different data', () => {
  const filling: Tool = {
    ...probe,
    options: z.object({
      rows: z.number().default(10),
      tables: z.number().default(1),
      engine: z.string().default('innodb'),
      threads: z.number().default(1),
    }),
    data: (options) => ({
      title: `${options.rows} rows`,
      tables: Array.from({ length: Number(options.tables) }, (_, at) => ({
        name: `t${at}`,
        rows: Number(options.rows),
      })),
      shape: String(options.engine),
      written: false,
    }),
  };
  const planOf = (factors: object[], measure: object = {}, data = 'recreate') =>
    makePlan(
      Experiment.parse({
        kneepoint: 1,
        name: 'x',
        workload: { tool: 'probe', data },
        where: {},
        factors,
        measure: { duration: 10, repeats: 2, ...measure },
      }),
      { tool: filling, kindOf: () => 'mysql' },
    );
  const threads = { name: 'threads', levels: [1, 2] };
  const rows = { name: 'rows', levels: [10, 20] };
  const changes = ({ cells, trials }: ReturnType<typeof planOf>) => {
    const order = trials.map(({ cell }) => cells[cell]?.data);
    return order.filter((data, at) => data !== order[at - 1]);
  };

  it('are ordered so that each data set is created once, in any order of factors', () => {
    for (const factors of [
      [threads, rows],
      [rows, threads],
    ]) {
      const plan = planOf(factors);
      expect(changes(plan)).toEqual([0, 1]);
      expect(plan.trials).toHaveLength(8);
      for (const { data, levels } of plan.cells) expect(data).toBe(levels.rows === 10 ? 0 : 1);
      expect(plan.findings[0]).toMatchObject({ code: 'data-changes', severity: 'note' });
      expect(plan.findings[0]?.message).toContain('prepared 2 times');
    }
  });

  it('keep rounds within their data, and shuffle data sets too', () => {
    const { cells, trials } = planOf([rows, threads], { order: 'rounds' });
    expect(trials.slice(0, 4).map(({ cell, repeat }) => [cells[cell]?.levels.threads, repeat])).toEqual([
      [1, 0],
      [2, 0],
      [1, 1],
      [2, 1],
    ]);
    const firsts = Array.from({ length: 20 }, (_, seed) =>
      changes(planOf([rows, threads], { order: 'shuffled', seed })),
    );
    expect(new Set(firsts.map(String))).toEqual(new Set(['0,1', '1,0']));
  });

  it('differ by how rows are stored, and share tables that fit', () => {
    expect(changes(planOf([{ name: 'engine', levels: ['innodb', 'myisam'] }]))).toEqual([0, 1]);
    const shared = planOf([{ name: 'tables', levels: [1, 4] }]);
    expect(shared.cells.map(({ data }) => data)).toEqual([undefined, undefined]);
    expect(shared.findings.map(({ code }) => code)).not.toContain('data-changes');
  });
});

describe('writing a document', () => {
  it('reads back as the same experiment', () => {
    const { experiment } = readDocument(GOOD);
    if (!experiment) throw new Error('the document is good');
    expect(readDocument(formatDocument(experiment)).experiment).toEqual(experiment);
  });

  it('keeps comments, order and notation of unchanged parts', () => {
    const { experiment } = readDocument(GOOD);
    if (!experiment) throw new Error('the document is good');
    const text = formatDocument({ ...experiment, measure: { ...experiment.measure, duration: 60 } }, GOOD);
    expect(text).toContain('# Threads against one table');
    expect(text).toContain('name: Ladder # a name');
    expect(text).toContain('# doubling');
    expect(text).toContain('rand_type: special');
    expect(text).toContain('levels: [1, 2, 4]');
    expect(readDocument(text).experiment).toEqual({ ...experiment, measure: { ...experiment.measure, duration: 60 } });
  });

  it('writes the kind of a factor only if the text has it', () => {
    const base = GOOD.replace('  - name: threads', '  - name: threads\n    kind: option');
    const { experiment } = readDocument(base);
    if (!experiment) throw new Error('the document is good');
    const text = formatDocument({ ...experiment, name: 'Other' }, base);
    expect(text).toContain(
      '  - name: threads\n    kind: option\n    levels: [1, 2, 4]\n  - name: distribution\n    option:',
    );
    expect(text).toContain('# doubling');
    expect(formatDocument({ ...experiment, name: 'Other' }, GOOD)).not.toContain('kind:');
    expect(formatDocument(experiment)).not.toContain('kind:');
  });
});
