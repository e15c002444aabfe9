import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT, exitCodeOf, UsageError } from './exit.ts';
import { readInput, readSecret, readText } from './files.ts';
import { Terminal } from './testing/cli.ts';
import { writeOutput } from './write-output.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
const inside = (name: string): string => path.join(folder, name);
const put = (name: string, text: string): string => {
  writeFileSync(inside(name), text, { mode: 0o600 });
  return inside(name);
};
const fifo = (name: string): string => {
  execFileSync('mkfifo', [inside(name)]);
  return inside(name);
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.fail('it did not throw');
}

describe('a document', () => {
  it('is read completely', async () => {
    expect(await readText(put('a.yaml', 'kneepoint: 1'))).toBe('kneepoint: 1');
  });
  it('is refused at once if it is not a file or too large', () => {
    truncateSync(put('huge', ''), 5 * 1024 * 1024);
    const refused: readonly [string, RegExp][] = [
      [fifo('pipe'), /it is not a file but a pipe\. .*accepts “-” for standard input/],
      ['/dev/zero', /it is not a file but a device/],
      [folder, /it is a folder/],
      [inside('huge'), /larger than 4\.00 MiB/],
      [inside('nothing'), /no such file/],
    ];
    for (const [file, words] of refused) {
      const error = thrownBy(() => readInput(file));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toMatch(words);
    }
  });
  it('is limited by the bytes read, because kernel files report no size', () => {
    expect(readInput('/proc/self/status').length).toBeGreaterThan(100);
    expect(() => readInput('/proc/self/status', 10)).toThrow('larger than 10 B');
  });
});

describe('commands that read a document', () => {
  it.each([
    ['check', ['check']],
    ['import', ['import', 'fio']],
  ])('%s fails at once on a pipe without a writer', async (_, words) => {
    const terminal = new Terminal();
    try {
      const { code, stderr } = await terminal.run(...words, fifo('pipe'));
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/it is not a file but a pipe/) });
    } finally {
      await terminal.close();
    }
  });
});

describe('a secret', () => {
  it('is limited to a short text', () => {
    expect(readSecret(put('secret', 'word\n'))).toBe('word');
    put('long', 'x'.repeat(70_000));
    expect(() => readSecret(inside('long'))).toThrow('larger than 64');
    expect(() => readSecret(put('empty', '\n'))).toThrow('is empty');
  });
});

describe('an output', () => {
  const bytes = (count: number): Uint8Array => Buffer.alloc(count, 'n');

  it('replaces the existing file and keeps its mode', () => {
    const file = put('report.csv', 'old');
    chmodSync(file, 0o640);
    writeOutput(file, bytes(3));
    expect(readFileSync(file, 'utf8')).toBe('nnn');
    expect(statSync(file).mode & 0o7777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['report.csv']);
  });
  it('gets the default mode if the file is new', () => {
    const before = process.umask(0o027);
    try {
      writeOutput(inside('new'), bytes(3));
    } finally {
      process.umask(before);
    }
    expect(statSync(inside('new')).mode & 0o7777).toBe(0o640);
  });
  it('follows a link, also to a file that does not exist yet', () => {
    mkdirSync(inside('far'));
    symlinkSync('far/one', inside('link'));
    symlinkSync('link', inside('second'));
    writeOutput(inside('second'), bytes(3));
    writeOutput(inside('link'), bytes(4));
    expect(readFileSync(inside('far/one'), 'utf8')).toBe('nnnn');
    expect(readdirSync(folder).sort()).toEqual(['far', 'link', 'second']);
  });
  it('is written into a pipe', () => {
    const pipe = fifo('pipe');
    const program = `import { writeOutput } from ${JSON.stringify(path.resolve(import.meta.dirname, 'write-output.ts'))};
writeOutput(${JSON.stringify(pipe)}, Buffer.from('through'));`;
    const { stdout } = spawnSync(
      'sh',
      ['-c', `cat "$1" & "$2" --input-type=module-typescript -e "$3"; wait`, 'sh', pipe, process.execPath, program],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe('through');
    expect(statSync(pipe).isFIFO()).toBe(true);
  });
  it('is written to the file that the shell opened as /dev/stdout', () => {
    const program = `import { writeOutput } from ${JSON.stringify(path.resolve(import.meta.dirname, 'write-output.ts'))};
writeOutput('/dev/stdout', Buffer.from('to the shell'));`;
    const run = (redirection: string): string =>
      spawnSync(
        'sh',
        [
          '-c',
          `"$1" --input-type=module-typescript -e "$2" ${redirection}`,
          'sh',
          process.execPath,
          program,
          inside('shell'),
        ],
        {
          encoding: 'utf8',
        },
      ).stdout;
    expect(run('| cat')).toBe('to the shell');
    expect(run('> "$3"')).toBe('');
    expect(readFileSync(inside('shell'), 'utf8')).toBe('to the shell');
  });
  it.each(['ENOTDIR', 'ENOENT', 'EISDIR'])('to an impossible path is wrong usage (%s)', (code) => {
    put('file', '');
    const file = { ENOTDIR: inside('file/x'), ENOENT: inside('none/x'), EISDIR: folder }[code] ?? '';
    const error = thrownBy(() => writeOutput(file, bytes(1)));
    expect(error).toBeInstanceOf(UsageError);
    expect(exitCodeOf(error)).toBe(EXIT.wrongUse);
  });

  it('larger than the file size limit leaves the existing file unchanged', () => {
    const file = put('report.csv', 'old and whole');
    const program = `import { writeOutput } from ${JSON.stringify(path.resolve(import.meta.dirname, 'write-output.ts'))};
process.on('SIGXFSZ', () => {});
try { writeOutput(${JSON.stringify(file)}, Buffer.alloc(3_000_000)); } catch (error) { console.log(JSON.stringify(error.problem)); }`;
    const { stdout } = spawnSync(
      'sh',
      ['-c', `ulimit -f 1000; "$1" --input-type=module-typescript -e "$2"`, 'sh', process.execPath, program],
      {
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ code: 'disk-full', safe: 'The previous file is unchanged.' });
    expect(readFileSync(file, 'utf8')).toBe('old and whole');
    expect(readdirSync(folder)).toEqual(['report.csv']);
  });
});

describe.skipIf(!isRoot)('an output on a full disk', () => {
  beforeEach(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
  });
  afterEach(() => {
    execFileSync('umount', ['-l', folder]);
  });

  it('leaves the existing file unchanged, removes the partial file, and exits with 4', () => {
    const file = put('report.csv', 'old and whole');
    const error = thrownBy(() => writeOutput(file, Buffer.alloc(2_000_000)));
    expect(exitCodeOf(error)).toBe(EXIT.broken);
    expect(error.message).toMatch(/the disk is full/);
    expect(readFileSync(file, 'utf8')).toBe('old and whole');
    expect(readdirSync(folder)).toEqual(['report.csv']);
    expect(() => writeOutput(inside('new.csv'), Buffer.alloc(2_000_000))).toThrow('the disk is full');
    expect(readdirSync(folder)).toEqual(['report.csv']);
  });
  it('that is read-only exits with 4', () => {
    const file = put('report.csv', 'old and whole');
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const error = thrownBy(() => writeOutput(file, Buffer.alloc(10)));
    expect(exitCodeOf(error)).toBe(EXIT.broken);
    expect(error.message).toMatch(/read-only/);
  });
  it('overwrites in place a file that is a mount point', () => {
    const [mounted, source] = [put('mounted', 'old'), put('source', 'old')];
    execFileSync('mount', ['--bind', source, mounted]);
    try {
      writeOutput(mounted, Buffer.from('new'));
      expect(readFileSync(source, 'utf8')).toBe('new');
    } finally {
      execFileSync('umount', [mounted]);
    }
  });
});
