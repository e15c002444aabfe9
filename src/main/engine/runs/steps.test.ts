import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveCells } from '../plans/index.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder, SESSION, SNAPSHOT } from '../store/testing/library.ts';
import { TOOLS, toolById } from '../tools/index.ts';
import type { Command, Tool } from '../tools/tool.ts';
import { commandsOf, jobOf, stepOf, under } from './steps.ts';

const command = (plannedSeconds: number, startSeconds?: number): Command => ({
  ...{ argv: ['true'], env: {}, files: [], plannedSeconds },
  ...(startSeconds !== undefined && { startSeconds }),
});
const limit = (...args: Parameters<typeof command>): number => jobOf(command(...args), 'x').limitSeconds;

it('passes limits and launch settings of a cell to the job', () => {
  expect(under({}, command(1))).toEqual(command(1));
  expect(jobOf(under({ cpus: '0', limits: { n: 10 } }, command(1)), 'x').under).toEqual({
    cpus: '0',
    limits: { n: 10 },
  });
});

describe('the time limit of a hanging command', () => {
  it('is a fifth more than planned, plus at least a minute', () => {
    expect([limit(10), limit(300), limit(3600), limit(0)]).toEqual([70, 360, 4320, 86_400]);
    expect(jobOf(command(10), 'x', 30).limitSeconds).toBe(100);
  });

  it('starts with the clock of the program, excluding a slow start', () => {
    expect(limit(10, 600)).toBe(670);
    expect(limit(0, 600)).toBe(86_400);
  });

  it('allows YCSB an hour until its first operation, when its clock starts', () => {
    const ycsb = toolById('ycsb') as Tool;
    const input = {
      connection: { kind: 'host' as const },
      warmup: 5,
      duration: 60,
      seed: 1,
      nodePath: 'node',
      assetsDir: '/',
    };
    for (const phase of ['run', 'load']) {
      const { run } = ycsb.plan({ ...input, options: ycsb.options.parse({ directory: '/y', phase }) });
      expect(run.plannedSeconds).toBe(65);
      expect(jobOf(run, 'x').limitSeconds).toBe(3600 + 65 + 60);
    }
  });
});

describe('the steps of a run', () => {
  it.each([
    ['as its session was started, whatever its tool would make of it now', true, 7],
    ['as its tool makes it of a session of an earlier version, whose cells have no steps', false, 2],
  ])('are read %s', (_, isStored, threads) => {
    const folder = libraryFolder();
    onTestFinished(() => folder.remove());
    const store = openStore(folder.path);
    onTestFinished(() => store.close());
    const experiment = {
      ...SNAPSHOT.experiment,
      factors: [{ name: 'threads', kind: 'option', option: 'threads', levels: [1, 2] }],
    };
    const resolved = resolveCells(experiment, toolById('sysbench') as Tool);
    const cells = resolved.map(({ steps, ...cell }) => ({
      ...cell,
      ...(isStored && { steps: steps.map((each) => ({ ...each, options: { ...each.options, threads: 7 } })) }),
    }));
    const snapshot = { ...SNAPSHOT, experiment, plan: { ...SNAPSHOT.plan, cells } };
    const { id } = store.sessions.insert({ ...SESSION, snapshot }, [
      { trial: 0, cell: 1, repeat: 0, levels: { threads: 2 }, warmup: 0, duration: 60 },
    ]);
    const [run] = store.runs.ofSession(id);
    if (!run) throw new Error('The session has no run.');
    expect(stepOf({ store, tools: TOOLS }, run).step).toMatchObject({
      generators: ['this computer'],
      options: { threads },
    });
  });
});

it('plans the command of each generator with the addresses of its step', () => {
  const tool = toolById('sysbench') as Tool;
  const connection = {
    ...{ kind: 'mysql', host: 'db1', port: 3306, user: 'u', database: 'd' },
    addresses: ['db1', 'db2', 'db3'].map((host) => ({ host, port: 3306 })),
  };
  const { experiment } = SNAPSHOT;
  const nodes = { name: 'nodes', kind: 'nodes', levels: [1, 2] };
  const cells = resolveCells(
    {
      ...experiment,
      workload: { ...experiment.workload, tool: 'sysbench', options: { threads: 4 } },
      factors: [nodes],
      where: { generators: ['one', 'two'], target: 'db' },
    },
    tool,
  );
  const hostsOf = cells.map(({ steps: [step] }) =>
    [0, 1].map((index) => {
      const part = { index, count: 2 };
      if (!step) throw new Error('There is no step.');
      const { run } = commandsOf({ nodePath: 'node', assetsDir: '/' }, tool, step, { seed: 1, connection, part });
      return run.argv.find((argument) => argument.startsWith('--mysql-host='));
    }),
  );
  expect(hostsOf).toEqual([
    ['--mysql-host=db1', '--mysql-host=db1'],
    ['--mysql-host=db1,db2', '--mysql-host=db2,db1'],
  ]);
});
