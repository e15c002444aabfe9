import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shellQuote, shellWords } from './shell-quote.ts';

const NASTY = [
  '',
  ' ',
  '-rf',
  "'",
  "''",
  "\\'",
  '"',
  '`touch canary`',
  '$(touch canary)',
  '; touch canary #',
  '&& touch canary',
  '| touch canary',
  '\n touch canary\n',
  '\r\n',
  '\\',
  '\\\\',
  "'; touch canary; '",
  '$HOME',
  '~',
  '*',
  '?',
  '[a-z]',
  '{a,b}',
  '!!',
  '<(touch canary)',
  '>canary',
  '\t',
  '東京 “x” –',
  '\u0001\u001b[31m\u007f',
  'a'.repeat(20_000),
];

/** Pseudo-random numbers, the same in every run. */
function* numbers(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function fuzz(count: number): string[] {
  const letters = [...'\'"\\`$();&|<>*?[]{}~!#=%^ \t\n\r-', ...'abcé東', 'touch canary', '$(', '`', "'\\''"];
  const random = numbers(20261121);
  const next = () => random.next().value ?? 0;
  return Array.from({ length: count }, () =>
    Array.from({ length: Math.floor(next() * 12) }, () => letters[Math.floor(next() * letters.length)]).join(''),
  );
}

for (const shell of ['/bin/sh', '/bin/bash']) {
  it(`passes any text through ${shell} unchanged, and executes none of it`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'kneepoint-quote-'));
    try {
      const texts = [...NASTY, ...fuzz(10_000)];
      for (let first = 0; first < texts.length; first += 500) {
        const some = texts.slice(first, first + 500);
        const script = some.map((text) => `printf '%s\\0' ${shellQuote(text)}`).join('\n');
        const result = spawnSync(shell, ['-s'], { cwd: folder, input: script, encoding: 'utf8' });
        expect(result.stderr).toBe('');
        expect(result.stdout.split('\0').slice(0, -1)).toEqual(some);
      }
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

it('keeps the words of a command line separate', () => {
  const words = ["it's", 'a b', '', '-x', '$y'];
  const script = `for word in ${shellWords(words)}; do printf '%s\\0' "$word"; done`;
  expect(spawnSync('/bin/sh', ['-s'], { input: script, encoding: 'utf8' }).stdout).toBe(`${words.join('\0')}\0`);
});

it('throws for text with a NUL', () => {
  expect(() => shellQuote('a\0b')).toThrow('NUL');
});
