import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPage } from '../../../e2e/testbed/built.ts';
import { small, Terminal } from './testing/cli.ts';
import { withoutProgress } from './testing/here.ts';

let terminal: Terminal;
beforeAll(async () => {
  terminal = new Terminal();
  await buildPage();
});
afterAll(() => terminal.close());

const DISK = `kneepoint: 1
name: Disk
workload: { tool: fio, options: { directory: /mnt/disk, bs: 16k } }
where: {}
factors: [{ name: iodepth, levels: [1, 8] }]
measure: { warmup: 2, duration: 30 }
`;

interface Refused {
  problem: { code: string; message: string };
}

describe('kneepoint as a process', () => {
  it('reads standard input and exits with the documented code', async () => {
    const planned = await terminal.start(['plan', '-', '--json'], { input: small() }).answer;
    expect(planned).toMatchObject({ code: 0, signal: null });
    expect(withoutProgress(planned.stderr)).toBe('');
    expect(planned.json<{ plan: { cells: unknown[] } }>().plan.cells).toHaveLength(2);
    const unknown = await terminal.start(['rnu']).answer;
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("unknown command 'rnu'") });
  });

  it('exits with 0 when the reader closes the pipe', async () => {
    const running = terminal.start(['tools', '--json']);
    running.child.stdout?.destroy();
    expect(await running.answer).toMatchObject({ code: 0, signal: null, stderr: '' });
  });
});

describe('help', () => {
  it('lists every command, the exit codes, and the first steps', async () => {
    const { code, stdout } = await terminal.start(['--help']).answer;
    expect(code).toBe(0);
    const commands =
      'run plan check resume repeat levels quickstart tools templates sessions show monitors captures charts export cost compare parse host target';
    for (const command of `${commands} serve doctor data files job-file import`.split(' '))
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit codes: 0 done, 1 a run failed, 2 usage error, 3 blocked by preflight');
    expect(stdout).toContain('kneepoint quickstart');
  });

  it('is available for each command and its options', async () => {
    const { code, stdout } = await terminal.run('export', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('csv (every second), csv-cells,');
  });

  it('shows the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect((await terminal.run('--version')).stdout).toBe(`${version}\n`);
  });
});

describe('wrong usage exits with 2 and a sentence', () => {
  it.each([
    ['no command', [], /Usage: kneepoint/],
    ['an unknown command', ['rnu'], /unknown command 'rnu'\n\(Did you mean run\?\)/],
    ['an unknown option', ['run', 'quickstart', '--fast'], /unknown option '--fast'/],
    ['a missing argument', ['run'], /missing required argument 'file'/],
    ['a missing file', ['run', 'nowhere.yaml'], /There is no file “nowhere.yaml”, and no template of that name/],
    ['a folder for a file', ['check', '.'], /“.” cannot be read: it is a folder/],
    [
      'an unknown factor',
      ['run', 'quickstart', '--set', 'threds=1'],
      /no option named “threds”.*Did you mean “threads”/,
    ],
    ['an empty level', ['plan', 'quickstart', '--set', 'threads=1,,2'], /a level between the commas is empty/],
    [
      'half an assignment',
      ['plan', 'quickstart', '--set', 'threads'],
      /--set takes factor=level,level,… or step\.option=value; not valid: “threads”/,
    ],
    ['a duration of zero', ['run', 'quickstart', '--duration', '0'], /--duration takes seconds or a duration/],
    ['a duration in words', ['run', 'quickstart', '--duration', 'long'], /not “long”/],
    ['a session that is none', ['show', 'first'], /“first” is not a session number/],
    ['a session that is not there', ['show', '77'], /There is no session 77/],
    ['nothing to continue', ['resume'], /No session to continue/],
    ['values of nothing', ['monitors', '1', '--csv'], /--csv, --trial, --from and --to require --series/],
    [
      'an unknown format',
      ['export', '1', '--format', 'xls'],
      /--format is one of csv, csv-cells, csv-monitors, json, pdf/,
    ],
    ['an unknown tool', ['parse', 'hammer'], /There is no tool named “hammer”\. Tools: .*sysbench/],
    ['an unknown host', ['host', 'test', 'moon'], /There is no host named “moon”/],
    ['an unknown target', ['target', 'test', 'moon'], /There is no target named “moon”/],
    ['an unknown kind of target', ['target', 'add', 'x', '--kind', 'oracle'], /--kind is one of mysql, postgres/],
    [
      'a target without its settings',
      ['target', 'add', 'x', '--kind', 'mysql'],
      /needs --config user=… and --config database=…/,
    ],
    [
      'an unknown setting of a target',
      ['target', 'add', 'x', '--kind', 'mysql', '--config', 'adress=1'],
      /--config takes one of address/,
    ],
    ['an unknown price', ['cost', '--instance', 'abacus'], /has no entry abacus/],
    ['a price of nothing', ['cost'], /Specify what to price/],
    ['a currency that is none', ['cost', '--currency', 'euro', '--own', 'rack,3,hour'], /three capitals such as EUR/],
    ['a currency of nothing', ['cost', '--currency', 'EUR', '--session', '1'], /does not convert currencies/],
    ['another currency', ['cost', '--instance', 'hetzner/eu-de-fi/instances/ccx33'], /priced in EUR/],
    ['a goal of nothing', ['cost', '--goal', 'fast'], /--goal needs a rate above 0, not “fast”/],
    [
      'a latency of nothing',
      ['cost', '--goal', '5', '--latency', 'p50,1'],
      /one of p95, p99, avg, max and a limit in ms/,
    ],
    ['a file without a goal', ['cost', '--output', 'x.pdf'], /belong to a goal: add --goal RATE/],
    ['too long a month', ['cost', '--hours', '800', '--own', 'rack,3,hour'], /1 to 744, not “800”/],
    ['half a volume', ['cost', '--volume', 'x'], /--volume needs a number/],
    ['a configuration that is not saved', ['cost', '--use', 'none'], /no saved configuration “none”/],
    ['a configuration of nothing', ['cost', '--save', 'empty', '--session', '1'], /--save needs components/],
    ['an own price of nobody', ['cost', '--own', 'rack,3,week'], /--own takes LABEL,amount,hour\|month\|year/],
    ['a port that is none', ['serve', '--port', '99999'], /--port takes 0 to 65535, not “99999”/],
  ])('%s', async (_name, args, sentence) => {
    const { code, stdout, stderr } = await terminal.run(...args);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('reports the problem as JSON too', async () => {
    const missing = await terminal.run('show', '77', '--json');
    expect(missing.code).toBe(2);
    expect(missing.json<Refused>().problem).toMatchObject({ code: 'not-found', message: 'There is no session 77.' });
    const unknown = await terminal.run('show', '--json', '--fast', '1');
    expect(unknown.json<Refused>().problem).toEqual({ code: 'bad-request', message: "unknown option '--fast'" });
  });

  it('names the line of an invalid document', async () => {
    const malformed = terminal.write('malformed.yaml', 'kneepoint: 1\nname: [half\nmeasure: {');
    const { code, stderr } = await terminal.run('run', malformed);
    expect(code).toBe(2);
    expect(stderr).toMatch(/malformed\.yaml:\d+:\d+: /);

    const noLevels = terminal.write('no-levels.yaml', small({ factors: '[{ name: threads, levels: [] }]' }));
    expect((await terminal.run('check', noLevels)).stderr).toMatch(/no-levels\.yaml:7:\d+: .*at least one level/);

    const noTrials = terminal.write('no-trials.yaml', `${small()}exclude: [{ threads: 1 }, { threads: 2 }]\n`);
    const refused = await terminal.run('run', noTrials, '--json');
    expect(refused.code).toBe(2);
    expect(refused.json<{ problems: { message: string; line: number }[] }>().problems).toMatchObject([
      { line: 9, message: 'Every cell is excluded: no trials left to run.' },
    ]);
  });

  it('accepts several generators and reports levels that cannot be divided among them', async () => {
    const file = terminal.write(
      'several.yaml',
      `kneepoint: 1
name: Several
workload: { tool: sysbench, options: { script: oltp_point_select, threads: 6 } }
where: { target: shop }
measure: { duration: 1 }
`,
    );
    const generators = ['--generator', 'gen1', '--generator', 'gen2'];
    const { commands } = (await terminal.run('plan', file, ...generators, '--json')).json<{ commands: string[] }>();
    expect(commands[0]).toMatch(/^# gen1\n.*--threads=3 .*\n# gen2\n.*--threads=3 /);
    const odd = await terminal.run('check', file, ...generators, '--set', 'threads=1,2');
    expect(odd).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1 thread cannot be divided between 2 generators'),
    });
  });

  it('explains how to choose a target for a template that needs one', async () => {
    const { code, stderr } = await terminal.run('run', 'sysbench-point-select');
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs a target.*\n.*--target NAME/);
  });
});

describe('a refused start exits with 3', () => {
  it('for a file that is not an overwritable device, whatever is allowed', async () => {
    const file = terminal.write(
      'device.yaml',
      `kneepoint: 1
name: On a device
workload: { tool: fio, options: { device: /dev/null, rw: randwrite } }
where: {}
measure: { duration: 1 }
`,
    );
    const allowed = await terminal.start(['run', file, '--destroy', 'this computer:/dev/null']).answer;
    expect(allowed).toMatchObject({ code: 3, stderr: expect.stringContaining('/dev/null on this computer') });
    expect(allowed.stderr).toContain('is not a block device. Nothing is written to it.');
    const other = terminal.write('files.yaml', small());
    const unmeant = await terminal.start(['run', other, '--destroy', 'this computer:/dev/sdz']).answer;
    expect(unmeant).toMatchObject({ code: 3, stderr: expect.stringContaining('does not overwrite it') });
  });

  it('and runs nothing', async () => {
    const { code, stdout, stderr } = await terminal.run('run', 'sysbench-point-select', '--target', 'moon', '--json');
    expect(code).toBe(3);
    expect(stderr).toMatch(/no target named “moon”.*Nothing was started/);
    expect((JSON.parse(stdout) as Refused).problem.code).toBe('preflight-refused');
    expect((await terminal.run('sessions', '--json')).json()).toEqual([]);
  });
});

describe('a library that cannot be opened exits with 4', () => {
  it('if another Kneepoint process holds it', async () => {
    const serving = terminal.start(['serve', '--json']);
    await serving.untilOutput(/"url"/);
    const second = await terminal.run('resume', '--json');
    expect(second.code).toBe(4);
    expect(second.stderr).toMatch(/The library in .* is in use by process \d+ \(browser\), since .*Nothing was opened/);
    expect(second.json<Refused>().problem.code).toBe('store-busy');
    serving.child.kill('SIGINT');
    expect(await serving.answer).toMatchObject({ code: 0, signal: null });
  });

  it('if its folder is a file or not writable', async () => {
    const file = terminal.write('a-file', '');
    const inFile = await terminal.run('sessions', '--data', path.join(file, 'library'));
    expect(inFile.code).toBe(4);
    expect(inFile.stderr).not.toMatch(/\n\s+at /);

    const folder = path.join(terminal.folder, 'not-ours');
    mkdirSync(folder, { mode: 0o555 });
    // Root may write anywhere, so use another user.
    const other = process.getuid?.() === 0 ? { uid: 65534 } : {};
    const readOnly = await terminal.start(['sessions', '--data', folder, '--json'], other).answer;
    expect(readOnly.code).toBe(4);
    expect(readOnly.json<Refused>().problem.code).toBe('read-only');
    expect(readOnly.stderr).toMatch(/not-ours could not be created\. Choose a folder that this user may write to/);
  });
});

/** Opens a library and keeps it open. */
const HOLDER = path.resolve(import.meta.dirname, '../engine/store/testing/hold-process.ts');

describe('while another Kneepoint process holds the library', () => {
  it('reading commands work and writing commands are refused', async () => {
    const holder = spawn(process.execPath, [HOLDER, terminal.data], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(holder, 'close');
    await once(holder.stdout, 'data');
    try {
      const [checked, listed, added] = await Promise.all([
        terminal.run('check', 'quickstart'),
        terminal.run('sessions', '--json'),
        terminal.run('host', 'add', 'x', '--address', '10.0.0.1', '--user', 'u'),
      ]);
      expect([checked.code, listed.code]).toEqual([0, 0]);
      const { code, stderr } = added;
      expect(code).toBe(4);
      expect(stderr).toMatch(/in use by process \d+ \(cli\)/);
    } finally {
      holder.kill();
      await closed;
    }
  });
});

describe('serve', () => {
  it('exits with a message if its port is taken', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const { code, stderr } = await terminal.run('serve', '--port', String(port));
    server.close();
    expect(code).toBe(2);
    expect(stderr).toContain(`Port ${port} of this computer is in use by another program. Nothing was started.`);
  });

  it('answers on 127.0.0.1 behind its link', async () => {
    const serving = terminal.start(['serve']);
    const [, url = ''] = await serving.untilOutput(/READY (http:\/\/127\.0\.0\.1:\d+\/\S+)/);
    const secret = /#link=([\w-]{43})$/.exec(url)?.[1];
    const session = new URL('/session', url);
    const exchange = () => fetch(session, { method: 'POST', headers: { Authorization: `Bearer ${secret}` } });
    expect((await fetch(session)).status).toBe(401);
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(401);
    const another = await terminal.run('link', '--json');
    expect(another.json<{ url: string }>().url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}$/);
    expect(another.json<{ url: string }>().url).not.toBe(url);
    serving.child.kill('SIGTERM');
    expect((await serving.answer).code).toBe(0);
    const none = await terminal.run('link');
    expect(none.code).toBe(2);
  });
});

describe('lists and checks', () => {
  it.each([
    [['tools'], 'sysbench'],
    [['factors'], 'server-setting'],
    [['factors', 'price'], 'gp3'],
    [['templates'], 'quickstart'],
    [['plan', 'quickstart'], 'synchronous'],
    [['check', 'quickstart'], 'problems'],
    [['sessions'], '[]'],
    [['host', 'list'], 'this computer'],
    [['target', 'list'], '[]'],
    [['files', 'list'], '[]'],
    [['files', 'list', '--host', 'this computer'], '[]'],
    [['doctor'], 'Library'],
    [['cost', '--search', 'gp3'], 'volumes/gp3'],
    [['cost', '--own', 'rack,3650,year'], 'perHour'],
    [['cost', '--currency', 'EUR', '--hours', '160', '--instance', 'hetzner/eu-de-fi/instances/ccx33'], '2026-08'],
    [['cost', '--volume', 'aws/us-east-1/volumes/gp2,500'], 'bursts to 3,000 for 1 h with full credits, then 1,500'],
  ])('%s as JSON and as text', async (args, word) => {
    const asJson = await terminal.run(...args, '--json');
    expect(asJson.code, asJson.stderr).toBe(0);
    expect(() => asJson.json()).not.toThrow();
    expect(asJson.stdout).toContain(word);
    const asText = await terminal.run(...args);
    expect(asText.code).toBe(0);
    expect(asText.stdout.trim()).not.toBe('');
  });

  it('plans the small form of a published experiment on other targets, and lists all published experiments', async () => {
    const planned = await terminal.run('plan', 'e04', '--small', '--name', 'mysql-5.7=old', '--json');
    const { plan } = planned.json<{ plan: { cells: { levels: object }[]; findings: { code: string }[] } }>();
    expect(plan.cells).toHaveLength(10);
    expect(plan.cells[0]?.levels).toMatchObject({ server: 'old' });
    expect(plan.findings.map(({ code }) => code)).toContain('mechanics-only');
    const rows = await terminal.run('templates', '--rows');
    expect(rows.stdout).toMatch(/^E04 +full +10 .*: Is MySQL 8\.0 slower/m);
    expect(rows.stdout).toMatch(/^D06b lacks: /m);
  });

  it('applies --set and --duration to the plan, from standard input too', async () => {
    const edits = ['--set', 'threads=1,2,4,8', '--set', 'synchronous=OFF', '--duration', '30'];
    const planned = await terminal.feed(small(), 'plan', '-', ...edits, '--json');
    const { plan, commands } = planned.json<{ plan: { cells: { levels: object }[] }; commands: string[] }>();
    expect(plan.cells.map((cell) => cell.levels)).toEqual(
      [1, 2, 4, 8].map((threads) => ({ threads, synchronous: 'OFF' })),
    );
    expect(commands[3]).toMatch(/--threads=8 .*--synchronous=OFF .*--duration=30/);
  });

  it('plans without a target and names the one to choose', async () => {
    const file = terminal.write(
      'ladder.yaml',
      small({ factors: '[]' }).replace('embedded', 'pgbench').replace('{ records: 100, rate: 200 }', '{}'),
    );
    const planned = await terminal.run('plan', file, '--json');
    expect(planned.code).toBe(0);
    expect(planned.json()).toMatchObject({
      problems: [{ path: 'where', message: expect.stringContaining('PostgreSQL family') }],
      plan: { trials: [{ index: 0 }] },
      commands: [expect.stringContaining('TARGET')],
    });
    const shown = await terminal.run('plan', file, '--set', 'client=1,2,4');
    expect(shown.stdout).toMatch(/^3 cells, 3 trials, about /);
    expect(shown.stderr).toContain('--target NAME');
    expect((await terminal.run('check', file)).code).toBe(2);
  });

  it('plans the data of two folders as twice that of one', async () => {
    const text = `kneepoint: 1
name: Folders
workload: { tool: fio, options: { rw: randwrite, size: 1g } }
where: { generators: [this computer] }
factors: [{ name: directory, levels: [/mnt/a, /mnt/b] }]
measure: { duration: 8 }
`;
    const sizes = [text, text.replace(', /mnt/b', '')].map(async (each) => {
      const { stdout } = await terminal.feed(each, 'plan', '-');
      return /Data size: +(.*)/.exec(stdout)?.[1];
    });
    expect(await Promise.all(sizes)).toEqual(['about 2.00 GiB', 'about 1.00 GiB']);
  });

  it('converts a workload to a job file and a job file to an experiment', async () => {
    const disk = terminal.write('disk.yaml', DISK);
    const file = await terminal.run('job-file', disk, '--cell', '2');
    expect(file).toMatchObject({ code: 0, stderr: '' });
    expect(file.stdout).toContain('\n[kneepoint-fio]\nrw=randread\nbs=16k\niodepth=8\n');
    expect(await terminal.run('job-file', disk, '--cell', '3')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cell takes 1 to 2'),
    });
    const read = (tool: string, input: string) => terminal.feed(input, 'import', tool, '-');
    const back = await read('fio', file.stdout);
    expect(back.code).toBe(0);
    const planned = await terminal.feed(back.stdout, 'plan', '-', '--json');
    expect(planned.json()).toMatchObject({
      problems: [],
      commands: [expect.stringMatching(/--bs=16k --iodepth=8 .*--runtime=32/)],
    });
    const more = await read('fio', '[a]\nrw=read\nsize=1g\nbs=4k,8k\n');
    expect(more.stderr).toContain('line 4, bs=4k,8k: ');
    expect(more.stdout).toContain('      bs=4k,8k\n');
    expect((await read('pgbench', 'x')).stderr).toContain('no file format to import options from');
  });

  it('refuses an unknown file set and an unknown host', async () => {
    for (const args of [
      ['check', '9'],
      ['remove', '9', '--yes'],
      ['list', '--host', 'moon'],
    ])
      expect(await terminal.run('files', ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/There is no (file set 9|host named “moon”)/),
      });
  });
});

describe('control characters', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  // Title and clipboard (OSC 8, OSC 52), C1 forms of both, colours, a bell, and text that reads backwards.
  const HOSTILE =
    '\u001b]8;;http://x\u0007link\u001b]52;c;ZWNobw==\u0007\u009b31m\u009d52;c;x\u009c\u202eevil\u2066\u007f';

  it('in a document never reach the terminal', async () => {
    const file = terminal.write('hostile.yaml', small({ name: `a${HOSTILE}z` }));
    for (const args of [
      ['plan', file],
      ['check', file],
      ['plan', file, '--json'],
      ['check', `${file}${HOSTILE}`],
    ]) {
      const { stdout, stderr } = await terminal.run(...args);
      expect(stdout).not.toMatch(FORBIDDEN);
      expect(stderr).not.toMatch(FORBIDDEN);
    }
  });

  it('from a tool are escaped in JSON and read back unchanged', async () => {
    const { code, stdout, stderr, json } = await terminal.feed(`Lua: ${HOSTILE}\n`, 'parse', 'sysbench');
    expect(code).toBe(1);
    expect(stderr).toContain('No figures found.');
    expect(stdout).not.toMatch(FORBIDDEN);
    expect(stderr).not.toMatch(FORBIDDEN);
    expect(json<{ unparsed: string[] }>().unparsed.join('\n')).toContain('evil\u2066');
  });

  it('in an invalid argument are not echoed', async () => {
    const { code, stderr } = await terminal.run(`x${HOSTILE}`);
    expect(code).toBe(2);
    expect(stderr).not.toMatch(FORBIDDEN);
  });
});
