import { describe, expect, it } from 'vitest';
import { suggestionsOf } from '../../../code-editor/index.ts';
import { factorKinds, loadTool } from '../../../testing/documents.ts';
import { documentSchema, kindAtEnd } from './document-schema.ts';

const suggested = (before: string) =>
  suggestionsOf(documentSchema([loadTool], factorKinds, { tool: 'load', kind: kindAtEnd(before) }), before)?.options ??
  [];
const labels = (before: string) => suggested(before).map(({ label }) => label);

describe('suggestions in a document', () => {
  it('include the fields of a document', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['kneepoint', 'workload', 'where', 'factors', 'measure']));
    expect(labels('workload:\n  ')).toEqual(['tool', 'options', 'data']);
    expect(labels('factors:\n  - ')).toEqual([
      'name',
      'kind',
      'levels',
      'when',
      'values',
      'baseline',
      'tested',
      'pause',
      'option',
      'setting',
      'on',
    ]);
  });

  it('include monitors, with descriptions', () => {
    expect(labels('derived:\n  - ')).toEqual(['name', 'unit', 'better', 'digits', 'is', 'of', 'series', 'take']);
    expect(labels('derived:\n  - take: ')).toEqual(expect.arrayContaining(['mean', 'p95', 'total']));
    expect(labels('monitors:\n  ')).toEqual([
      'generators',
      'place',
      'server',
      'sizes',
      'hosts',
      'statements',
      'commands',
    ]);
    expect(labels('monitors:\n  generators: ')).toEqual(['true', 'false']);
    expect(labels('monitors:\n  commands:\n    - ')).toEqual([
      'name',
      'host',
      'command',
      'only-reads',
      'pattern',
      'units',
    ]);
    expect(labels('monitors:\n  statements:\n    - { ')).toEqual(['name', 'statement', 'counters']);
    expect(suggested('monitors:\n  commands:\n    - { ').find(({ label }) => label === 'pattern')).toMatchObject({
      detail: 'Pattern',
      info: 'One per line; each named group, (?<name>…), is a series.',
    });
  });

  it('include tools, by id and title', () => {
    expect(suggested('workload: { tool: ')).toEqual([{ label: 'load', kind: 'constant', detail: 'Load' }]);
  });

  it('include the options of the tool with descriptions', () => {
    expect(suggested('workload:\n  options:\n    ')[0]).toEqual({
      label: 'threads',
      insert: 'threads: ',
      kind: 'property',
      detail: 'Threads, in threads',
      info: 'Default: 1',
    });
  });

  it('include the values of an option and of a switch', () => {
    expect(labels('workload:\n  options: { mode: ')).toEqual(['off', 'normal', 'full']);
    expect(labels('workload:\n  options:\n    tls: ')).toEqual(['true', 'false']);
  });

  it('include options as factors', () => {
    expect(labels('factors:\n  - { name: ')).toEqual(['threads', 'mode', 'tls']);
  });

  it('include kinds of factors, and the fields and levels of the named kind', () => {
    expect(suggested('factors:\n  - { name: x, kind: ')[1]).toEqual({
      label: 'server-setting',
      kind: 'constant',
      detail: 'Server setting',
    });
    const factor = 'factors:\n  - name: x\n    kind: server-setting\n    ';
    expect(labels(factor)).toEqual([
      'name',
      'kind',
      'levels',
      'when',
      'values',
      'baseline',
      'tested',
      'pause',
      'setting',
      'on',
    ]);
    expect(labels(`${factor}levels:\n      - { `)).toEqual(['name', 'set']);
    expect(labels('factors:\n  - { kind: workload, name: x, levels: [{ ')).toEqual(['name', 'options']);
    expect(labels('factors:\n  - { kind: workload, name: x, levels: [{ options: { ')).toEqual([
      'threads',
      'mode',
      'tls',
    ]);
    expect(labels('factors:\n  - { kind: option, name: ')).toEqual(['threads', 'mode', 'tls']);
  });

  it('use the kind of the current factor, not of the previous one', () => {
    const before = 'factors:\n  - name: a\n    kind: workload\n    levels:\n      - { name: b, options: {} }\n';
    expect(kindAtEnd(`${before}    `)).toBe('workload');
    expect(kindAtEnd(`${before}  - name: c\n    `)).toBeUndefined();
    expect(kindAtEnd(`${before}measure: { `)).toBeUndefined();
  });

  it('describe measurement fields as the form does', () => {
    const warmup = suggested('measure: { ').find(({ label }) => label === 'warmup');
    expect(warmup?.detail).toBe('Warm-up, in s');
    expect(warmup?.info).toContain('excluded from all figures');
    expect(labels('measure: { order: ')).toEqual(['listed', 'rounds', 'shuffled', 'interleaved']);
  });
});
