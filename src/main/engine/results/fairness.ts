import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell, Comparison } from '../../../shared/model/result.ts';
import { errorRate } from '../../../shared/model/result-words.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { Durability, TargetDescription } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatDuration, formatLevels, formatShort } from '../../../shared/util/format.ts';
import type { ComparedSession } from './pair-cells.ts';

/** Things that are named in one sentence. */
const NAMED = 5;
/** Data that are larger by less than this share cost the same. */
const SAME_SIZE = 0.1;

const warning = (code: string, message: string, next: string): Finding => ({ code, severity: 'warn', message, next });

/** `what` of both sides, where they differ: both are known, and not the same. */
function differing<Value>(one: Value | undefined, other: Value | undefined): readonly [Value, Value] | undefined {
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

function named(what: readonly string[]): string {
  const more = what.length - NAMED;
  return `${what.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What makes a comparison of two sessions unfair, in plain sentences, the gravest first; nothing where all of it is equal. */
export function unfairness(
  a: ComparedSession,
  b: ComparedSession,
  settings: Comparison['settings'],
  cells: readonly ComparedCell[],
): Finding[] {
  return [
    ...severalChanges(a, b, settings),
    ...differentDurability(a, b, cells),
    ...differentServers(a.detail, b.detail),
    ...differentWorkloads(a, b),
    ...differentData(a, b),
    ...differentTimes(a, b),
    ...differentTools(a.detail, b.detail),
    ...differentGenerators(a.detail, b.detail),
  ];
}

const serverOf = ({ target }: SessionDetail): string | undefined => versionWords(target?.description);
const behindOf = ({ target }: SessionDetail): string | undefined =>
  target?.description && (versionWords(target.description.middleware) ?? 'nothing');

const versionWords = (server: (Pick<TargetDescription, 'product'> & { version?: string | undefined }) | undefined) =>
  server && [server.product, server.version].filter(Boolean).join(' ');

const cpuOf = ({ hosts }: SessionDetail): string =>
  hosts.map(({ facts }) => `${facts?.cpuCount}${facts?.cpuModel}`).join();
const toolOf = ({ session, toolVersion }: SessionDetail): string => `${session.tool} ${toolVersion ?? ''}`;

/** Options in force that differ, without those that either session varies. */
function differentOptions(
  a: ComparedSession,
  b: ComparedSession,
): { title: string; values: readonly [string, string] }[] {
  const varied = new Set(
    [a, b].flatMap(({ detail }) => detail.experiment.factors.map(({ name, option }) => option ?? name)),
  );
  const [left, right] = [a, b].map(({ workload }) => workload?.options ?? new Map()) as [Options, Options];
  return [...left].flatMap(([name, { title, value }]) => {
    const values = varied.has(name) ? undefined : differing(value, right.get(name)?.value);
    return values ? [{ title, values }] : [];
  });
}
type Options = NonNullable<ComparedSession['workload']>['options'];

/** With one change a difference has one cause to be looked for; with several none of them can be named. */
function severalChanges(a: ComparedSession, b: ComparedSession, settings: Comparison['settings']): Finding[] {
  const changed = [
    ...(differing(serverOf(a.detail), serverOf(b.detail)) ? ['server'] : []),
    ...(differing(behindOf(a.detail), behindOf(b.detail)) ? ['what is in front of the server'] : []),
    ...settings.filter(({ rank }) => rank === 'matters').map(({ name }) => name),
    ...differentOptions(a, b).map(({ title }) => title),
    ...(toolOf(a.detail) === toolOf(b.detail) ? [] : ['tool']),
    ...(cpuOf(a.detail) === cpuOf(b.detail) ? [] : ['generators']),
  ];
  if (changed.length < 2) return [];
  return [
    warning(
      'several-differences',
      `${formatCount(changed.length, 'thing')} differ at once: ${named(changed)}.`,
      'A difference cannot be put down to one of them. Change one thing at a time.',
    ),
  ];
}

function differentServers(a: SessionDetail, b: SessionDetail): Finding[] {
  const servers = differing(serverOf(a), serverOf(b));
  const behind = differing(behindOf(a), behindOf(b));
  return [
    ...(servers
      ? [
          warning(
            'different-servers',
            `The server differs: ${servers.join(' and ')}.`,
            'Defaults change from version to version: look through the settings that differ.',
          ),
        ]
      : []),
    ...(behind
      ? [
          warning(
            'different-middleware',
            `What is between tool and server differs: ${behind.join(' and ')}.`,
            'Compare with the same on both sides, unless that is the question.',
          ),
        ]
      : []),
  ];
}

/** Longer values, as scripts and statements are, would hide the sentence that they stand in. */
const LONGEST_VALUE = 40;

const shortValues = (values: readonly string[]): string =>
  values.some((value) => value.length > LONGEST_VALUE || value.includes('\n')) ? '' : ` (${values.join(' and ')})`;

function differentWorkloads(a: ComparedSession, b: ComparedSession): Finding[] {
  if (a.detail.session.tool !== b.detail.session.tool) return [];
  const accesses = differing(a.workload?.accesses, b.workload?.accesses);
  const options = differentOptions(a, b).map(({ title, values }) => `${title}${shortValues(values)}`);
  return [
    ...(options.length > 0
      ? [
          warning(
            'different-workloads',
            `The workload differs in ${named(options)}.`,
            'The two sides do different work. Compare them only to see the effect of this difference.',
          ),
        ]
      : []),
    ...(accesses
      ? [
          warning(
            'different-distributions',
            `Accesses are distributed differently: ${accesses.join(', and ')}.`,
            'How many of them meet a cache depends on it. Use the same distribution for both.',
          ),
        ]
      : []),
  ];
}

function differentData(a: ComparedSession, b: ComparedSession): Finding[] {
  const data = differing(a.workload?.data, b.workload?.data);
  const [one = 0, other = 0] = [a, b].map(({ detail }) => detail.target?.description?.dataBytes);
  const [less, more] = [Math.min(one, other), Math.max(one, other)];
  const sizes =
    less > 0 && more > less * (1 + SAME_SIZE)
      ? `${formatBytes(one)} and ${formatBytes(other)} in the database`
      : undefined;
  if (!data && !sizes) return [];
  return [
    warning(
      'different-data',
      `The data differ: ${data ? data.join(', and ') : sizes}.`,
      'What fits into memory on one side may not on the other. Compare with the same data.',
    ),
  ];
}

function differentTimes(a: ComparedSession, b: ComparedSession): Finding[] {
  const cuts = differing(a.result.warmup, b.result.warmup);
  const { duration } = a.detail.experiment.measure;
  const longer = differing(duration, b.detail.experiment.measure.duration);
  return [
    ...(cuts
      ? [
          warning(
            'different-warm-ups',
            `The warm-up differs: the first ${cuts.map(formatDuration).join(' and ')} of each run are excluded.`,
            'The side with the shorter one may still have been warming up. Set the same cut for both.',
          ),
        ]
      : []),
    ...(longer
      ? [
          warning(
            'different-durations',
            `The runs are not equally long (${longer.map(formatDuration).join(' and ')}), so they saw different parts of warming up.`,
            'Compare runs of the same length.',
          ),
        ]
      : []),
  ];
}

function differentTools(a: SessionDetail, b: SessionDetail): Finding[] {
  if (a.session.tool !== b.session.tool) {
    return [
      warning(
        'different-tools',
        'The sessions were measured with different tools.',
        'Figures of different tools count different things.',
      ),
    ];
  }
  if (a.toolVersion === b.toolVersion) return [];
  return [
    warning(
      'different-tool-versions',
      `The tool differs: ${a.toolVersion ?? 'unknown'} and ${b.toolVersion ?? 'unknown'}.`,
      'Repeat one of them with the same version.',
    ),
  ];
}

function differentGenerators(a: SessionDetail, b: SessionDetail): Finding[] {
  if (cpuOf(a) === cpuOf(b)) return [];
  return [
    warning(
      'different-generators',
      'The load came from machines with different CPUs.',
      'Use the same generator for both.',
    ),
  ];
}

const LEVELS: Readonly<Record<Durability['level'], string>> = {
  safe: 'safe',
  relaxed: 'relaxed',
  unsafe: 'unsafe',
  unknown: 'not known',
};

/** Cells that do not promise the same after a power cut: the one that promises less is faster for that. */
export function differentDurability(
  a: Pick<ComparedSession, 'durability'>,
  b: Pick<ComparedSession, 'durability'>,
  cells: readonly ComparedCell[],
): Finding[] {
  const found = cells.flatMap(({ baseline, other }) => {
    const [one, two] = [baseline && a.durability?.(baseline.levels), other && b.durability?.(other.levels)];
    return one && two && one.level !== two.level ? [{ one, two, levels: other?.levels ?? {} }] : [];
  });
  const [first] = found;
  if (!first) return [];
  const some = found.length < cells.length ? ` in ${formatCount(found.length, 'cell')}` : '';
  const isOne = some === '' && new Set(found.map(({ one, two }) => `${one.level} ${two.level}`)).size === 1;
  const other = isOne ? 'the other' : formatLevels(first.levels) || 'the other';
  return [
    warning(
      'different-durability',
      `Durability differs${some}: ${LEVELS[first.one.level]} in the baseline, ${LEVELS[first.two.level]} in ${other}. Baseline: ${first.one.why} Other: ${first.two.why}`,
      'What does not wait for the disk is faster for that alone. Compare with the same durability on both sides.',
    ),
  ];
}

/** Errors of the cells that meet: those whose rates differ, and that there were any. `differ`: whether they do, in the order of the cells. */
export function errorFindings(cells: readonly ComparedCell[], differ: readonly boolean[]): Finding[] {
  const unlike = cells.filter((_, index) => differ[index]);
  if (unlike.length > 0) {
    const rate = (cell: ComparedCell['other']): string => formatShort((cell && errorRate(cell)) ?? 0);
    const words = unlike.map(
      ({ levels, baseline, other }) =>
        `${formatLevels(levels) || 'the only cell'} from ${rate(baseline)} to ${rate(other)} per s`,
    );
    return [
      warning(
        'errors-differ',
        `Errors differ in ${formatCount(unlike.length, 'cell')}: ${named(words)}.`,
        'Failed operations are not completed work: examine the errors before comparing figures.',
      ),
    ];
  }
  const erroneous = cells.filter(({ baseline, other }) => baseline && other && baseline.errors + other.errors > 0);
  if (erroneous.length === 0) return [];
  return [
    {
      code: 'errors-compared',
      severity: 'note',
      message: `There were errors in ${formatCount(erroneous.length, 'cell')} compared: ${named(erroneous.map(({ levels }) => formatLevels(levels) || 'the only cell'))}.`,
      next: 'Their rates cannot be told apart, but failed operations are not completed work.',
    },
  ];
}
