import { describe, expect, it } from 'vitest';
import { suggestionsOf } from '../../../code-editor/index.ts';
import { loadTool } from '../../../testing/documents.ts';
import { documentSchema } from './document-schema.ts';

const suggested = (before: string) => suggestionsOf(documentSchema([loadTool], 'load'), before)?.options ?? [];
const labels = (before: string) => suggested(before).map(({ label }) => label);

describe('suggestions in a document', () => {
  it('names what a document has', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['kneepoint', 'workload', 'where', 'factors', 'measure']));
    expect(labels('workload:\n  ')).toEqual(['tool', 'options', 'data']);
    expect(labels('factors:\n  - ')).toEqual(['name', 'kind', 'levels', 'when', 'baseline', 'option']);
  });

  it('knows the tools, by id and title', () => {
    expect(suggested('workload: { tool: ')).toEqual([{ label: 'load', kind: 'constant', detail: 'Load' }]);
  });

  it('knows the options of the tool with their words', () => {
    expect(suggested('workload:\n  options:\n    ')[0]).toEqual({
      label: 'threads',
      insert: 'threads: ',
      kind: 'property',
      detail: 'Threads, in threads',
      info: 'Default: 1',
    });
  });

  it('knows the values of an option, and of a switch', () => {
    expect(labels('workload:\n  options: { mode: ')).toEqual(['off', 'normal', 'full']);
    expect(labels('workload:\n  options:\n    tls: ')).toEqual(['true', 'false']);
  });

  it('offers options as factors', () => {
    expect(labels('factors:\n  - { name: ')).toEqual(['threads', 'mode', 'tls']);
  });

  it('says of the measurement what its form says', () => {
    const warmup = suggested('measure: { ').find(({ label }) => label === 'warmup');
    expect(warmup?.detail).toBe('Warm-up, in s');
    expect(warmup?.info).toContain('excluded from every figure');
    expect(labels('measure: { order: ')).toEqual(['listed', 'rounds', 'shuffled', 'interleaved']);
  });
});
