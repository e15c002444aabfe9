import { expect, test } from 'vitest';
import { KINDS, kindChooser, kindsOf, MIX_NAMES, MIXES, type Mix } from './mixes.ts';
import { randomOf } from './random.ts';

test.each(MIX_NAMES)('mix %s draws its kinds in the shares it is defined with', (name) => {
  const mix: Mix = MIXES[name];
  const choose = kindChooser(mix);
  const random = randomOf(9, 0);
  const counts = KINDS.map(() => 0);
  for (let draw = 0; draw < 100_000; draw += 1) {
    const kind = choose(random());
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  KINDS.forEach((kind, index) => {
    const share = mix.shares[kind] ?? 0;
    expect(Math.abs((counts[index] ?? 0) / 100_000 - share)).toBeLessThanOrEqual(
      share === 0 || share === 1 ? 0 : 0.006,
    );
  });
  expect(kindsOf(name)).toEqual(KINDS.filter((kind) => kind in mix.shares));
});
