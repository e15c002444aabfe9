import { describe, expect, it } from 'vitest';
import { placeOf } from './yaml-place.ts';

const HEAD = 'kneepoint: 1\nworkload:\n  tool: sysbench\n  options:\n    script: cpu\n';
const LIST = 'factors:\n  - name: threads\n    levels: [1, 2]\n';

describe('the position at the end of a YAML document', () => {
  it.each([
    ['at its top', 'kneepoint: 1\nna', [], 'name', 'na'],
    ['in a value', 'kneepoint: 1\nworkload:\n  tool: sys', ['workload', 'tool'], 'value', 'sys'],
    ['before a value', `${HEAD}  data: `, ['workload', 'data'], 'value', ''],
    ['below names, by indentation', `${HEAD}    th`, ['workload', 'options'], 'name', 'th'],
    ['back at an outer name', `${HEAD}  da`, ['workload'], 'name', 'da'],
    ['on an empty line', `${HEAD}    `, ['workload', 'options'], 'name', ''],
    ['behind a comment', `${HEAD}    # why\n\n    th`, ['workload', 'options'], 'name', 'th'],
    ['in an item of a list', `${LIST}  - na`, ['factors', '[]'], 'name', 'na'],
    ['further down in an item', `${LIST}    op`, ['factors', '[]'], 'name', 'op'],
    ['in a list whose dashes are not indented', 'factors:\n- name: a\n  op', ['factors', '[]'], 'name', 'op'],
    ['in a list of values', 'where:\n  generators:\n    - th', ['where', 'generators', '[]'], 'name', 'th'],
    ['after a list', `${LIST}measure:\n  wa`, ['measure'], 'name', 'wa'],
    ['in braces', `${HEAD}measure: { warmup: 1, du`, ['measure'], 'name', 'du'],
    ['in a value in braces', 'measure: { order: ro', ['measure', 'order'], 'value', 'ro'],
    ['in brackets in braces', 'where: { generators: [a, b', ['where', 'generators', '[]'], 'value', 'b'],
    ['in an item in braces', 'factors:\n  - { name: th', ['factors', '[]', 'name'], 'value', 'th'],
    ['in quotes with brackets', 'measure: { name: "a, {b", du', ['measure'], 'name', 'du'],
  ])('%s', (_, text, path, part, word) => {
    expect(placeOf(text)).toEqual({ path, in: part, word });
  });

  it.each([
    ['a comment', '# na'],
    ['right behind a colon', 'measure:'],
    ['behind closed braces', 'measure: { warmup: 1 }'],
  ])('is undefined in %s', (_, text) => {
    expect(placeOf(text)).toBeUndefined();
  });
});
