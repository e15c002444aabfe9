import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectSameBytes } from '../../../../scripts/test/recorded.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobSpec } from './job.ts';
import { type JobBed, kindsByDay, openJobBed } from './testing/job-bed.ts';

/** Longer than a pipe's buffer, with everything that is special to a shell. */
const CONTENT = `it's "$HOME" \`id\` \\n %s é 🙂\n${'x'.repeat(200_000)}\0end`;
const DIGEST = createHash('sha256').update(CONTENT).digest('hex');

describe.each(kindsByDay('ssh'))('files that jobs share on $kind', (kind) => {
  let bed: JobBed;
  beforeEach(async () => {
    bed = await openJobBed(kind);
  });
  afterEach(() => bed.close());
  const folder = () => join(bed.state, 'kneepoint', 'shared');
  const reading = (): JobSpec =>
    bed.spec('', {
      argv: ['/bin/sh', '-c', 'cat "$1"', 'sh', '@p.mjs@'],
      shared: [{ name: 'p.mjs', content: CONTENT }],
    });

  it('arrive byte for byte, are sent once, and are sent again if removed', async () => {
    const sent: number[] = [];
    const counting: Machine = {
      ...bed.machine,
      exec: (script, options) => {
        sent.push(script.length);
        return bed.machine.exec(script, options);
      },
    };
    const [first, second] = [reading(), reading()];
    await bed.jobs.launch(counting, first);
    await bed.jobs.launch(counting, second);
    expect(sent.filter((length) => length > CONTENT.length)).toHaveLength(1);
    for (const { id } of [first, second]) {
      await bed.reach(id, 'ended');
      expectSameBytes(bed.read(id, 'stdout'), Buffer.from(CONTENT));
    }
    expect(readdirSync(folder())).toEqual([DIGEST]);
    expect(statSync(folder()).mode & 0o077).toBe(0);
    rmSync(join(folder(), DIGEST));
    expectSameBytes(readFileSync(join(bed.directory(first.id), 'files', 'p.mjs')), Buffer.from(CONTENT));
    await bed.run(reading());
    await bed.jobs.remove(bed.machine, first.id);
    expect(readdirSync(folder())).toEqual([DIGEST]);
  });

  it('are removed for newer ones, like incomplete ones', async () => {
    const older = ['part.of-a-launch-that-was-cut', ...Array.from({ length: 8 }, (_, index) => `${index}`.repeat(64))];
    mkdirSync(folder(), { recursive: true });
    for (const [index, name] of older.entries()) {
      writeFileSync(join(folder(), name), 'older');
      utimesSync(join(folder(), name), 1_000_000 + index, 1_000_000 + index);
    }
    await bed.run(reading());
    expect(readdirSync(folder()).sort()).toEqual([...older.slice(2), DIGEST].sort());
  });

  it('report that they cannot be stored, and leave nothing behind', async () => {
    mkdirSync(join(bed.state, 'kneepoint'), { mode: 0o700 });
    writeFileSync(folder(), '');
    const spec = reading();
    await expect(bed.jobs.launch(bed.machine, spec)).rejects.toMatchObject({
      problem: { code: 'disk-full', host: kind.kind, message: expect.stringContaining('shared') },
    });
    expect(existsSync(bed.directory(spec.id))).toBe(false);
  });

  if (kind.server === undefined) return;

  it('arrive complete if the link is lost during the transfer', async () => {
    let lost = 0;
    const losing: Machine = {
      ...bed.machine,
      exec: (script, options) => {
        const result = bed.machine.exec(script, options);
        if (script.length > CONTENT.length && lost < 2) {
          lost += 1;
          bed.server?.signalSessions('SIGKILL');
        }
        return result;
      },
    };
    const spec = reading();
    await bed.jobs.launch(losing, spec);
    expect(lost).toBeGreaterThan(0);
    await bed.reach(spec.id, 'ended');
    expectSameBytes(bed.read(spec.id, 'stdout'), Buffer.from(CONTENT));
  });
});
