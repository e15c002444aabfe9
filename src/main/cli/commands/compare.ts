import { metricOf } from '../../../shared/metrics/index.ts';
import type { ComparedCounters } from '../../../shared/model/capture.ts';
import type { Levels } from '../../../shared/model/factor.ts';
import type { CellResult, Comparison } from '../../../shared/model/result.ts';
import { comparedWarnings } from '../../../shared/model/result-words.ts';
import { shortDifferences } from '../../../shared/model/settings.ts';
import { moreRepeatsWords, repeatsOf, type Settling, stepOf } from '../../../shared/model/settling.ts';
import { comparedBasis } from '../../../shared/stats/index.ts';
import { formatCount, formatLevels, formatNumber, formatRatio } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, printStatus, slow, table } from '../terminal.ts';
import { type Common, type EngineClient, withEngine, withReader } from '../with-engine.ts';
import { profileText } from './captures.ts';
import { cutOf, findingLine, requireMetric } from './figures.ts';
import { followSession } from './run.ts';

type Options = Common & { metric?: string; margin?: string; against?: string; againstCell?: string; warmup?: string };

/** Compares the sessions of both sides, or with `--against` the levels of one session. */
export async function compareCommand(a: string, b: string | undefined, options: Options): Promise<number> {
  const asked = {
    ...(options.metric !== undefined && { metric: options.metric }),
    ...(options.margin !== undefined && { margin: shareOf(options.margin) }),
    ...cutOf(options.warmup),
  };
  const cell = options.againstCell === undefined ? undefined : idOf(options.againstCell, 'number of a cell') - 1;
  return withReader(options, async (engine) => {
    const comparison =
      b === undefined
        ? await slow((call) =>
            engine.results.compareLevels(
              { sessionId: idOf(a), ...(cell === undefined ? levelOf(options.against) : { cell }), ...asked },
              call,
            ),
          )
        : await slow((call) => engine.results.compare({ ...sidesOf(a, b), baselineCell: cell, ...asked }, call));
    requireMetric(
      options.metric,
      [...comparison.metrics, ...(comparison.runFigures ?? [])],
      b === undefined ? `Session ${a} has` : 'The two sessions share',
    );
    const profiles = await profilesOf(engine, comparison);
    if (options.json) {
      printJson({ ...comparison, ...(profiles.length > 0 && { profiles }) });
      return EXIT.done;
    }
    const { digits, unit } = metricOf(comparison.metric);
    print(
      `Baseline ${a}: ${comparison.baseline.name}\nOther    ${b ?? a}: ${comparison.other.name}\n\n${comparison.verdict}\n`,
    );
    for (const finding of comparison.findings) print(findingLine(finding));
    if (comparison.overall) print(comparison.overall.sentence);
    const isPreceded = comparison.findings.length > 0 || comparison.overall !== undefined;
    print(`${isPreceded ? '\n' : ''}Figures after ${cutWords(comparison)} of each run.`);
    print(
      table(comparison.cells, [
        { title: 'cell', value: (cell) => formatLevels(cell.levels) || '(the only cell)' },
        { title: `baseline ${unit}`, number: true, value: (cell) => formatNumber(cell.baseline?.value, digits) },
        { title: `other ${unit}`, number: true, value: (cell) => formatNumber(cell.other?.value, digits) },
        { title: 'ratio', number: true, value: (cell) => formatRatio(cell.ratio) },
        { title: 'verdict', value: (cell) => cell.sentence },
      ]),
    );
    for (const sentence of [...comparedBasis(comparison), ...comparedWarnings(comparison)]) print(sentence);
    const settling = repeatsOf(comparison);
    if (settling) print(`\n${moreRepeatsWords(settling)} Add them: ${commandOf(comparison.other.id, settling)}`);
    if (comparison.differences.length > 0) {
      print('\nDifferences:');
      for (const difference of comparison.differences)
        print(`  ${difference.what}: ${difference.baseline} → ${difference.other}`);
    }
    for (const { levels, profile } of profiles.slice(0, MOST_PROFILES))
      print(`\n${[formatLevels(levels), profileText(profile, PROFILE_ROWS)].filter(Boolean).join(': ')}`);
    if (profiles.length > MOST_PROFILES) print(`${profiles.length - MOST_PROFILES} more profiles: --json`);
    if (comparison.facts) {
      print('\nCaptured facts:');
      for (const { what, baseline, other, isEqual } of comparison.facts)
        print(`  ${what}: ${isEqual ? `${baseline} (equal)` : `${baseline} → ${other}`}`);
    }
    if (comparison.settings.length > 0) {
      const { listed, sentences } = shortDifferences(comparison.settings);
      print('\nSettings of the targets that differ:');
      for (const setting of listed) print(`  ${setting.name}: ${setting.baseline} → ${setting.other}`);
      for (const sentence of sentences) print(`  ${sentence}`);
    }
    return EXIT.done;
  });
}

/** Maximum profiles printed, and rows of each. */
const MOST_PROFILES = 6;
const PROFILE_ROWS = 15;
/** Maximum runs per side whose counters are read. */
const MOST_RUNS = 50;

/** Counters of both sides of each cell, per operation. Empty without captures that can be divided by operations. */
async function profilesOf(
  { captures }: EngineClient,
  { cells }: Comparison,
): Promise<{ levels: Levels; profile: ComparedCounters }[]> {
  const runsOf = (cell: Pick<CellResult, 'runs'> | undefined): number[] =>
    (cell?.runs ?? []).slice(0, MOST_RUNS).map(({ runId }) => runId);
  const found: { levels: Levels; profile: ComparedCounters }[] = [];
  for (const { levels, baseline, other } of cells) {
    const [ofOne, ofOther] = [runsOf(baseline), runsOf(other)];
    if (ofOne.length === 0 || ofOther.length === 0) continue;
    const all = await captures.compare({ one: ofOne, other: ofOther });
    found.push(...all.filter(({ rows }) => rows.length > 0).map((profile) => ({ levels, profile })));
  }
  return found;
}

const commandOf = (id: number, settling: Settling): string =>
  `kneepoint repeat ${id} --add ${stepOf(settling).repeats}${(settling.cells ?? []).map((cell) => ` --cell ${cell + 1}`).join('')}`;

const cutWords = ({ warmup: { baseline, other } }: Comparison): string =>
  baseline === other ? `${baseline} s` : `${baseline} s (baseline) and ${other} s (other)`;

/** `7,8,9` is session 7 with two more of the same set-up. */
function sidesOf(a: string, b: string) {
  const [[baselineId = 0, ...baselineMore], [otherId = 0, ...otherMore]] = [a, b].map((side) =>
    side.split(',').map((id) => idOf(id)),
  ) as [number[], number[]];
  return { baselineId, baselineMore, otherId, otherMore };
}

/** Converts per cent to a share. */
function shareOf(percent: string): number {
  const share = Number(percent) / 100;
  if (percent.trim() !== '' && share > 0 && share <= 1) return share;
  throw new UsageError(`--margin takes a percentage above 0 and up to 100, as in --margin 3, not “${percent}”.`);
}

function levelOf(against: string | undefined): { factor: string; level: string } {
  const [, factor = '', level = ''] = /^(.+?)=(.*)$/s.exec(against ?? '') ?? [];
  if (factor) return { factor, level };
  throw new UsageError(
    'To compare the levels of one session, specify the baseline, as in --against threads=1, or a cell with --against-cell. Or specify a second session.',
  );
}

interface LevelsOptions extends Common {
  beside?: string[];
  confirm?: string[];
}

/** Levels are written as in a document. Cell numbers count from 1, as displayed. */
export async function levelsCommand(
  id: string,
  factor: string,
  levels: readonly string[],
  options: LevelsOptions,
): Promise<number> {
  const sessionId = idOf(id);
  const baseCells = options.beside?.map((cell) => idOf(cell, 'number of a cell') - 1);
  return withEngine(options, async (engine) => {
    const { session: before } = await engine.sessions.get({ id: sessionId });
    const session = await engine.sessions.addLevels({
      id: sessionId,
      factor,
      levels: levels.join(', '),
      destroy: options.confirm ?? [],
      ...(baseCells && { baseCells }),
    });
    const cells = formatCount(session.cells - before.cells, 'cell');
    const trials = formatCount(session.trialsTotal - before.trialsTotal, 'trial');
    printStatus(`Adding ${cells} to session ${session.id}: ${session.name}. ${trials}.`);
    return followSession(engine, session.id, options);
  });
}
