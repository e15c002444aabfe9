import type { CheckedDocument, ExperimentFile } from '../../shared/contract/experiments.ts';
import type { AppContract } from '../../shared/contract/index.ts';
import { combinationsOf, measuredOf } from '../../shared/model/cells.ts';
import { Experiment } from '../../shared/model/experiment.ts';
import type { FactorKindInfo } from '../../shared/model/factor.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Session, SessionDetail } from '../../shared/model/session.ts';
import type { TargetKindInfo } from '../../shared/model/target.ts';
import type { ToolInfo } from '../../shared/model/tool.ts';
import type { Implementation } from '../../shared/rpc/define.ts';

/** A tool with an option of each shape. */
export const loadTool: ToolInfo = {
  id: 'load',
  title: 'Load',
  summary: 'Makes load.',
  drives: ['mysql', 'sqlite'],
  primaryMetric: 'tps',
  options: {
    type: 'object',
    properties: {
      threads: { type: 'integer', minimum: 1, default: 1, title: 'Threads', unit: 'threads', group: 'Load' },
      mode: { type: 'string', enum: ['off', 'normal', 'full'], default: 'off', title: 'Mode', group: 'Load' },
      tls: { type: 'boolean', default: false, title: 'TLS', group: 'Connection' },
    },
  },
};

/** A kind of target with a server to connect to. */
export const mysqlKind: TargetKindInfo = {
  kind: 'mysql',
  title: 'MySQL family',
  family: 'MySQL',
  nameExample: 'mariadb-10.11 on db-bench-01',
  takesSecret: true,
  connects: true,
  via: 'connection',
  tells: ['settings', 'sizes', 'sessions', 'counters'],
  schema: {
    type: 'object',
    properties: {
      address: { type: 'string', default: '127.0.0.1', title: 'Address' },
      port: { type: 'integer', minimum: 1, maximum: 65535, default: 3306, title: 'Port' },
      user: { type: 'string', minLength: 1, title: 'User' },
      tls: { type: 'string', enum: ['disabled', 'verify'], default: 'disabled', title: 'TLS' },
      open: { type: 'boolean', default: false, title: 'Allow it', warns: 'The password may be read' },
      caFile: { type: 'string', default: '', title: 'CA file', when: { option: 'tls', in: ['verify'] } },
    },
    required: ['user'],
  },
};

/** One kind of factor of each type: plain levels, both types of levels, named ones. */
export const factorKinds: FactorKindInfo[] = [
  {
    kind: 'option',
    title: 'Tool option',
    description: 'An option of the tool.',
    changes: 'nothing',
    takes: 'Nothing.',
    undone: 'Nothing is changed.',
    schema: { type: 'object', properties: { option: { type: 'string', title: 'Option' } } },
    example: '{name: threads, levels: [1, 2]}',
  },
  {
    kind: 'server-setting',
    title: 'Server setting',
    description: 'Settings of a server.',
    changes: 'server',
    takes: 'A restart.',
    undone: 'It is restored.',
    schema: {
      type: 'object',
      properties: { setting: { type: 'string', title: 'Setting' }, on: { type: 'string', title: 'Target' } },
    },
    level: {
      type: 'object',
      properties: {
        set: {
          type: 'object',
          title: 'Settings',
          additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
        },
      },
    },
    plainLevels: true,
    example: '{name: sync, kind: server-setting, setting: sync_binlog, levels: [0, 1]}',
  },
  {
    kind: 'workload',
    title: 'Workload',
    description: 'Named workloads.',
    changes: 'nothing',
    takes: 'Nothing.',
    undone: 'Nothing is changed.',
    schema: { type: 'object', properties: {} },
    level: {
      type: 'object',
      properties: { options: { type: 'object', title: 'Options', additionalProperties: { type: 'string' } } },
    },
    example: '{name: load, kind: workload, levels: [{name: a, options: {}}]}',
  },
  {
    kind: 'target',
    title: 'Target',
    description: 'Saved targets.',
    changes: 'nothing',
    takes: 'Nothing.',
    undone: 'Nothing is changed.',
    schema: { type: 'object', properties: {} },
    example: '{name: server, kind: target, levels: [a, b]}',
  },
];

export const ladder: Experiment = {
  kneepoint: 1,
  name: 'Ladder',
  workload: { tool: 'load', options: {}, data: 'create' },
  where: { generators: ['this computer'] },
  factors: [
    { name: 'mode', kind: 'option', levels: ['off', 'full'] },
    { name: 'threads', kind: 'option', levels: [1, 2, 4] },
  ],
  measure: { warmup: 5, duration: 30, repeats: 3, order: 'rounds', seed: 1, pause: 0 },
};

/** Documents are written as JSON here, which is also YAML. */
export const textOf = (experiment: Experiment): string => JSON.stringify(experiment, null, 2);

export const fileOf = (id: string, origin: ExperimentFile['origin'], experiment: Experiment): ExperimentFile => ({
  id,
  origin,
  name: experiment.name,
  tool: experiment.workload.tool,
  tags: [],
  text: textOf(experiment),
});

/** The part of an engine that stores and reads documents; `saved` contains what it was given. */
export function documentEngine(files: ExperimentFile[]) {
  const saved: { id: string | undefined; text: string }[] = [];
  const experiments: Partial<Implementation<AppContract>['experiments']> = {
    tools: () => [loadTool],
    factorKinds: () => factorKinds,
    list: () => files,
    check: ({ text }) => check(text),
    format: ({ experiment }) => ({ text: textOf(experiment) }),
    save: ({ id, text }) => {
      saved.push({ id, text });
      const file = fileOf(id ?? '7', 'saved', Experiment.parse(JSON.parse(text)));
      files.splice(0, files.length, ...files.filter((other) => other.id !== file.id), file);
      return file;
    },
  };
  return { experiments, saved };
}

function check(text: string): CheckedDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const line = text.split('\n').findIndex((words) => words.includes('oops')) + 1;
    return { problems: [{ path: '', message: 'This line cannot be read.', line }] };
  }
  const read = Experiment.safeParse(value);
  if (!read.success) return { problems: [{ path: 'name', message: 'Something is missing.', line: 1 }] };
  const experiment = read.data;
  const problems = Object.entries(experiment.workload.options)
    .filter(([name, level]) => name === 'threads' && typeof level !== 'number')
    .map(([name]) => ({ path: `workload.options.${name}`, message: 'threads: expected a number.', line: 1 }));
  if (problems.length > 0) return { problems, experiment };
  const plan = planOf(experiment);
  const changeCosts = experiment.factors.map(({ kind }) =>
    kind === 'server-setting' ? ('restart' as const) : ('none' as const),
  );
  return {
    problems: [],
    experiment,
    plan,
    changeCosts,
    commands: plan.cells.map(({ levels }) => `load ${JSON.stringify(levels)}`),
  };
}

function planOf(experiment: Experiment): Plan {
  const { measure } = experiment;
  const cells = combinationsOf(experiment)
    .filter(measuredOf(experiment))
    .map((levels, index) => ({ index, levels }));
  const trials = cells.flatMap((cell) =>
    Array.from({ length: measure.repeats }, (_, repeat) => ({
      index: cell.index * measure.repeats + repeat,
      cell: cell.index,
      repeat,
    })),
  );
  return { cells, trials, seconds: trials.length * (measure.warmup + measure.duration), findings: [] };
}

/** A session of `ladder` with its start data: two cells, three repeats of 38 s. */
export const sampleDetail = (session: Session, experimentText = textOf(ladder)): SessionDetail => ({
  ...{ session, experiment: ladder, experimentText, hosts: [], appVersion: '0.1.0', findings: [] },
  plan: {
    cells: [1, 2].map((threads, index) => ({ index, levels: { mode: 'off', threads } })),
    trials: [0, 1, 2].flatMap((repeat) => [0, 1].map((cell) => ({ index: repeat * 2 + cell, cell, repeat }))),
    seconds: 228,
    findings: [],
  },
});
