import type { Bound, BoundVerdict, OperationCost } from '../../model/analysis.ts';
import type { Finding } from '../../model/finding.ts';
import { formatCount, formatFigure } from '../../util/format.ts';
import { found, type PlainCheck } from '../check.ts';

/** A side of a comparison, as far as its series describe it. */
export interface ComparedSide {
  /** Its name in the comparison. */
  readonly name: string;
  readonly bound?: Pick<Bound, 'verdict' | 'sentence'>;
  readonly costs?: readonly OperationCost[];
  /** I/Os that the load keeps in flight. */
  readonly queueDepth?: number;
}

/** Reads or writes per operation that differ by this factor, and by at least this many. */
const UNEQUAL = { factor: 1.5, least: 0.05 };
const GENERATORS: readonly BoundVerdict[] = ['generator-cpu', 'generator-core', 'generator-network'];

const BY_GENERATOR = {
  code: 'bound-by-generator',
  title: 'Limited by the load generator',
  severity: 'warn',
  when: 'comparison',
  traps: ['T24', 'T26'],
  why: 'The load generator was saturated, so throughput shows its limit. The comparison reveals nothing about the servers.',
  avoid: 'Measure again with more or larger generators before you rank these results.',
} satisfies PlainCheck;
const BY_NETWORK = {
  code: 'bound-by-network',
  title: 'Limited by the network',
  severity: 'warn',
  when: 'comparison',
  traps: ['T23'],
  why: 'The link was saturated, so it limits both sides. Faster and slower servers then look the same.',
  avoid: 'Measure again with a faster link or smaller responses before you rank these results.',
} satisfies PlainCheck;
const DIFFERENT_BOUNDS = {
  code: 'bounded-unlike',
  title: 'Limited by different resources',
  severity: 'note',
  when: 'comparison',
  traps: ['T06', 'T71'],
  why: 'One side was limited by one resource, the other by another. A ratio between them holds only for this balance of the two.',
  avoid: 'Report what limited each side.',
} satisfies PlainCheck;
const DIFFERENT_IO = {
  code: 'io-per-operation-differs',
  title: 'I/O per operation differs',
  severity: 'warn',
  when: 'comparison',
  traps: ['T71', 'T41', 'T94'],
  why: 'The same work needed more disk I/O on one side: its cache held other data, or durability differs. Higher throughput then need not mean a faster server.',
  avoid: 'Compare cache sizes, warm-up and what was in memory; repeat with the same state before each run.',
} satisfies PlainCheck;
const QUEUE_DEPTH = {
  code: 'queue-depth-differs',
  title: 'Queue depths differ',
  severity: 'warn',
  when: 'comparison',
  traps: ['T63'],
  why: 'A device completes many parallel I/Os faster than sequential ones. Results at different queue depths describe different uses.',
  avoid: 'Compare at the queue depth of your workload: 1 for a log, many for scans.',
} satisfies PlainCheck;

/** Findings that question a comparison of two sides, from series of hosts and servers. */
export function comparedFindings(one: ComparedSide, other: ComparedSide): Finding[] {
  const sides = [one, other];
  const boundBy = (rule: PlainCheck, verdicts: readonly BoundVerdict[]): Finding[] =>
    sides.flatMap(({ name, bound }) =>
      bound && verdicts.includes(bound.verdict) ? [found(rule, `${name}: ${bound.sentence}`)] : [],
    );
  return [
    ...boundBy(BY_GENERATOR, GENERATORS),
    ...boundBy(BY_NETWORK, ['network']),
    ...differentBounds(one, other),
    ...['reads', 'writes'].flatMap((id) => differentCosts(one, other, id)),
    ...(one.queueDepth !== undefined && other.queueDepth !== undefined && one.queueDepth !== other.queueDepth
      ? [
          found(
            QUEUE_DEPTH,
            `${one.name} keeps ${formatCount(one.queueDepth, 'I/O')} in flight, ${other.name} ${formatCount(other.queueDepth, 'I/O')}.`,
          ),
        ]
      : []),
  ];
}

function differentBounds({ name, bound }: ComparedSide, other: ComparedSide): Finding[] {
  const known = [bound, other.bound].every((each) => each && each.verdict !== 'not-known');
  if (!known || bound?.verdict === other.bound?.verdict) return [];
  return [found(DIFFERENT_BOUNDS, `${name}: ${bound?.sentence ?? ''} ${other.name}: ${other.bound?.sentence ?? ''}`)];
}

function differentCosts(one: ComparedSide, other: ComparedSide, id: string): Finding[] {
  const [first, second] = [one, other].map(({ costs = [] }) => costs.find((cost) => cost.id === id));
  if (!first || !second) return [];
  const [low, high] = [Math.min(first.value, second.value), Math.max(first.value, second.value)];
  if (high - low < UNEQUAL.least || high < UNEQUAL.factor * low) return [];
  const message = `${first.label} per operation: ${formatFigure(first.value, first.digits)} in ${one.name}, ${formatFigure(second.value, second.digits)} in ${other.name}.`;
  return [found(DIFFERENT_IO, message, first.formula)];
}

export const COMPARED_CHECKS = [BY_GENERATOR, BY_NETWORK, DIFFERENT_BOUNDS, DIFFERENT_IO, QUEUE_DEPTH];
