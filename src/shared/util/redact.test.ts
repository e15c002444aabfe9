import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { randomFrom } from './numbers.ts';
import { createRedactor } from './redact.ts';

const SECRET = `pä"ss'w/ord +&%`;

function redactorOf(...secrets: string[]) {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

describe('a redactor', () => {
  it.each([
    ['raw', SECRET],
    ['URL', encodeURIComponent(SECRET)],
    ['form', new URLSearchParams({ p: SECRET }).toString().slice(2)],
    ['lower-case URL', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['ASCII JSON', JSON.stringify(SECRET).slice(1, -1).replace('ä', '\\u00e4')],
    ['shell', SECRET.replaceAll("'", "'\\''")],
  ])('hides the %s form', (_, form) => {
    expect(redactorOf(SECRET).redact(`before ${form} after`)).toBe('before [hidden] after');
  });

  it.each(['', 'u', 'us', 'user:', 'root:'])('hides base64 after “%s”, in both alphabets', (before) => {
    for (const after of ['', '@', '@h', '@host']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(before + SECRET + after).toString(encoding);
        expect(redactorOf(SECRET).redact(`Basic ${encoded}`)).toContain('[hidden]');
      }
    }
  });

  it('leaves other text and very short secrets unchanged', () => {
    const text = 'tps: 3456.78 lat: 1.2 password=no';
    expect(redactorOf(SECRET, 'no').redact(text)).toBe(text);
    expect(createRedactor().redact(text)).toBe(text);
  });

  it.each([
    'sysbench 1.0.20, pgbench and a benchmark',
    '"sysbench" (pgbench) workbenches',
    String.raw`{"line":"ready\nsysbench"}`,
  ])('leaves an everyday word inside other words, as hiding would reveal it: %s', (text) => {
    expect(redactorOf('bench').redact(text)).toBe(text);
  });

  it.each([
    ['bench', '[hidden]'],
    ['user bench, password bench.', 'user [hidden], password [hidden].'],
    ['mysql -pbench sysbench', 'mysql -p[hidden] sysbench'],
    ['--password=bench&x', '--password=[hidden]&x'],
    ['mongodb://bench:bench@db1/bench1', 'mongodb://[hidden]:[hidden]@db1/[hidden]1'],
    [String.raw`{"line":"no\nbench\tbench\u00efbench"}`, String.raw`{"line":"no\n[hidden]\t[hidden]\u00ef[hidden]"}`],
    ['a%3Abench%ABbench', 'a%3A[hidden]%AB[hidden]'],
    ['\u001b[0mbench', '\u001b[0m[hidden]'],
  ])('hides a separate everyday word: %s', (text, shown) => {
    expect(redactorOf('bench').redact(text)).toBe(shown);
  });

  it('hides an everyday word in base64', () => {
    const encoded = Buffer.from('user:bench').toString('base64');
    expect(redactorOf('bench').redact(encoded)).toContain('[hidden]');
  });

  it.each(['workbench', 'Bench', 'bench1', 'benches', 'b-nch'])('hides %s inside other words', (secret) => {
    expect(redactorOf(secret).redact(`sys${secret}mark`)).toBe('sys[hidden]mark');
  });

  it('hides the same words however a stream is split', () => {
    const text = 'sysbench bench benchmark -pbench, pgbench\nbench';
    const redactor = redactorOf('bench');
    const whole = redactor.redact(text);
    expect(whole).toBe('sysbench [hidden] benchmark -p[hidden], pgbench\n[hidden]');
    for (let first = 0; first <= text.length; first += 1)
      for (let second = first; second <= text.length; second += 1) {
        const stream = redactor.stream();
        const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        expect(parts.map((part) => stream.push(part)).join('') + stream.end()).toBe(whole);
      }
  });

  it('hides overlapping secrets completely', () => {
    expect(redactorOf('abcdef', 'defghi').redact('<abcdefghi>')).toBe('<[hidden]>');
    expect(redactorOf('abcd', 'abcdef').redact('<abcdef> <abcd>')).toBe('<[hidden]> <[hidden]>');
  });

  it('hides a secret however a stream is split, and nothing else', () => {
    const redactor = redactorOf('topsecret', 'secretive', 'aaaab');
    const text = 'a topsecretive b tops secret topsecret aaaaab aaaa topsecre';
    const whole = redactor.redact(text);
    expect(whole).toBe('a [hidden] b tops secret [hidden] a[hidden] aaaa topsecre');
    for (let first = 0; first <= text.length; first += 1) {
      for (let second = first; second <= text.length; second += 1) {
        const stream = redactor.stream();
        const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)].map((part) =>
          stream.push(part),
        );
        expect(parts.join('') + stream.end()).toBe(whole);
        expect(parts.join('')).not.toContain('topsecret');
      }
    }
  });

  it('hides what a search at every position finds, in texts full of beginnings', () => {
    const seed = 40_711;
    const random = randomFrom(seed);
    const secrets = ['a.b.c', 'a.b.ca', '(b|c)*', 'cc$a'];
    const redactor = redactorOf(...secrets);
    for (let round = 0; round < 300; round += 1) {
      const signs = [...'abc.', '(b|', 'a.b', ...secrets];
      const text = Array.from({ length: 40 }, () => signs[Math.floor(random() * signs.length)]).join('');
      let expected = '';
      let covered = 0;
      for (let at = 0; at < text.length; at += 1) {
        const length = Math.max(0, ...secrets.filter((secret) => text.startsWith(secret, at)).map((one) => one.length));
        if (at >= covered) expected += length > 0 ? '[hidden]' : text[at];
        covered = Math.max(covered, at + length);
      }
      expect(redactor.redact(text), `seed ${seed}`).toBe(expected);
    }
  });

  it('passes on text that cannot be a secret at once', () => {
    const stream = redactorOf('topsecret').stream();
    expect(stream.push('a whole line\n')).toBe('a whole line\n');
    expect(stream.push('line with tops')).toBe('line with ');
    expect(stream.push('oil')).toBe('topsoil');
  });
});
