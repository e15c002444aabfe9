import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SIZES } from '../../../shared/model/capture.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';
import type { RunRow } from '../store/store.ts';

skipPauses();

const MIB = 1024 ** 2;

let bed: SessionBed;
let server: FakeServer;
/** Readings of sizes and launches of the tool, in order. */
let done: string[];
let bytes: number;
beforeEach(() => {
  bed = new SessionBed();
  server = bed.addServer();
  server.rows.set('things', 5);
  done = [];
  bytes = 10 * MIB;
  server.stored = async () => {
    done.push('sizes');
    return { sizes: [{ what: 'data', value: bytes, source: 'a view' }], places: [] };
  };
});
afterEach(() => bed.close());

const start = (more: { trials?: number; monitors?: string } = {}) =>
  bed.start({ target: 'db', options: ', rows: 5', data: 'keep', trials: 1, duration: 60, monitors: '{}', ...more });
const finish = (job: FakeJob): void => {
  job.print('1 100\n2 200\n');
  job.end(0);
};
const brief = (id: number) =>
  bed.store.captures
    .ofSession(id)
    .map(({ name, moment, t, problem }) => [name, moment, t, problem].filter((part) => part !== undefined).join(' '));

it('sizes are read before the launch and after the end, and are final figures of the run', async () => {
  bed.script.push(() => done.push('launch'));
  const id = start();
  const job = await bed.running(id, 0);
  bytes = 13 * MIB;
  bed.now += 60_000;
  finish(job);
  await bed.sessions.settled(id);
  expect(done).toEqual(['sizes', 'launch', 'sizes']);
  expect(brief(id)).toEqual([`${SIZES} start`, `${SIZES} end 60`]);
  const [run] = bed.runs(id);
  expect(run?.summary).toEqual({
    rounds: 1,
    stored_data_before_mib: 10,
    stored_data_mib: 13,
    stored_data_growth_mib_h: 180,
  });
});

it('sizes are kept when raw output is read again', async () => {
  const id = start();
  finish(await bed.running(id, 0));
  await bed.sessions.settled(id);
  const before = bed.runs(id)[0];
  const again = await bed.readAgain(before as RunRow);
  expect(again.summary).toEqual(before?.summary);
  expect(again.summary).toMatchObject({ stored_data_mib: 10 });
});

it('sizes are read once per moment despite a kill', async () => {
  const id = start();
  const job = await bed.running(id, 0);
  bed.crash();
  await bed.sessions.resume(id);
  finish(job);
  await bed.sessions.settled(id);
  expect(brief(id).map((words) => words.split(' ')[3])).toEqual(['start', 'end']);
});

it('sizes do not affect the run if the server does not report them', async () => {
  server.stored = () =>
    Promise.reject(new KneepointError({ code: 'change-refused', message: 'Access denied.', next: 'Give the right.' }));
  const id = start();
  finish(await bed.running(id, 0));
  await bed.sessions.settled(id);
  expect(bed.states(id)).toEqual(['done']);
  expect(brief(id)[0]).toBe(`${SIZES} start Access denied. Give the right.`);
  expect(bed.runs(id)[0]?.summary).toEqual({ rounds: 1 });
});

it.each(['{ sizes: false }', '{ server: false }'])('sizes are not read with monitors %s', async (monitors) => {
  const id = start({ monitors });
  finish(await bed.running(id, 0));
  await bed.sessions.settled(id);
  expect(done).toEqual([]);
});

describe('files of a load', () => {
  /** Lengths of the load's file on the host at successive looks: before and after. */
  function withFile(...lengths: number[]): string[] {
    const looked: string[] = [];
    bed.machines.get('one').answer = (script) => {
      if (!script.includes('find')) return { code: 0, stdout: '2097152 things\n', stderr: '' };
      looked.push(script);
      const bytes = lengths.shift();
      return { code: 0, stdout: bytes === undefined ? '' : `0 ${bytes} ${bytes / 2} 1\n`, stderr: '' };
    };
    return looked;
  }
  const run = async (monitors: string) => {
    const id = bed.start({ options: ', bytes: 5', data: 'keep', trials: 1, duration: 60, monitors });
    const job = await bed.running(id, 0);
    bed.now += 60_000;
    finish(job);
    await bed.sessions.settled(id);
    return bed.runs(id)[0]?.summary;
  };

  it('are counted in their folder on the generator, by allocated size and by length', async () => {
    const looked = withFile(4 * MIB, 6 * MIB);
    expect(await run('{}')).toEqual({
      ...{ rounds: 1, stored_data_before_mib: 2, stored_data_mib: 3, stored_data_growth_mib_h: 60 },
      ...{ stored_length_before_mib: 4, stored_length_mib: 6 },
    });
    expect(looked[0]).toContain('/data/fake');
  });

  it('have no figure if there are none', async () => {
    withFile();
    expect(await run('{}')).toEqual({ rounds: 1 });
  });

  it('are not counted if generators are not monitored', async () => {
    const looked = withFile(MIB, MIB);
    expect(await run('{ generators: false }')).toEqual({ rounds: 1 });
    expect(looked).toEqual([]);
  });
});
