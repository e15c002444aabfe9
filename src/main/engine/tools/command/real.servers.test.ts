import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { perform } from '../testing/perform.ts';
import type { Command, Phase } from '../tool.ts';
import { commandTool } from './index.ts';
import { CommandOptions } from './options/index.ts';
import { runTool } from './step.ts';
import { readOutput } from './testing/recordings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-command-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function planned(options: Record<string, unknown>, connection: ConnectionFacts = { kind: 'host' }) {
  const place = { nodePath: process.execPath, assetsDir: folder };
  return commandTool.plan({
    options: CommandOptions.parse(options),
    connection,
    warmup: 0,
    duration: 2,
    seed: 1,
    ...place,
  });
}
async function done(command: Command | undefined, options: Record<string, unknown>, kind: Phase = 'run') {
  if (!command) throw new Error('no such step');
  const { stdout, stderr, exit } = await perform(command, folder);
  return readOutput(stdout, stderr, { phase: kind, exit, options });
}

it.each([
  ['is ended after its time, which is no failure', 'echo up; sleep 60 & sleep 60', 'done', [0.9, 5]],
  ['may be done earlier', 'echo up', 'done', [0, 0.9]],
  ['fails as any other', 'exit 3', 'The command ended with exit code 3.', [0, 0.9]],
  ['fails by a signal before its time', 'kill -TERM $$', 'failed', [0, 0.9]],
])('a command step with a length %s', async (_, command, became, [least = 0, most = 0]) => {
  const options = { command, overwrites: '', 'only-reads': '', 'at-most': 0, for: command.includes('60') ? 1 : 20 };
  const connection = { kind: 'host' } as const;
  const { run } = runTool.plan({
    ...{ options, connection, warmup: 0, duration: 1, seed: 1 },
    ...{ nodePath: process.execPath, assetsDir: folder },
  });
  const { stdout, exit } = await perform(run, folder);
  const parser = runTool.parser('run', options, { sample: () => {}, finding: () => {}, unparsed: () => {} });
  for (const line of stdout.split('\n')) parser.line(line, 'stdout');
  const { ok, summary, reason } = parser.end(exit);
  expect(ok ? 'done' : 'failed').toBe(became === 'done' ? 'done' : 'failed');
  if (became.includes(' ')) expect(reason?.message).toBe(became);
  expect(summary.took_s).toBeGreaterThanOrEqual(least);
  expect(summary.took_s).toBeLessThan(most);
});

it('runs as planned: prepare, a loop of lines, cleanup', async () => {
  const options = {
    prepare: 'printf %s {size} > data',
    command: 'i=0; while [ $i -lt {seconds} ]; do i=$((i+1)); echo "[$i] $(wc -c <data) bytes {threads} threads"; done',
    cleanup: 'rm data',
    size: 'twenty-two $HOME bytes',
    threads: 4,
    pattern: '^\\[(?<t>\\d+)\\] *(?<bytes>\\d+) bytes (?<threads_running>\\d+) threads',
    metrics: 'bytes = ops',
  };
  const { prepare, run, cleanup } = planned(options);
  expect(await done(prepare, options, 'prepare')).toMatchObject({ ok: true });
  expect(readFileSync(join(folder, 'data'), 'utf8')).toBe('twenty-two $HOME bytes');
  expect(await done(run, options)).toMatchObject({
    ok: true,
    unparsed: [],
    samples: [
      { t: 1, metrics: { ops: 22, threads_running: 4 } },
      { t: 2, metrics: { ops: 22, threads_running: 4 } },
    ],
  });
  expect(await done(cleanup, options, 'cleanup')).toMatchObject({ ok: true });
  expect(await done(cleanup, options, 'cleanup')).toMatchObject({ ok: false, reason: { code: 'exit-code' } });
});

it('ends a program at its time and takes that for success', async () => {
  const options = {
    command: 'echo ops 1; while :; do sleep 1; done',
    pattern: 'ops (?<ops>\\d+)',
    metrics: '',
    'end-after': true,
  };
  expect(await done(planned(options).run, options)).toMatchObject({
    ok: true,
    samples: [{ t: 1, metrics: { ops: 1 } }],
  });
}, 60_000);

it('passes the password unchanged, in a variable and in a file', async () => {
  const password = `it's "two"\nlines `;
  const options = { target: 'mysql', 'password-variable': 'SECRET' };
  const command = 'printf %s "$SECRET"; echo "|"; cat "{password-file}"; echo "|"; tr "\\0" " " </proc/$$/cmdline';
  const { run } = planned({ ...options, command }, { kind: 'mysql', host: 'h', password });
  const { stdout } = await perform(run, folder);
  const [variable, file, shown] = stdout.split('|\n');
  expect(variable).toBe(password);
  expect(file).toBe(`${password}\n`);
  expect(shown).not.toContain('two');
});

it('reports a missing program', async () => {
  const { run } = planned({ command: 'no-such-program-anywhere' });
  expect((await done(run, {})).reason?.code).toBe('command-missing');
});
