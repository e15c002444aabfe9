import { expect, it } from 'vitest';
import { cutInside, inLines, shortLabels } from './labels.ts';

it('cuts long names in the middle', () => {
  expect(cutInside('m5.large', 20)).toBe('m5.large');
  expect(cutInside('EBS Provisioned IOPS SSD io2, 16,000 IOPS', 20)).toBe('EBS Provis…,000 IOPS');
});

it('never gives two names one label', () => {
  const names = ['a', 'b', 'c'].map((letter) => `The same long beginning of it ${letter} and the same long end of it`);
  const labels = shortLabels([...names, 'short'], 24);
  expect(new Set(labels).size).toBe(4);
  for (const label of labels) expect(label.length).toBeLessThanOrEqual(24);
});

it('breaks between words, and inside of one that is too long', () => {
  expect(inLines('two words and more', 10)).toBe('two words\nand more');
  expect(inLines('standard-16-vcpu-64-gib', 10)).toBe('standard-1\n6-vcpu-64-\ngib');
});
