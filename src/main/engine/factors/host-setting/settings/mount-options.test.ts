import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areInEffect, backTo, notUndoable, splitOptions, withOptions } from './mount-options.ts';

describe('mount options in effect', () => {
  it.each([
    ['noatime', 'rw,noatime'],
    ['relatime,nodev', 'rw,nodev,relatime'],
    ['strictatime', 'rw,nosuid'],
    ['atime', 'rw'],
    ['barrier', 'rw,relatime'],
    ['nodiscard', 'rw'],
    ['size=2m', 'rw,size=2048k'],
    ['size=1g', 'rw,size=1048576k'],
    ['commit=30', 'rw,commit=30'],
    ['rw,async,exec', 'rw'],
    ['data=ordered', 'rw,context="a,b=c",data=ordered'],
  ])('include %s if %s is shown', (desired, shown) => {
    expect(areInEffect(desired, shown)).toBe(true);
  });

  it.each([
    ['noatime', 'rw,relatime'],
    ['relatime', 'rw,norelatime'],
    ['strictatime', 'rw,relatime'],
    ['barrier', 'rw,nobarrier'],
    ['nobarrier', 'rw'],
    ['nodiscard', 'rw,discard'],
    ['discard', 'rw'],
    ['ro', 'rw'],
    ['commit=30', 'rw,commit=300'],
    ['commit=30', 'rw'],
    ['size=2m', 'rw,size=2048'],
    ['noatime,sync', 'rw,noatime'],
    ['nonsense', 'rw'],
    ['b=c', 'rw,context="a,b=c"'],
  ])('do not include %s if %s is shown', (desired, shown) => {
    expect(areInEffect(desired, shown)).toBe(false);
  });
});

it('changes some options and keeps all the others', () => {
  expect(withOptions('rw,nosuid,relatime,commit=5', 'noatime,commit=30')).toBe('rw,nosuid,noatime,commit=30');
  expect(withOptions('ro,discard', 'rw,nodiscard')).toBe('rw,nodiscard');
  expect(withOptions('rw,context="a,b",sync', 'async')).toBe('rw,context="a,b",async');
});

it('restores the options shown before, and defaults that were not shown', () => {
  expect(backTo('rw,relatime', 'rw,noatime')).toBe('rw,relatime');
  expect(backTo('rw', 'rw,noatime')).toBe('rw,strictatime');
  expect(backTo('rw,relatime', 'rw,relatime,discard,nobarrier,commit=30,sync')).toBe(
    'rw,relatime,nodiscard,barrier,commit=0,async',
  );
  expect(backTo('rw,discard,size=1024k,relatime', 'rw,size=2048k,noatime')).toBe('rw,discard,size=1024k,relatime');
});

it('names options that could not be restored', () => {
  expect(notUndoable('noatime,commit=30,size=2m,stripe=4', 'rw,size=1024k')).toEqual(['stripe=4']);
});

it('recognizes its own options, for any mount and any options of a file system', () => {
  const options = fc.uniqueArray(
    fc.constantFrom('noatime', 'nodev', 'nosuid', 'discard', 'nobarrier', 'commit=30', 'size=4k', 'lazytime'),
  );
  fc.assert(
    fc.property(
      options,
      options.filter((each) => each.length > 0),
      (first, desired) => {
        const changed = withOptions(['rw', ...first].join(','), desired.join(','));
        expect(areInEffect(desired.join(','), changed)).toBe(true);
        const back = splitOptions(backTo(['rw', ...first].join(','), changed));
        for (const option of first) expect(back).toContain(option);
        expect(new Set(back).size).toBe(back.length);
      },
    ),
  );
});
