import { expect, it } from 'vitest';
import { checkDocument } from './index.ts';
import { checkContext } from './testing/probe.ts';

const findings = (stop: string, repeats: number, factors = ''): string[] =>
  (
    checkDocument(
      `kneepoint: 1
name: Stopped
workload: { tool: probe }
where: {}
measure: { duration: 10, repeats: ${repeats}, stop: ${stop} }
${factors}`,
      checkContext,
    ).plan?.findings ?? []
  )
    .filter(({ code }) => code === 'stop-without-effect')
    .map(({ message }) => message);

const PRICED = 'factors: [{name: volume, kind: price, levels: [{name: gp3, price: {amount: 80}}]}]';

it('reports stop rules that cannot take effect, and no others', () => {
  expect(findings('{ minutes: 5, interval: 2% }', 10)).toEqual([]);
  expect(findings('{ interval: 2 }', 3)).toEqual([
    expect.stringContaining('it needs more than 3 repeats, but there are 3'),
  ]);
  expect(findings('{ cost: 5 }', 1)).toEqual([expect.stringContaining('no level has one')]);
  expect(findings('{ cost: 5 }', 1, PRICED)).toEqual([]);
});
