import { expect, it } from 'vitest';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import { ladder, loadTool, textOf } from '../../../testing/documents.ts';
import { fits, topicsOf } from './search.ts';

const file = (id: string, topic?: ExperimentFile['topic']): ExperimentFile => ({
  id,
  origin: 'template',
  name: 'Reads, thread ladder',
  question: 'How many reads?',
  tool: 'load',
  tags: ['reads'],
  text: `# Models the reading half of a web shop.\n${textOf({ ...ladder, workload: { ...ladder.workload, options: { tls: true } } })}`,
  outline: {
    ...{ cells: 6, trials: 18, seconds: 700, targets: ['MySQL, MariaDB'] },
    chart: { kind: 'knee', over: 'threads', metric: 'tps', lines: 2, points: 3 },
  },
  ...(topic && { topic }),
});

it('finds a document by any of its words, in any order', () => {
  for (const words of ['', 'ladder', 'how many', 'makes load', 'mariadb', 'tls', 'web shop', 'SHOP mysql reads'])
    expect(fits(file('1'), loadTool, words), words).toBe(true);
  expect(fits(file('1'), loadTool, 'shop postgres')).toBe(false);
});

it('finds a published experiment by its id, and lists it without a question', () => {
  const row = { ...file('E04'), row: { id: 'E04', template: 'a', state: 'partly' as const, missing: 'a chart' } };
  expect(fits(row, loadTool, 'e04')).toBe(true);
  expect(fits(row, loadTool, 'chart')).toBe(true);
  expect(topicsOf([row])).toEqual([]);
});

it('sorts by question, with documents without one last', () => {
  const [disk, load] = [
    { id: 'disk', title: 'How fast is this disk?', place: 5 },
    { id: 'load', title: 'How much load can it take?', place: 0 },
  ];
  const topics = topicsOf([file('a'), file('b', disk), file('c', load), file('d', disk)]);
  expect(topics.map(({ id, files }) => [id, files.map((each) => each.id).join('')])).toEqual([
    ['load', 'c'],
    ['disk', 'bd'],
    ['other', 'a'],
  ]);
});
