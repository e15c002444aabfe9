import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorRates, holds, QUIET, type Rate } from '../src/main/engine/comparing/testing/error-rates.ts';
import { WORLDS } from '../src/main/engine/figures/testing/worlds.ts';
import type { BenchRow } from './row.ts';

const TIMES = 2000;
const SEED = 7;
const PAGE = path.join(import.meta.dirname, '..', 'docs', 'statistics', 'error-rates.md');
const MARKS = [
  '<!-- error rates: made by `npm run bench -- error-rates --write` -->',
  '<!-- end of error rates -->',
] as const;

/** False alarms, coverage and power in simulated worlds; with `--write` also as the table of `docs/statistics/error-rates.md`. */
export async function run(): Promise<BenchRow[]> {
  const rates = [...errorRates(TIMES, SEED, { worlds: WORLDS })];
  if (process.argv.includes('--write')) writeTable(rates);
  return rates.map((rate) => ({
    name: `${rate.what}: ${rate.world}, ${rate.how}, ${rate.cells} × ${rate.repeats}`,
    value: rate.share * 100,
    unit: '%',
    goal: boundsOf(rate),
    ...(!holds(rate) && { note: 'outside' }),
  }));
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function boundsOf({ least, most }: Rate): string {
  if (least !== undefined && most !== undefined) return `${percent(least)} to ${percent(most)}`;
  return least === undefined ? `≤ ${percent(most ?? 1)}` : `≥ ${percent(least)}`;
}

const REPEATS = [2, 3, 5, 10];

function writeTable(rates: readonly Rate[]): void {
  const text = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = text.split(`${MARKS[0]}\n`);
  const after = rest.split(MARKS[1])[1] ?? '';
  const others = rates.filter(({ how }) => how !== 'one session');
  const tables = [
    `Seed ${SEED}, ${TIMES} simulations of one cell, ${TIMES / 2} of ten, ${TIMES / 5} of fifty.`,
    'False alarms among the cells of one session measured in turns, nothing to find; the highest of 1, 10 and 50 cells:',
    table(
      ['World', ...REPEATS.map((each) => `${each} repeats`)],
      WORLDS.map(({ name, words }) => [words, ...REPEATS.map((each) => highest(rates, name, each))]),
    ),
    'How often a 95 % interval holds the truth (of a ratio / of the rate itself), one cell:',
    table(
      ['World', ...REPEATS.map((each) => `${each} repeats`)],
      WORLDS.filter(({ name }) => rates.some(({ what, world }) => what === 'interval of a rate' && world === name)).map(
        ({ name, words }) => [words, ...REPEATS.map((each) => coverage(rates, name, each))],
      ),
    ),
    'The rest:',
    table(
      ['World', 'What is compared', 'What is counted', 'Share', 'Bound'],
      [...Map.groupBy(others, (rate) => `${rate.world} ${rate.what} ${boundsOf(rate)}`).values()].map(rowOfAlike),
    ),
  ];
  writeFileSync(PAGE, `${before}${MARKS[0]}\n\n${tables.join('\n\n')}\n\n${MARKS[1]}${after}`);
}

/** Rates of one kind with one bound in one world. */
function rowOfAlike(alike: readonly Rate[]): string[] {
  const [first] = alike;
  if (!first) return [];
  const shares = alike.map(({ share }) => share);
  const [lowest, highest] = [Math.min(...shares), Math.max(...shares)].map(percent);
  return [
    WORLDS.find(({ name }) => name === first.world)?.words ?? QUIET.words,
    alike
      .map(({ how, cells, repeats }) => `${how}, ${cells} ${cells === 1 ? 'cell' : 'cells'} × ${repeats}`)
      .join('; '),
    COUNTED[first.what],
    lowest === highest ? `${lowest}` : `${lowest} to ${highest}`,
    boundsOf(first),
  ];
}

const COUNTED: Readonly<Record<Rate['what'], string>> = {
  'false alarms': 'a difference called real, with nothing to find',
  'no verdict': 'better or worse, where no verdict may be given',
  'same at the margin': 'called no difference',
  'interval of a ratio': 'interval of the ratio holds the truth',
  'interval of a rate': 'interval of the rate holds the truth',
  found: 'found',
};

const highest = (rates: readonly Rate[], world: string, repeats: number): string =>
  percent(
    Math.max(
      ...rates
        .filter((rate) => rate.what === 'false alarms' && rate.how === 'one session')
        .filter((rate) => rate.world === world && rate.repeats === repeats)
        .map(({ share }) => share),
    ),
  );

const coverage = (rates: readonly Rate[], world: string, repeats: number): string =>
  (['interval of a ratio', 'interval of a rate'] as const)
    .map((what) => rates.find((rate) => rate.what === what && rate.world === world && rate.repeats === repeats))
    .map((rate) => (rate ? percent(rate.share) : '–'))
    .join(' / ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
