import { expect, it } from 'vitest';
import { cutInside, cutParts, inLines, shorterForms, shortLabels } from './labels.ts';

it('shortens long names in the middle', () => {
  expect(cutInside('m5.large', 20)).toBe('m5.large');
  expect(cutInside('EBS Provisioned IOPS SSD io2, 16,000 IOPS', 20)).toBe('EBS Provis…,000 IOPS');
});

it('never gives two names the same label', () => {
  const names = ['a', 'b', 'c'].map((letter) => `The same long beginning of it ${letter} and the same long end of it`);
  const labels = shortLabels([...names, 'short'], 24);
  expect(new Set(labels).size).toBe(4);
  for (const label of labels) expect(label.length).toBeLessThanOrEqual(24);
});

it('breaks between words, and inside a word that is too long', () => {
  expect(inLines('two words and more', 10)).toBe('two words\nand more');
  expect(inLines('standard-16-vcpu-64-gib', 10)).toBe('standard-1\n6-vcpu-64-\ngib');
});

it('distinguishes cells and trials in ever fewer words, dropping shared parts first', () => {
  const names = ['off', 'on'].flatMap((level) =>
    [1, 2].map((repeat) => `synchronous_commit ${level} · threads 8, repeat ${repeat}`),
  );
  const forms = shorterForms(names)[1] ?? [];
  expect(forms.slice(0, 3)).toEqual([
    'synchronous_commit off · threads 8, repeat 2',
    'synchronous_commit off, repeat 2',
    'synchron…s_commit off, repeat 2',
  ]);
  expect(forms.slice(-3)).toEqual(['sync…mit off, repeat 2', 'off, repeat 2', 'off, 2']);
  expect(shortLabels(names, 16)).toEqual(['off, repeat 1', 'off, repeat 2', 'on, repeat 1', 'on, repeat 2']);
  expect(shortLabels(names, 100)).toEqual(names);
});

it('cuts the longest word in the middle before it drops the names of factors', () => {
  const names = [1, 2].flatMap((commit) =>
    [8, 64].map((threads) => `threads ${threads} · innodb_flush_log_at_trx_commit ${commit}`),
  );
  expect(shortLabels(names, 44)).toEqual([
    'threads 8 · innodb_flush_l…_at_trx_commit 1',
    'threads 64 · innodb_flush_l…_at_trx_commit 1',
    'threads 8 · innodb_flush_l…_at_trx_commit 2',
    'threads 64 · innodb_flush_l…_at_trx_commit 2',
  ]);
  expect(shortLabels(names, 24)[1]).toBe('threads 64 · inno…mmit 1');
  expect(shortLabels(names, 22)[1]).toBe('threads 64 · 1');
  expect(shortLabels(names, 8)).toEqual(['8 · 1', '64 · 1', '8 · 2', '64 · 2']);
});

it('cuts the longest part of a name, and none until nothing can be read', () => {
  expect(cutParts('remote_write · 64, 1', 13)).toBe('re…te · 64, 1');
  expect(cutParts('1 · off, 1', 8)).toBeUndefined();
  expect(cutParts('off', 5)).toBe('off');
});

it('keeps a single name, or one with other parts, in full', () => {
  expect(shorterForms(['threads 8, repeat 1'])).toEqual([['threads 8, repeat 1']]);
  expect(shorterForms(['the only cell', 'threads 8 · pause 0'])).toEqual([['the only cell'], ['threads 8 · pause 0']]);
  expect(shorterForms(['sync', 'sync on'])).toEqual([['sync'], ['sync on']]);
});

it('shortens all names or none', () => {
  const names = [1, 4, 16].map((threads) => `innodb_flush_log_at_trx_commit 2 · threads ${threads}`);
  expect(shortLabels(names, 44)).toEqual(['threads 1', 'threads 4', 'threads 16']);
  expect(shortLabels(names, 45)).toEqual(names);
});
