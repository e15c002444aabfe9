import { describe, expect, it } from 'vitest';
import { controlSentence, shortEvent } from './scenario.ts';

describe('an event in few words', () => {
  it.each(['restart', 'stop', 'kill', 'start'] as const)('begins with the act: %s', (act) => {
    expect(shortEvent(controlSentence(act, 'the “main” server'))).toBe(`${act} the “main” server`);
  });

  it.each([
    ['The setting sync_binlog of “shop” is set to 1.', 'sync_binlog = 1'],
    ['A statement is sent to “shop”: SELECT\n1', 'statement: SELECT\n1'],
    ['A command is run on db1: sync', 'run: sync'],
    ['A command is run: echo “a”: b', 'run: echo “a”: b'],
    ['reads / point starts.', 'reads / point starts.'],
  ])('is read from its line: %s', (line, short) => expect(shortEvent(line)).toBe(short));
});
