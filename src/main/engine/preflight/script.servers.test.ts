import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SessionBed } from '../session/testing/session-bed.ts';
import { TOOLS } from '../tools/index.ts';
import { scriptOf } from './script.ts';

let bed: SessionBed;
let folder: string;
beforeEach(() => {
  bed = new SessionBed(['one', 'two'], TOOLS);
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-script-'));
});
afterEach(async () => {
  await bed.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the script; returns its output, and the outputs of its steps by name. */
function run(
  script: string,
  input = '',
  env: Readonly<Record<string, string>> = {},
): { words: string; status: number | null; output(name: string): string } {
  const file = path.join(folder, 'trials.sh');
  writeFileSync(file, script);
  execFileSync('sh', ['-n', file]);
  const { stdout, status } = spawnSync('sh', [file], {
    input,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder, ...env },
  });
  const work = /^Outputs: (.*)$/m.exec(stdout)?.[1] ?? '';
  return { words: stdout, status, output: (name) => readFileSync(path.join(work, `${name}.out`), 'utf8') };
}

it('runs trials and steps in order, each with its options, and keeps their outputs', () => {
  const script = scriptOf(
    bed.runsContext(),
    `kneepoint: 2
name: By hand
workload: { tool: command, options: { command: 'echo "1 {threads} {mode}"', pattern: '1 (?<ops>\\d+)', metrics: '' } }
steps:
  - { name: sync, do: run, command: 'echo "it''s synced"' }
  - { name: there, do: wait, until: { file: ${folder} }, at-most: 5 }
  - { name: reads, note: It's only a test, options: { mode: "a b" } }
where: { generators: [this computer] }
factors: [{ name: threads, levels: [3, 4] }]
measure: { duration: 1 }
`,
  );
  expect(script.match(/^# It's only a test$/gm)).toHaveLength(2);
  const { words, status, output } = run(script);
  expect(status).toBe(0);
  expect(words.match(/^trial-\S+: exit code 0/gm)).toEqual(
    [1, 2].flatMap((trial) => ['sync', 'reads'].map((step) => `trial-${trial}-${step}: exit code 0`)),
  );
  expect(output('trial-1-sync')).toBe("it's synced\n");
  expect([output('trial-1-reads'), output('trial-2-reads')]).toEqual(['1 3 a b\n', '1 4 a b\n']);
});

it('runs parallel steps at the same time, each from its start second', () => {
  const script = scriptOf(
    bed.runsContext(),
    `kneepoint: 2
name: By hand
workload: { tool: command, options: { command: 'echo "1 {mode}"', pattern: '1 (?<ops>\\d+)', metrics: '' } }
steps:
  - name: both
    parallel:
      - { name: backup, do: run, command: 'until [ -e ${folder}/second ]; do sleep 0.1; done; echo saved' }
      - { name: second, do: run, from: 1, command: 'touch ${folder}/second' }
      - { name: reads, options: { mode: 7 }, duration: 3 }
  - { name: after, options: { mode: 8 } }
where: { generators: [this computer] }
measure: { duration: 1 }
`,
  );
  const { words, status, output } = run(script);
  expect(status).toBe(0);
  expect([output('trial-1-both-backup'), output('trial-1-both-reads')]).toEqual(['saved\n', '1 7\n']);
  expect(words.trim().split('\n').at(-1)).toMatch(/^trial-1-after: exit code 0/);
});

it('skips the rest of a trial if a step that it depends on fails, prints gates, and continues with the next trial', () => {
  const script = scriptOf(
    bed.runsContext(),
    `kneepoint: 2
name: By hand
workload: { tool: command, options: { command: 'echo "1 {threads}"', pattern: '1 (?<ops>\\d+)', metrics: '' } }
steps:
  - { name: once, do: run, command: 'mkdir ${folder}/once', measured: true }
  - { name: fill, do: run, command: '[ -e ${folder}/second ] || { touch ${folder}/second; exit 3; }' }
  - { name: reads, gate: { below: 9, above: 1 } }
  - { name: after, same: reads, gate: { above: 5 } }
where: { generators: [this computer] }
factors: [{ name: threads, levels: [3, 4] }]
measure: { duration: 1 }
`,
  );
  const { words, status, output } = run(script);
  expect(words.match(/^(?:trial-|Gate|The rest).*/gm)?.map((line) => line.replace(/, \d+ s$/, ''))).toEqual([
    'trial-1-once: exit code 0',
    'trial-1-fill: exit code 3',
    'The rest of trial 1 is skipped.',
    // A measured step that fails ends nothing.
    'trial-2-once: exit code 1',
    'trial-2-fill: exit code 0',
    'trial-2-reads: exit code 0',
    'Gate: step reads: figure above 1 and below 9.',
    'trial-2-after: exit code 0',
    'Gate: step after: figure above 5.',
  ]);
  expect(status).toBe(1);
  expect(output('trial-2-after')).toBe('1 4\n');
});

it('ends if a wait takes too long, and overwrites nothing without consent', () => {
  const script = scriptOf(
    bed.runsContext(),
    `kneepoint: 2
name: By hand
workload: { tool: command, options: { command: 'echo "1 5"', pattern: '1 (?<ops>\\d+)', metrics: '' } }
steps:
  - { name: erase, do: run, command: blkdiscard /dev/sdb, overwrites: /dev/sdb }
  - { name: never, do: wait, until: { file: ${folder}/never }, at-most: 1 }
  - { name: reads }
where: { generators: [this computer] }
measure: { duration: 1 }
`,
  );
  expect(script.split('\n').filter((line) => /blkdiscard/.test(line) && !line.startsWith('#'))).toEqual([]);
  const { words, status } = run(script);
  expect(status).toBe(1);
  expect(words).toContain(`Timed out after 1 s, waiting until ${folder}/never exists`);
  expect(words).not.toContain('reads');
});

it('starts a tool that dies of a fault step again for the time that is left, and leaves events to a person', () => {
  bed.addServer();
  const { connection, shown } = bed.targets;
  const facts = { kind: 'mysql', host: 'db.example', port: 3306, user: 'me', database: 'd' } as const;
  bed.targets = { ...bed.targets, connection, shown: (name) => shown(name) && facts };
  const text = (measure: string): string => `kneepoint: 2
name: By hand
workload: { tool: sysbench, data: keep, options: { script: oltp_read_only, tables: 1, table-size: 100 } }
steps:
  - name: both
    parallel:
      - { name: load }
      - { name: fault, do: run, from: 1, command: 'sleep 1; touch ${folder}/dead' }
where: { generators: [this computer], target: db }
measure: { warmup: 0, duration: 60${measure} }
`;
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(
    path.join(folder, 'bin/sysbench'),
    `#!/bin/sh
for word; do case $word in --time=*) echo "$word" >>${folder}/starts ;; esac; done
[ "$(grep -c . <${folder}/starts)" -gt 1 ] && exit 0
until [ -e ${folder}/dead ]; do sleep 0.1; done
exit 1
`,
    { mode: 0o755 },
  );
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, PASSWORD_DB: 'x' };
  const { words } = run(scriptOf(bed.runsContext(), text(', tool-died: restart')), '', env);
  expect(words).toMatch(/^trial-1-both-load: exit code 0/m);
  const [first, second] = readFileSync(path.join(folder, 'starts'), 'utf8')
    .split('\n')
    .map((line) => Number(line.replace('--time=', '')));
  expect(first).toBe(60);
  // Its time went on while it ran.
  expect(second).toBeGreaterThanOrEqual(2);
  expect(second).toBeLessThan(60);
  const plain = scriptOf(bed.runsContext(), text(''));
  expect(plain).not.toContain('kneepoint-again');
  const killed = `kneepoint: 1
name: Killed under load
workload: { tool: sysbench, data: keep, options: { script: oltp_read_only, tables: 1, table-size: 100 } }
where: { generators: [this computer], target: db }
measure: { warmup: 0, duration: 60, tool-died: restart, events: [{ at: 20, do: kill }, { at: 30, do: start }] }
`;
  const script = scriptOf(bed.runsContext(), killed);
  expect(script).toContain("'At second 20 of the next load, by hand: The server of “db” is killed.'");
  expect(script).toMatch(/^run trial-1 sh -c "\$again" kneepoint-again --time= 60 20 .*sysbench /m);
});

it('sends statements through the client of the server, without its password in the script', () => {
  bed.addServer();
  const { connection, shown } = bed.targets;
  const facts = { kind: 'mysql', host: 'db.example', port: 3306, user: 'me', database: 'd' } as const;
  bed.targets = { ...bed.targets, connection, shown: (name) => shown(name) && facts };
  const script = scriptOf(
    bed.runsContext(),
    `kneepoint: 2
name: By hand
workload: { tool: sysbench, options: { script: oltp_read_only, tables: 1, table-size: 100 } }
steps:
  - { name: index, do: statement, statement: "CREATE INDEX k ON t (a) COMMENT 'x'" }
  - { name: quiet, do: wait, until: { status: Threads_running, below: 5 }, else: measure }
  - { name: reads }
where: { generators: [this computer], target: db }
factors: [{ name: flush, kind: server-setting, setting: innodb_flush_log_at_trx_commit, levels: [0, 1] }]
measure: { duration: 1 }
`,
  );
  execFileSync('sh', ['-n'], { input: script });
  expect(script).toContain(
    `run trial-1-index env MYSQL_PWD="\${PASSWORD_DB}" mysql --host=db.example --port=3306 --user=me -N -B -e 'CREATE INDEX k ON t (a) COMMENT '\\''x'\\''' d`,
  );
  expect(script).toContain('SHOW GLOBAL STATUS LIKE');
  expect(script.match(/^by_hand 'Set innodb_flush_log_at_trx_commit = \d on db\.'$/gm)).toHaveLength(2);
  expect(script).toContain('run prepare ');
  expect(script).not.toContain('KNEEPOINT-PASSWORD');
});

it('refuses documents that a script cannot run', () => {
  const text = (where: string): string => `kneepoint: 1
name: Two
workload: { tool: command, options: { command: 'echo "1 {threads}"', pattern: '1 (?<ops>\\d+)', metrics: '', threads: 2 } }
where: ${where}
measure: {}
`;
  expect(() => scriptOf(bed.runsContext(), text('{ generators: [one, two] }'))).toThrow('written for one generator');
  expect(() => scriptOf(bed.runsContext(), text('{ target: 5 }'))).toThrow('where.target');
});
