import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand, whyNothing } from './parse.ts';

const fixtures = join(import.meta.dirname, '../../engine/tools/sysbench/fixtures/v1.0');
const bytes = (name: string, stream = 'stdout'): Uint8Array => readFileSync(join(fixtures, name, `${stream}.txt`));

interface Parsed {
  samples: { t: number; metrics: Record<string, number> }[];
  summary: Record<string, number>;
  findings: { code: string; severity: string; message: string }[];
  unparsed: string[];
  checkpoints?: unknown[];
}
const parsed = (stdout: Uint8Array, stderr?: Uint8Array): Parsed =>
  JSON.parse(parseCommand('sysbench', stdout, stderr)) as Parsed;

describe('kneepoint parse', () => {
  it('prints samples, summary, findings and unread lines', () => {
    const read = parsed(bytes('mariadb-rw-t1'));
    expect(Object.keys(read)).toEqual(['samples', 'summary', 'findings', 'unparsed']);
    expect(read.samples).toHaveLength(8);
    expect(read.samples[0]).toEqual({
      t: 1,
      metrics: {
        ...{
          threads_running: 1,
          tps: 1111.85,
          qps: 22255.05,
          qps_read: 15579.93,
          qps_write: 4450.41,
          qps_other: 2224.71,
        },
        ...{ errors_per_s: 0, reconnects_per_s: 0, latency_p95_ms: 1.37 },
      },
    });
    expect(read.summary).toMatchObject({ transactions_total: 12_186, tps: 1522.24, latency_max_ms: 8.36 });
    expect(read).toMatchObject({ findings: [], unparsed: [] });
  });

  it('reads standard error, terminal recordings and checkpoints', () => {
    const refused = parsed(bytes('fault-unknown-option'), bytes('fault-unknown-option', 'stderr'));
    expect(refused.findings).toMatchObject([{ code: 'unknown-option', severity: 'error' }]);
    expect(parsed(bytes('mariadb-stdout-pty')).samples.length).toBeGreaterThan(0);
    expect(parsed(bytes('mariadb-ro-checkpoints')).checkpoints).toHaveLength(2);
  });

  it('explains why no figure was read, and is silent if there are figures', () => {
    const reason = (text: string) => whyNothing(parsed(Buffer.from(text)));
    expect(whyNothing(parsed(bytes('mariadb-rw-t1')))).toBeUndefined();
    expect(reason('bash: sysbench: command not found\n')).toContain('sysbench is not installed');
    expect(reason('some other text\nof nobody\n')).toContain('This is not output of sysbench');
    expect(reason('\n')).toContain('ends without the final report of sysbench');
    expect(whyNothing(parsed(bytes('fault-unknown-option'), bytes('fault-unknown-option', 'stderr')))).toBeDefined();
  });

  it('reads with the options of the original run', () => {
    const stdout = Buffer.from('second 1: 70 done\nsecond 2: 80 done\n');
    const options = { pattern: 'second (?<t>\\d+): (?<ops>\\d+) done', metrics: '' };
    const { samples } = JSON.parse(parseCommand('command', stdout, undefined, options)) as Parsed;
    expect(samples).toEqual([
      { t: 1, metrics: { ops: 70 } },
      { t: 2, metrics: { ops: 80 } },
    ]);
    expect(() => parseCommand('command', stdout, undefined, { pattern: '(' })).toThrow(/is not a valid pattern/);
  });

  it('reads bytes that are not text', () => {
    const damaged = Uint8Array.from([
      ...new TextEncoder().encode('Lua says: '),
      0xff,
      0xc3,
      0x0a,
      ...bytes('mariadb-rw-t1'),
    ]);
    const read = parsed(damaged);
    expect(read.samples).toHaveLength(8);
    expect(read.unparsed).toEqual(['Lua says: \uFFFD\uFFFD']);
  });

  it('refuses an unknown tool with the list of known ones', () => {
    expect(() => parseCommand('nothing', new Uint8Array())).toThrow(/no tool named “nothing”/);
  });
});
