import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { fakeTool } from '../session/testing/fake-tool.ts';
import { type FakeServer, SessionBed, type SessionOptions } from '../session/testing/session-bed.ts';
import { toolById } from '../tools/index.ts';
import type { Command, Tool, ToolPlan } from '../tools/tool.ts';

skipPauses();

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

const ends = (job: FakeJob): void => job.end(0);
const measures = (job: FakeJob): void => {
  job.print('1 100\n');
  job.end(0);
};
const logged = (id: number, words: string): string[] =>
  bed
    .log(id)
    .map(({ message }) => message)
    .filter((message) => message.startsWith(words));
async function done(id: number): Promise<void> {
  await bed.sessions.settled(id);
  expect(bed.row(id)).toMatchObject({ state: 'done', message: null });
}
async function pausedAfterFirst(id: number): Promise<void> {
  const job = await bed.running(id, 0);
  bed.sessions.pause(id);
  measures(job);
  await bed.sessions.settled(id);
  expect(bed.row(id).state).toBe('paused');
}

describe('data that cannot be counted', () => {
  it('is prepared for each level whose value is in a file of the step', async () => {
    bed.script.push(ends, ends, measures, measures);
    const id = bed.start({ prepare: true, trials: 1, factors: '[{ name: size, levels: [3, 7] }]' });
    await done(id);
    const steps = bed.jobs.all.map(({ spec }) => [spec.argv[0], spec.files[0]?.content]);
    expect(steps).toEqual([
      ['prepare', '3'],
      ['prepare', '7'],
      ['run', '3'],
      ['run', '7'],
    ]);
  });

  it('is removed once before any of it is created again, if one clean-up removes all of it', async () => {
    bed.script.push(ends, ends, ends, measures, measures);
    const id = bed.start({
      ...{ prepare: true, trials: 1, data: 'recreate' },
      factors: '[{ name: size, levels: [3, 7] }]',
    });
    await done(id);
    const steps = bed.jobs.all.map(({ spec }) => [spec.argv[0], spec.files[0]?.content].join(' '));
    expect(steps).toEqual(['cleanup 0', 'prepare 3', 'prepare 7', 'run 3', 'run 7']);
  });

  it('is recognized after a restart, even if the password has changed', async () => {
    let password = 'first';
    bed.addServer();
    bed.targets.connection = async () => ({ kind: 'mysql', password });
    const begun = bed.jobs.next();
    const factors = '[{ name: size, levels: [3, 7] }]';
    const id = bed.start({ prepare: true, trials: 1, target: 'db', factors });
    const first = await begun;
    const prepared = bed.jobs.next();
    first.end(0);
    const job = await prepared;
    await bed.reopen();
    password = 'second';
    const { keys = [] } = bed.store.sessions.dataProgress(id) ?? {};
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    job.end(0);
    bed.script.push(measures, measures);
    bed.sessions.continueInterrupted(id);
    await done(id);
    expect(bed.jobs.all.map(({ spec }) => spec.files[0]?.content)).toEqual([
      '3 first',
      '7 first',
      '3 second',
      '7 second',
    ]);
  });
});

describe('a proxy as target', () => {
  it('prepares and counts data on the server behind it, and is measured itself', async () => {
    const server = bed.addServer();
    const proxy = bed.addServer('proxy', { behind: 'db' });
    bed.targets.connection = async (name) => ({ kind: 'mysql', password: `of ${name}` });
    bed.script.push((job) => {
      server.rows.set('things', 100);
      job.end(0);
    }, measures);
    const id = bed.start({ target: 'proxy', options: ', rows: 100', prepare: true, trials: 1 });
    await done(id);
    const steps = bed.jobs.all.map(({ spec }) => [spec.argv[0], spec.files[0]?.content]);
    expect(steps).toEqual([
      ['prepare', '1 of db'],
      ['run', '1 of proxy'],
    ]);
    expect([server.counted > 0, proxy.counted]).toEqual([true, 0]);
    const place = bed.store.targets.byName('db')?.id;
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ placeId: place, state: 'ready' }]);
    // The facts are those of the server, and name the proxy.
    expect(bed.store.sessions.snapshot(id).target).toMatchObject({
      ...{ name: 'proxy', behind: 'db' },
      description: { product: 'Fake', middleware: { product: 'a proxy' } },
    });
  });
});

describe('a server that ends during data preparation', () => {
  const start = (server: FakeServer, prepares: readonly ((job: FakeJob) => void)[]): number => {
    server.up = () => 1000;
    bed.script.push(...prepares, measures);
    return bed.start({ target: 'db', options: ', rows: 100', prepare: true, trials: 1 });
  };
  const dies = (server: FakeServer) => (job: FakeJob) => {
    server.rows.set('things', 40);
    server.isDown = true;
    job.end(1);
  };
  const makes = (server: FakeServer) => (job: FakeJob) => {
    server.rows.set('things', 100);
    job.end(0);
  };
  const waitingWords = (id: number) => logged(id, 'The server of “db” does not answer. Waiting');

  it('is waited for, and preparation starts again', async () => {
    const server = bed.addServer();
    const id = start(server, [dies(server), ends, makes(server)]);
    await bed.until(id, () => waitingWords(id).length > 0);
    server.isDown = false;
    await done(id);
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['prepare', 'cleanup', 'prepare', 'run']);
    expect(logged(id, 'The server of target “db” ended during data preparation.')).toHaveLength(1);
    expect(waitingWords(id)).toHaveLength(1);
  });

  it('is detected by its uptime if it is up again at once, and given up if it ends every time', async () => {
    const server = bed.addServer();
    let began = bed.now;
    const crashes = (job: FakeJob): void => {
      bed.now += 60_000;
      began = bed.now - 5000;
      job.end(1);
    };
    const id = start(server, [crashes, ends, crashes, ends, crashes]);
    server.up = () => (bed.now - began) / 1000;
    await bed.sessions.settled(id);
    expect(bed.row(id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('Preparing the data failed'),
    });
    expect(logged(id, 'The server of target “db” ended during data preparation.')).toHaveLength(2);
  });

  it('fails the plan if the command fails while the server keeps running, as it would fail again', async () => {
    const server = bed.addServer();
    const id = start(server, [(job) => job.end(1)]);
    await bed.sessions.settled(id);
    expect(bed.row(id).state).toBe('failed');
    expect(bed.jobs.all).toHaveLength(1);
  });
});

describe('data created by statements of queries', () => {
  const queriesTool = toolById('queries') as Tool;
  /** Fake jobs print the fake tool's format. */
  const { parser } = fakeTool as unknown as Tool;
  /** The built program is only needed by tests that run it. */
  const unbuilt = ({ prepare, run, ...rest }: ToolPlan): ToolPlan => {
    const bare = ({ programs: _, ...command }: Command): Command => command;
    return { ...rest, run: bare(run), ...(prepare && { prepare: bare(prepare) }) };
  };
  it('is created for each level that they name, identified by all inputs, and not again for the same', async () => {
    await bed.close();
    bed = new SessionBed(['one'], [{ ...queriesTool, plan: (input) => unbuilt(queriesTool.plan(input)), parser }]);
    bed.addServer();
    const connection = { kind: 'mysql' as const, host: '192.0.2.7', port: 3306, user: 'bench', database: 'bench' };
    bed.targets = { ...bed.targets, shown: () => connection, connection: async () => connection };
    const queries = '-- @prepare\nCREATE TABLE {{name}} (id INT);\n-- @variant count\nSELECT COUNT(*) FROM {{name}};\n';
    const document = `kneepoint: 1
name: Queries with data
workload: { tool: queries, options: { queries: ${JSON.stringify(queries)} } }
where: { generators: [one], target: db }
factors: [{ name: name, option: values, levels: ["name=a", "name=b"] }]
measure: { duration: 1, repeats: 2, order: rounds }
`;
    expect(bed.check(document).problems).toEqual([]);
    bed.script.push(ends, ends, measures, measures, measures, measures);
    const { id } = bed.sessions.start(document);
    await bed.sessions.settled(id);
    expect(bed.row(id).message).toBeNull();
    const steps = bed.jobs.all.map(({ spec }) => {
      const { content = '' } = spec.files.find(({ name }) => name === 'settings.json') ?? {};
      return [/CREATE TABLE (\w+)/.exec(content)?.[1] && 'prepare', /(?:TABLE|FROM) (\w+)/.exec(content)?.[1]].filter(
        Boolean,
      );
    });
    expect(steps).toEqual([['prepare', 'a'], ['prepare', 'b'], ['a'], ['b'], ['a'], ['b']]);
  });
});

describe('tables', () => {
  let server: FakeServer;
  beforeEach(() => {
    server = bed.addServer();
  });
  const on = (options: SessionOptions = {}): SessionOptions => ({ target: 'db', options: ', rows: 100', ...options });

  it('modified by an earlier session are counted and reported once, whatever the number of trials', async () => {
    server.rows.set('things', 100);
    bed.script.push(measures);
    const writer = bed.start(on({ trials: 1, options: ', rows: 100, writes: true' }));
    await done(writer);
    expect(bed.store.dataSets.tables.list()).toMatchObject([{ state: 'dirty', writtenBy: writer }]);
    server.counted = 0;
    bed.script.push(measures, measures, measures);
    const id = bed.start(on({ trials: 3 }));
    await done(id);
    expect(logged(id, 'Using')).toEqual([
      expect.stringMatching(`Using the existing data: 100 rows. It has been modified .* session ${writer} `),
    ]);
    expect(server.counted).toBe(1);
    expect(bed.store.events.findings(id)).toMatchObject([{ code: 'data-written' }]);
  });

  it('are counted over a new connection after a reset', async () => {
    const { open } = bed.targets;
    let resets = 2;
    bed.targets = {
      ...bed.targets,
      async open(name, signal) {
        resets -= 1;
        if (resets < 0) return open(name, signal);
        const message = 'The connection to the server was lost: read ECONNRESET.';
        throw new KneepointError({ code: 'target-unreachable', message, details: { code: 'ECONNRESET' } });
      },
    };
    server.rows.set('things', 100);
    bed.script.push(measures);
    await done(bed.start(on({ trials: 1 })));
    resets = 100;
    const lost = bed.start(on({ trials: 1 }));
    await bed.sessions.settled(lost);
    expect(bed.row(lost)).toMatchObject({ state: 'failed', message: expect.stringContaining('ECONNRESET') });
  });

  it('are created once if two targets lead to one database, and counted again for the second', async () => {
    const proxied = bed.addServer('proxy');
    proxied.rows = server.rows;
    bed.script.push(
      (job) => {
        server.rows.set('things', 100);
        job.end(0);
      },
      measures,
      measures,
    );
    const factors = '[{ name: way, kind: target, levels: [db, proxy] }]';
    const id = await bed.startChecked({ trials: 1, options: ', rows: 100', factors });
    await done(id);
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['prepare', 'run', 'run']);
  });

  it('checked again by the same session are reported once', async () => {
    server.rows.set('things', 100);
    bed.script.push(measures);
    await done(bed.start(on({ trials: 1, options: ', rows: 100, writes: true' })));
    bed.script.push(measures, measures);
    const id = bed.start(on({ trials: 1 }));
    await done(id);
    server.counted = 0;
    // As stored by an older version, which stored less.
    bed.store.sessions.setDataProgress(id, { group: 0, keys: [], sets: [], complete: false });
    await bed.sessions.repeat(id, [bed.runs(id)[0]?.id ?? 0]);
    await done(id);
    expect(server.counted).toBe(1);
    expect(logged(id, 'Using')).toHaveLength(1);
    expect(bed.store.events.findings(id)).toHaveLength(1);
  });

  it('are queried again after creation: their storage decides their durability', async () => {
    const keptIn = (name: string, level: 'safe' | 'unsafe', ...tables: string[]) => ({
      ...{ name, tables, durability: { level, why: `${name}.` } },
    });
    server.storage = () =>
      server.rows.has('things')
        ? [keptIn('logged', 'safe', 'others'), keptIn('forgetful', 'unsafe', 'things')]
        : [keptIn('logged', 'safe', 'others'), keptIn('forgetful', 'unsafe')];
    bed.script.push((job) => {
      server.rows.set('things', 100);
      job.end(0);
    }, measures);
    const id = bed.start(on({ trials: 1 }));
    await done(id);
    expect(bed.store.sessions.snapshot(id).target?.description).toMatchObject({
      ...{ durability: { level: 'unsafe', why: 'forgetful.' }, storage: [{}, { tables: ['things'] }] },
    });
    expect(server.described).toBe(2);
  });

  it('are judged again if another session has modified them meanwhile', async () => {
    server.rows.set('things', 100);
    const id = bed.start(on());
    await pausedAfterFirst(id);
    bed.script.push(measures);
    await done(bed.start(on({ trials: 1, options: ', rows: 100, writes: true' })));
    bed.script.push(measures);
    await bed.sessions.resume(id);
    await done(id);
    expect(logged(id, 'Using')).toHaveLength(2);
  });

  it('are counted when the host that leads to their server is reachable again', async () => {
    server.rows.set('things', 100);
    const { open } = bed.targets;
    const cuts = ['at the count'];
    bed.targets.open = async (name) => {
      // When it is described for the first time.
      if (server.opened === 1 && cuts.pop()) bed.machines.get('one').cut();
      return open(name);
    };
    const id = bed.start(on({ trials: 1, hosts: ['two'] }));
    await bed.until(id, () => logged(id, 'one cannot be reached').length > 0);
    expect(server.counted).toBe(0);
    bed.script.push(measures);
    bed.machines.get('one').restore();
    await done(id);
  });
});

describe('files', () => {
  it('are checked before each trial when a host is reachable again between two trials', async () => {
    const disk = bed.addDisk();
    disk.sizes.set('things', 100);
    bed.script.push(measures, measures);
    const id = bed.start({ options: ', bytes: 100' });
    const one = bed.machines.get('one');
    const cuts = ['between two trials'];
    disk.onLook = () => {
      if (bed.states(id)[0] === 'done' && cuts.pop()) one.cut();
    };
    await bed.until(id, () => logged(id, 'one cannot be reached').length > 0);
    expect(bed.states(id)).toEqual(['done', 'pending']);
    expect(bed.row(id).state).toBe('running');
    expect(bed.sessions.activity(id)).toContain('one cannot be reached');
    one.restore();
    await done(id);
    expect(bed.states(id)).toEqual(['done', 'done']);
    expect(bed.jobs.all.map(({ spec }) => spec.argv[0])).toEqual(['run', 'run']);
  });
});

describe('results of the preflight', () => {
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
    const { readFacts } = bed;
    bed.readFacts = (machine, signal) => {
      asked.push(machine.name);
      return readFacts(machine, signal);
    };
  });

  it('are reused at the start: each host and target once, each table once', async () => {
    const server = bed.addServer();
    server.rows.set('things', 100);
    bed.script.push(measures, measures, measures, measures);
    const id = await bed.startChecked({ target: 'db', options: ', rows: 100', hosts: ['one', 'two'] });
    await done(id);
    // Before each trial its uptime is read, and before the second whether it is still running.
    const TRIALS = 2;
    expect(asked.sort()).toEqual(['one', 'two']);
    expect(server).toMatchObject({ described: 1, counted: 1, opened: 2 + TRIALS + 1 });
    expect(bed.store.sessions.snapshot(id)).toMatchObject({
      hosts: [{ name: 'one', facts: { hostname: 'one' } }, { name: 'two' }],
      target: { name: 'db', description: { product: 'Fake' } },
      toolVersion: '1.0',
    });
  });

  it('are renewed by a start some time later', async () => {
    const server = bed.addServer();
    server.rows.set('things', 100);
    bed.script.push(measures);
    await done(await bed.startChecked({ target: 'db', options: ', rows: 100', trials: 1 }, 60_000));
    expect(asked).toEqual(['one', 'one']);
    expect(server).toMatchObject({ described: 2, counted: 2, opened: 4 + 1 });
  });

  it('are renewed by a continued session before its first trial', async () => {
    const prepared = bed.jobs.next();
    const id = await bed.startChecked({ prepare: true, trials: 1 });
    const job = await prepared;
    expect(asked).toEqual(['one']);
    await bed.reopen();
    job.end(0);
    bed.script.push(measures);
    bed.sessions.continueInterrupted(id);
    await done(id);
    expect(asked).toEqual(['one', 'one']);
  });
});
