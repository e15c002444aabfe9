import { describe, expect, it } from 'vitest';
import { isPlainName, matchKind, quoted, readLine } from './copy.ts';

describe('a line of an ssh_config', () => {
  it.each([
    ['Host a b', 'host', ['a', 'b']],
    ['  hostname = "db 1"  # no', 'hostname', ['db 1']],
    ['User=bench', 'user', ['bench']],
    ['"Match" exec "touch x"', 'match', ['exec', 'touch x']],
    ['=Match exec x', 'match', ['exec', 'x']],
    ['\tMATCH\texec x', 'match', ['exec', 'x']],
    ['IdentityFile "C:\\Users\\my name\\id"', 'identityfile', ['C:\\Users\\my name\\id']],
    ['IdentityFile ~/my\\ key', 'identityfile', ['~/my key']],
    ["Host 'a b' c#d", 'host', ['a b', 'c#d']],
    ['Port', 'port', []],
  ])('%s', (text, keyword, words) => {
    expect(readLine(text)).toMatchObject({ keyword, arguments: words });
  });

  it('has no setting if it is empty or a comment', () => {
    expect(['', '   ', '# Host a', '\t# Host a'].map(readLine)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('a Match', () => {
  it.each([
    ['all', 'harmless'],
    ['host a,b user c', 'harmless'],
    ['!host a final', 'harmless'],
    ['originalhost=a tagged x', 'harmless'],
    ['exec x', 'exec'],
    ['host a !exec x', 'exec'],
    ['EXEC=x', 'exec'],
    ['host exec', 'harmless'],
    ['host', 'unknown'],
    ['', 'unknown'],
    ['runs x', 'unknown'],
  ])('%s is %s', (words, kind) => {
    expect(matchKind(words.split(' ').filter(Boolean))).toBe(kind);
  });
});

it('quotes words reversibly or not at all', () => {
  expect(quoted('a*')).toBe('a*');
  expect(quoted('my name')).toBe('"my name"');
  expect(quoted('C:\\Users\\me')).toBe('C:\\Users\\me');
  expect(['a"b', 'a\\', "it's", 'a\nb'].map(quoted)).toEqual([undefined, undefined, undefined, undefined]);
});

it('distinguishes names from patterns', () => {
  expect(['db1', 'db*', '!db1', 'db?', ''].map(isPlainName)).toEqual([true, false, false, false, false]);
});
