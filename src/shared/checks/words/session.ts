import type { Check } from '../check.ts';

const check = (
  code: string,
  title: string,
  severity: Check['severity'],
  traps: readonly string[],
  why: string,
  avoid: string,
): Check => ({ code, title, severity, when: 'session', traps, why, avoid });

/** What the throughput of all runs together shows. */
export const SESSION_CHECKS: readonly Check[] = [
  check(
    'not-settled',
    'Throughput had not settled',
    'warn',
    ['T48', 'T47', 'T57'],
    'Throughput rises or falls through the measured time by more than its noise explains. Its mean then depends on how long was measured.',
    'Move the warm-up cut to where it settles, or measure longer.',
  ),
  check(
    'level-change',
    'Throughput changed to another level',
    'warn',
    ['T43', 'T46'],
    'One level before a second, another after it: a cache that was full, a checkpoint, another load. The mean is of two states.',
    'See what happened then in the series of hosts and server.',
  ),
  check(
    'uneven',
    'Throughput is not steady',
    'warn',
    ['T43', 'T46', 'T52'],
    'A stretch of the run, or several short ones, lies 10 % or more from the usual throughput, and by more than noise explains. The mean depends on how much of it falls into a run.',
    'Look at that stretch in the series of hosts and server, and measure long enough that it occurs several times in each run.',
  ),
  check(
    'periodic-dips',
    'Dips at regular intervals',
    'warn',
    ['T54', 'T52'],
    'Checkpoints, flushing and garbage collection recur. The mean depends on how many of them fall into a run.',
    'Measure for several of their periods.',
  ),
  check(
    'settling-unknown',
    'Cannot tell whether throughput had settled',
    'note',
    ['T48'],
    'Too few values, or values that vary too much, show neither a trend nor its absence. That is not “settled”.',
    'Measure longer, or with three or more repeats.',
  ),
  check(
    'canary-drift',
    'The canary drifts',
    'warn',
    ['T40', 'T95'],
    'The same cell was measured again and again, and became faster or slower. Cells measured late are compared with cells measured early.',
    'Compare only cells that were measured in turns, and find what changes with time.',
  ),
  check(
    'trend-over-trials',
    'Figures follow the order of trials',
    'warn',
    ['T40', 'T37'],
    'Something filled up, warmed up or slowed down during the session. Differences between cells may be differences between times.',
    'Measure in turns, with a longer warm-up or fresh data.',
  ),
  check(
    'hardly-measured',
    'A run ended well and measured next to nothing',
    'warn',
    [],
    'A link, a server or a lock hung, and the tool ended without an error: fewer than three events, values for less than half of its time, or less than a tenth of the rate of the other repeats. It is in the figures of its cell until a person excludes it.',
    'Look at its output. If something broke, exclude it with the reason, or have it measured again in its place.',
  ),
  check(
    'runs-excluded',
    'Runs were excluded',
    'note',
    [],
    'A person has excluded runs from the figures, and said why. What they measured is kept and shown beside.',
    'Read the reasons before you rely on the figures.',
  ),
  check(
    'found-differs-in-cell',
    'Repeats of one cell found under several values',
    'warn',
    ['T72', 'T76'],
    'A setting was read back with different values in the repeats of one cell. Their mean is of two set-ups.',
    'Find what changes the setting, and repeat the cell.',
  ),
];
