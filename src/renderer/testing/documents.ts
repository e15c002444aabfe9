import type { CheckedDocument, ExperimentFile } from '../../shared/contract/experiments.ts';
import type { AppContract } from '../../shared/contract/index.ts';
import { Experiment, type Levels } from '../../shared/model/experiment.ts';
import { levelsOf } from '../../shared/model/factor.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Session, SessionDetail } from '../../shared/model/session.ts';
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

/** Documents are written as JSON here, which is YAML too. */
export const textOf = (experiment: Experiment): string => JSON.stringify(experiment, null, 2);

export const fileOf = (id: string, origin: ExperimentFile['origin'], experiment: Experiment): ExperimentFile => ({
  id,
  origin,
  name: experiment.name,
  tool: experiment.workload.tool,
  tags: [],
  text: textOf(experiment),
});

/** The part of an engine that keeps and reads documents; `saved` is what was handed to it. */
export function documentEngine(files: ExperimentFile[]) {
  const saved: { id: string | undefined; text: string }[] = [];
  const experiments: Partial<Implementation<AppContract>['experiments']> = {
    tools: () => [loadTool],
    factorKinds: () => [],
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
  return { problems: [], experiment, plan, commands: plan.cells.map(({ levels }) => `load ${JSON.stringify(levels)}`) };
}

function planOf({ factors, exclude = [], measure }: Experiment): Plan {
  const all = factors.reduce<Levels[]>(
    (cells, factor) => cells.flatMap((cell) => levelsOf(factor).map((level) => ({ ...cell, [factor.name]: level }))),
    [{}],
  );
  const out = (cell: Levels): boolean =>
    exclude.some((pattern) => Object.entries(pattern).every(([name, level]) => cell[name] === level));
  const cells = all.filter((cell) => !out(cell)).map((levels, index) => ({ index, levels }));
  const trials = cells.flatMap((cell) =>
    Array.from({ length: measure.repeats }, (_, repeat) => ({
      index: cell.index * measure.repeats + repeat,
      cell: cell.index,
      repeat,
    })),
  );
  return { cells, trials, seconds: trials.length * (measure.warmup + measure.duration), findings: [] };
}

/** A session of `ladder` with what it was started from: two cells, three repeats of 38 s. */
export const sampleDetail = (session: Session, experimentText = textOf(ladder)): SessionDetail => ({
  ...{ session, experiment: ladder, experimentText, hosts: [], appVersion: '0.1.0', findings: [] },
  plan: {
    cells: [1, 2].map((threads, index) => ({ index, levels: { mode: 'off', threads } })),
    trials: [0, 1, 2].flatMap((repeat) => [0, 1].map((cell) => ({ index: repeat * 2 + cell, cell, repeat }))),
    seconds: 228,
    findings: [],
  },
});
