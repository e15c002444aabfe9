import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { commandTool } from './command/index.ts';
import { fioTool } from './fio/index.ts';
import { RECORDINGS as FIO, recordingNamed as fioRecording } from './fio/testing/recordings.ts';
import { parseText, TOOLS } from './index.ts';
import type { ParsedText } from './parse-text.ts';
import { pgbenchTool } from './pgbench/index.ts';
import { RECORDINGS as PGBENCH, recordingNamed as pgbenchRecording } from './pgbench/testing/bench.ts';
import { sysbenchTool } from './sysbench/index.ts';
import { RECORDINGS as SYSBENCH, recordingNamed as sysbenchRecording } from './sysbench/testing/recordings.ts';
import type { Tool } from './tool.ts';
import { ycsbTool } from './ycsb/index.ts';
import { RECORDINGS as YCSB, recordingNamed as ycsbRecording } from './ycsb/testing/recordings.ts';

/** Both streams, as in a container's log. */
const both = ({ stdout, stderr }: { stdout: string; stderr: string }): string => stderr + stdout;

const OUTPUTS: readonly (readonly [string, Tool, string])[] = [
  ['sysbench', sysbenchTool, sysbenchRecording('mariadb-rw-t1').stdout],
  ['sysbench fileio', sysbenchTool, sysbenchRecording('fileio-run-rndrd-t4').stdout],
  ['pgbench', pgbenchTool, both(pgbenchRecording('tpcb-c4-j2'))],
  ['fio JSON', fioTool, fioRecording('randread-libaio-4k-qd4-json').stdout],
  ['fio normal', fioTool, fioRecording('randread-normal-interval').stdout],
  ['YCSB', ycsbTool, both(ycsbRecording('a-hdrhistogram'))],
];

const pad = (number: number): string => String(number).padStart(2, '0');
const clock = (at: number): string =>
  `${pad(9 + Math.floor(at / 3600))}:${pad(Math.floor(at / 60) % 60)}:${pad(at % 60)}`;
const iso = (at: number): string => `2026-03-02T${clock(at)}.${String(100_000 + at)}Z`;
const PALETTE = [31, 32, 33, 1, 36];

/** Carriers, with their form of a line. */
const CARRIERS: Readonly<Record<string, (line: string, at: number) => string>> = {
  'docker logs -t': (line, at) => `${iso(at)} ${line}`,
  'docker logs -t without blanks at ends': (line, at) => `${iso(at)} ${line}`.trimEnd(),
  'kubectl logs --prefix': (line) => `[pod/bench-0-x7k2p/bench] ${line}`,
  'kubectl logs --prefix --timestamps': (line, at) => `[pod/bench-0-x7k2p/bench] ${iso(at)} ${line}`,
  stern: (line) => `bench-0-x7k2p bench ${line}`,
  'docker compose logs': (line) => `bench-1  | ${line}`,
  'docker compose logs, coloured': (line) => `\u001B[36mbench-1  | \u001B[0m${line}`,
  'docker compose logs -t': (line, at) => `bench-1  | ${iso(at)} ${line}`,
  'docker-compose of version 1': (line) => `bench_1    | ${line}`,
  'docker service logs': (line) => `bench.1.k3jx8s@node-2    | ${line}`,
  'Jenkins, ISO': (line, at) => `[2026-03-02T${clock(at)}.123Z] ${line}`,
  'Jenkins, time of day': (line, at) => `${clock(at)}  ${line}`,
  'Jenkins, in brackets': (line, at) => `[${clock(at)}] ${line}`,
  'GitHub Actions': (line, at) => `${iso(at).replace('Z', '0Z')} ${line}`,
  'gh run view --log': (line, at) => `bench\tRun fio\t${iso(at)} ${line}`,
  GitLab: (line, at) => `${iso(at)} 00O ${line}`,
  'GitLab, coloured': (line) => `\u001B[0;m${line}\u001B[0K`,
  CircleCI: (line, at) => `${iso(at)} ${line}`,
  Buildkite: (line, at) => `\u001B_bk;t=17724429${100_000 + at}\u0007${line}`,
  TeamCity: (line, at) => `[${clock(at)}]\t${line}`,
  CRI: (line, at) => `${iso(at)} stdout F ${line}`,
  'CRI with an offset': (line, at) => `${iso(at).replace('Z', '+01:00')} stderr F ${line}`,
  journald: (line, at) => `Mar 02 ${clock(at)} gen1 bench[4100]: ${line}`,
  'journalctl -o short-iso': (line, at) => `2026-03-02T${clock(at)}+0000 gen1 bench[4100]: ${line}`,
  'journalctl -o short-precise': (line, at) => `Mar 02 ${clock(at)}.123456 gen1 bench[4100]: ${line}`,
  'journalctl -o short-unix': (line, at) => `17724429${pad(at % 100)}.123456 gen1 bench[4100]: ${line}`,
  syslog: (line, at) => `Mar  2 ${clock(at)} gen1 bench: ${line}`,
  'syslog, as it is sent': (line, at) => `<134>1 2026-03-02T${clock(at)}.123Z gen1 bench 4100 - - ${line}`,
  rsyslog: (line, at) => `${iso(at).replace('Z', '+00:00')} gen1 bench[4100]: ${line}`,
  ts: (line, at) => `Mar 02 ${clock(at)} ${line}`,
  'ts -s': (line, at) => `00:${pad(Math.floor(at / 60) % 60)}:${pad(at % 60)} ${line}`,
  'ts with a format': (line, at) => `[2026-03-02 ${clock(at)}] ${line}`,
  'ts with milliseconds': (line, at) => `2026-03-02 ${clock(at)}.123456 ${line}`,
  'ts with seconds since 1970': (line, at) => `1772442${pad(at % 100)}0.123456 ${line}`,
  'a log of the kernel': (line, at) => `[${String(1000 + at).padStart(5)}.123456] ${line}`,
  pdsh: (line) => `gen1: ${line}`,
  'pdsh without blanks at ends': (line) => `gen1: ${line}`.trimEnd(),
  'pssh and mpirun': (line) => `[gen1] ${line}`,
  'mpirun --tag-output': (line) => `[1,0]<stdout>:${line}`,
  'parallel --tag': (line) => `gen1\t${line}`,
  'srun --label': (line) => `0: ${line}`,
  Ansible: (line) => `gen1 | ${line}`,
  foreman: (line, at) => `${clock(at)} web.1  | ${line}`,
  Heroku: (line, at) => `${iso(at).replace('Z', '+00:00')} app[bench.1]: ${line}`,
  'grep -H': (line) => `results/run.log:${line}`,
  'grep -Hn': (line, at) => `results/run.log:${at + 1}:${line}`,
  'docker, its file': (line, at) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: iso(at) }),
  'journalctl -o json': (line) => JSON.stringify({ MESSAGE: line, _HOSTNAME: 'gen1', PRIORITY: '6' }),
  'CloudWatch, as JSON': (line, at) => JSON.stringify({ timestamp: at, message: line }),
  'colour per line': (line, at) => `\u001B[${PALETTE[at % PALETTE.length]}m${line}\u001B[0m`,
  'bold red of a CI': (line) => `\u001B[31;1m${line}\u001B[0;m`,
  'colours inside of lines': (line) => line.replaceAll(/\d+/g, (number) => `\u001B[1;34m${number}\u001B[0m`),
  'blanks at ends': (line) => `${line}   `,
  'hard ends of Markdown': (line) => `${line}\\`,
  'a diff': (line) => `+${line}`,
  'a comment': (line) => `# ${line}`.trimEnd(),
  'log4j, as a message': (line, at) => `2026-03-02 ${clock(at)},123 INFO  [main] Bench - ${line}`,
  'Python’s logging': (line) => `INFO:bench:${line}`,
  'the log of Kubernetes itself': (line, at) => `I0302 ${clock(at)}.123456       1 main.go:42] ${line}`,
  logfmt: (line, at) => `time="2026-03-02T${clock(at)}.000Z" level=info msg=${JSON.stringify(line)}`,
  Argo: (line, at) => `bench-x7k2p: time="2026-03-02T${clock(at)}.000Z" level=info msg=${JSON.stringify(line)}`,
  'a row with commas': (line, at) => `"2026-03-02T${clock(at)}Z","bench","${line.replaceAll('"', '""')}"`,
  'a date of Germany': (line, at) => `02.03.2026 ${clock(at)} ${line}`,
  'a date of America': (line, at) => `[3/2/2026, ${clock(at).replace(/^0/, '')} AM] ${line}`,
  'milliseconds since 1970': (line, at) => `1772442${100_000 + at} ${line}`,
  'the time since the start': (line, at) => `(00:${pad(Math.floor(at / 60) % 60)}:${pad(at % 60)}) ${line}`,
  'grep -n': (line, at) => `${at + 1}:${line}`,
  'cat -A': (line) => `${line.replaceAll('\t', '^I')}$`,
  'clients of fio': (line) => `<gen1> ${line}`,
  Tekton: (line) => `[bench : run-tool] ${line}`,
  'a time in Jenkins behind a time of docker': (line, at) => `[2026-03-02T${clock(at)}.123Z] ${iso(at)} ${line}`,
  'a container in GitHub Actions': (line, at) => `${iso(at)} \u001B[36mbench-1  |\u001B[0m ${line}`,
};

const carry = (text: string, carrier: (line: string, at: number) => string): string => {
  const lines = text.split('\n');
  const last = lines.pop();
  return `${lines.map(carrier).join('\n')}\n${last ?? ''}`;
};

const figuresOf = ({ samples, summary }: ParsedText): Pick<ParsedText, 'samples' | 'summary'> => ({ samples, summary });
const carriedOf = ({ findings }: ParsedText) => findings.filter(({ code }) => code === 'lines-carried');

describe.each(OUTPUTS)('an output of %s', (_, tool, text) => {
  const asPrinted = parseText(tool, text);
  const place = OUTPUTS.findIndex(([, , each]) => each === text);

  // In daily runs, each carrier is tested with two outputs.
  it.each(byDay(Object.entries(CARRIERS), (_carrier, index) => index % 3 === place % 3))(
    'is read like the original from %s, with a finding',
    (_name, carrier) => {
      const carried = parseText(tool, carry(text, carrier));
      expect(figuresOf(carried)).toEqual(figuresOf(asPrinted));
      expect(carried.unparsed).toEqual(asPrinted.unparsed);
      const rest = carried.findings.filter(({ code }) => code !== 'lines-carried');
      expect(rest.map(({ code }) => code)).toEqual(asPrinted.findings.map(({ code }) => code));
      expect(carriedOf(carried)).toMatchObject([{ severity: 'note', message: expect.stringContaining(tool.title) }]);
    },
  );

  it('is read with prefixes and suffixes of the carrier', () => {
    const log = `Attaching to bench-1\n${carry(text, (line) => `bench-1  | ${line}`)}bench-1 exited with code 0\n`;
    expect(figuresOf(parseText(tool, log))).toEqual(figuresOf(asPrinted));
  });

  it.each<[string, (text: string) => string]>([
    ['Ansible, as lines', (plain) => JSON.stringify({ stdout_lines: plain.trimEnd().split('\n'), rc: 0 }, null, 2)],
    ['Ansible, as one text', (plain) => JSON.stringify({ stdout: plain, stderr: '' })],
    ['Salt', (plain) => `gen1:\n${plain.replaceAll(/^(?=.)/gm, '    ')}`],
    ['carriage returns alone', (plain) => plain.replaceAll('\n', '\r')],
    ['two carriage returns', (plain) => plain.replaceAll('\n', '\r\r\n')],
    ['a mark of UTF-8', (plain) => `\uFEFF${carry(plain, (line, at) => `${iso(at)} ${line}`)}`],
    ['UTF-16 that was read as something else', (plain) => `${[...plain].join('\0')}\0`],
    ['a heading of tail', (plain) => `==> run.log <==\n${plain}`],
    ['a typescript', (plain) => `Script started on 2026-03-02\r\n$ run\r\n${plain.replaceAll('\n', '\r\n')}$ exit\r\n`],
    ['a block of Markdown', (plain) => `\`\`\`\n${plain}\`\`\`\n`],
  ])('is read from %s', (_name, carried) => {
    expect(figuresOf(parseText(tool, carried(text)))).toEqual(figuresOf(asPrinted));
  });

  it.each([
    ['utf-16le', true],
    ['utf-16le', false],
    ['utf-16be', true],
    ['utf-16be', false],
  ] as const)('is read as %s, with a byte order mark: %s', (encoding, marked) => {
    const bytes = Buffer.from(`${marked ? '\uFEFF' : ''}${text.replaceAll('\n', '\r\n')}`, 'utf16le');
    expect(parseText(tool, encoding === 'utf-16le' ? bytes : bytes.swap16())).toEqual(asPrinted);
  });

  it('is separated from others mixed with it, line by line', () => {
    const names = ['gen1', 'gen2'];
    const mixed = carry(text, (line) => names.map((name) => `${name}: ${line}`).join('\n'));
    const read = parseText(tool, mixed);
    expect(figuresOf(read)).toEqual(figuresOf(asPrinted));
    expect(read.findings.find(({ code }) => code === 'several-runs')?.message).toMatch(/2 runs.*gen1, gen2/);
  });

  it('is distinguished from a failed one', () => {
    const failed: Record<string, string> = {
      sysbench: sysbenchRecording('mariadb-fault-refused').stdout,
      pgbench: pgbenchRecording('fault-refused').stderr,
      fio: 'fio: pid=0, err=2/file:filesetup.c:805, func=open(/x), error=No such file or directory\n',
      ycsb: both(ycsbRecording('jdbc-maria-fault-refused')),
    };
    const mixed = carry(failed[tool.id] ?? '', (line) => `gen1: ${line}`) + carry(text, (line) => `gen2: ${line}`);
    const read = parseText(tool, mixed);
    expect(figuresOf(read)).toEqual(figuresOf(asPrinted));
    expect(read.findings.find(({ code }) => code === 'several-runs')?.message).toMatch(/gen1, gen2.*Only gen2 is read/);
  });

  it('is found among lines of other programs', () => {
    const server = 'mysql-1  | 2026-03-02T09:15:00.1Z 0 [System] [MY-010931] [Server] ready for connections.';
    const mixed = `${server}\n${carry(text, (line, at) => (at % 5 === 0 ? `${server}\nbench-1  | ${line}` : `bench-1  | ${line}`))}`;
    const read = parseText(tool, mixed);
    expect(figuresOf(read)).toEqual(figuresOf(asPrinted));
    expect(read.findings.map(({ code }) => code)).not.toContain('several-runs');
  });

  it('is recognized when read as output of another tool', () => {
    for (const other of TOOLS.filter(({ id }) => id !== tool.id && id !== 'command')) {
      const read = parseText(other, text, '', {}, TOOLS);
      expect(figuresOf(read), other.id).toEqual({ samples: [], summary: {} });
      expect(read.findings[0], other.id).toMatchObject({
        code: 'other-tool',
        message: expect.stringContaining(tool.title),
      });
      expect(read.findings.filter(({ severity }) => severity !== 'note')).toHaveLength(1);
    }
  });
});

it('a container log that splits long lines is joined', () => {
  const { stdout } = fioRecording('randread-libaio-4k-qd4-json');
  const half = (line: string) => Math.ceil(line.length / 2);
  const cri = carry(stdout, (line, at) =>
    [`${iso(at)} stdout P ${line.slice(0, half(line))}`, `${iso(at)} stdout F ${line.slice(half(line))}`].join('\n'),
  );
  const docker = carry(stdout, (line) =>
    [line.slice(0, half(line)), `${line.slice(half(line))}\n`]
      .map((log) => JSON.stringify({ log, stream: 'stdout' }))
      .join('\n'),
  );
  const asPrinted = parseText(fioTool, stdout);
  for (const text of [cri, docker]) expect(figuresOf(parseText(fioTool, text))).toEqual(figuresOf(asPrinted));
});

it('a container log with stream names keeps the streams separate', () => {
  const { stdout, stderr } = ycsbRecording('a-hdrhistogram');
  const log =
    carry(stderr, (line, at) => `${iso(at)} stderr F ${line}`) +
    carry(stdout, (line, at) => `${iso(at)} stdout F ${line}`);
  expect(figuresOf(parseText(ycsbTool, log))).toEqual(figuresOf(parseText(ycsbTool, stdout, stderr)));
});

it('both streams may have a carrier', () => {
  const { stdout, stderr } = pgbenchRecording('tpcb-c4-j2');
  const stamped = (text: string) => carry(text, (line, at) => `${iso(at)} ${line}`);
  const plain = parseText(pgbenchTool, stdout, stderr);
  expect(plain.samples.length).toBeGreaterThan(0);
  expect(figuresOf(parseText(pgbenchTool, stamped(stdout), stamped(stderr)))).toEqual(figuresOf(plain));
});

describe('every recording, including failures and data steps, is read equally from a container log:', () => {
  const ALL: readonly (readonly [string, Tool, readonly { name: string; stdout: string; stderr: string }[]])[] = [
    ['sysbench', sysbenchTool, SYSBENCH],
    ['pgbench', pgbenchTool, PGBENCH],
    ['fio', fioTool, FIO],
    ['YCSB', ycsbTool, YCSB],
  ];
  const words = (read: ParsedText) =>
    read.findings.flatMap(({ code, message }) => (code === 'lines-carried' ? [] : [message])).toSorted();
  it.each(ALL)('of %s', (_, tool, recordings) => {
    for (const recording of byDay(recordings, (_recording, index) => index % 3 === 0)) {
      const text = both(recording);
      if (!text.endsWith('\n') || text.trim() === '') continue;
      const [plain, carried] = [text, carry(text, (line, at) => `${iso(at)} ${line}`)].map((each) =>
        parseText(tool, each, '', {}, TOOLS),
      ) as [ParsedText, ParsedText];
      expect(figuresOf(carried), recording.name).toEqual(figuresOf(plain));
      expect(words(carried), recording.name).toEqual(words(plain));
    }
  });
});

describe('output of a program is not taken for that of a carrier:', () => {
  const FOLDERS: readonly (readonly [string, Tool])[] = TOOLS.map((tool) => [tool.id, tool]);
  it.each(FOLDERS)('recordings of %s, complete and line by line', (id, tool) => {
    const folder = fileURLToPath(new URL(`./${id}/fixtures/`, import.meta.url));
    let files: string[] = [];
    try {
      files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /std(out|err)\.txt$/.test(file),
      );
    } catch {
      // This tool has no recordings.
      return;
    }
    for (const [place, file] of files.entries()) {
      const text = readFileSync(folder + file, 'utf8');
      for (const part of [
        text,
        ...byDay(KINDS, (_kind, index) => index === place % KINDS.length).map((kind) =>
          text
            .split('\n')
            .filter((line) => kind.test(line))
            .join('\n'),
        ),
      ])
        expect(carriedOf(parseText(tool, part)), `${file}: ${part.slice(0, 100)}`).toEqual([]);
    }
  });

  /** Lines of one kind, as in search results. */
  const KINDS = [
    /^\[ *\d+s/,
    /^progress:/,
    /^\[[A-Z]/,
    / sec: /,
    /^\d{4}-/,
    /^fio: /,
    /^FATAL/,
    /^ {2,}\w/,
    /:/,
    /^\s*$/,
  ];

  it.each([
    [
      'times that a pattern reads',
      '09:15:00 500 ops\n09:15:01 600 ops\n09:15:02 700 ops\n',
      '^(?<t>[\\d:]+) (?<ops>\\d+) ops',
    ],
    ['a name that a pattern reads', 'bench: 500\nbench: 600\nbench: 700\n', '^bench: (?<ops>\\d+)'],
    ['JSON that a pattern reads', '{"message":"x","ops":5}\n{"message":"x","ops":6}\n', '"ops":(?<ops>\\d+)'],
    ['brackets that a pattern reads', '[a] ops=5\n[a] ops=6\n[b] ops=7\n', 'ops=(?<ops>\\d+)'],
    [
      'colours that a pattern reads',
      '\u001B[1m5\u001B[0m ops\n\u001B[1m6\u001B[0m ops\n',
      '(?<ops>\\d+)\u001B\\[0m ops',
    ],
  ])('%s', (_, text, pattern) => {
    const read = parseText(commandTool, text, '', { pattern, metrics: '' });
    expect(read.samples).toHaveLength(text.split('\n').length - 1);
    expect(carriedOf(read)).toEqual([]);
  });
});

describe('output without any figures', () => {
  it.each([
    ['a message of a shell', 'zsh: no such file: results.txt\n'],
    ['another program’s', 'Requests per second:    1234.56 [#/sec] (mean)\nTime per request: 8.1 [ms]\n'],
    ['prose', 'The run was yesterday.\nIt was good.\n'],
  ])('is reported as such: %s', (_, text) => {
    for (const tool of TOOLS) {
      const { findings } = parseText(tool, text, '', {}, TOOLS);
      expect(
        findings.filter(({ severity }) => severity !== 'note'),
        tool.id,
      ).not.toEqual([]);
    }
  });
});
