import type { Check } from '../check.ts';

const check = (
  code: string,
  title: string,
  severity: Check['severity'],
  traps: readonly string[],
  why: string,
  avoid: string,
): Check => ({ code, title, severity, when: 'start', traps, why, avoid });

/** Checks of load generators. */
const GENERATORS: readonly Check[] = [
  check(
    'same-machine',
    'Load generator and target on one machine',
    'warn',
    ['T22', 'T36'],
    'They compete for CPU time, and the network is not measured. Figures then hold for this set-up only.',
    'For figures about the server alone, generate the load on another machine.',
  ),
  check(
    'many-threads-per-core',
    'Many threads per core',
    'note',
    ['T26', 'T101'],
    'With more than 16 threads or clients per core, the load tool itself waits for CPU time. Its latencies then include this wait.',
    'Use a generator with more cores, or several generators.',
  ),
  check(
    'cpu-governor',
    'CPU governor follows the load',
    'note',
    ['T50'],
    'Clock speed follows the load. Trials with little load then run on a slower CPU.',
    'Set the governor to “performance” during the measurement.',
  ),
  check(
    'no-aes',
    'Encryption without AES instructions',
    'warn',
    ['T80'],
    'Without AES instructions, encryption may cost many times as much CPU on the generator. Less CPU is then left to generate load.',
    'Use a generator with AES instructions, or turn encryption off if it is not under test.',
  ),
  check(
    'load-divided',
    'Load divided between generators',
    'note',
    ['T30'],
    'Threads, clients and rates of the experiment are totals over all generators. Rates are added up; percentiles cannot be combined.',
    'See the command of each generator for its share.',
  ),
];

/** Exceeded limits fail in the middle of a ladder, with only a number as the reason. */
const LIMITS: readonly Check[] = [
  check(
    'open-files-limit',
    'Limit of open files',
    ['block', 'warn'],
    ['T29', 'T35'],
    'Each connection is an open file of the load tool, and the account has a limit. Beyond it, the tool fails partway through the load levels.',
    'Raise nofile for the account on the generator, or use more generators.',
  ),
  check(
    'threads-limit',
    'Limit of threads',
    ['block', 'warn'],
    ['T27', 'T29'],
    'The account or its control group has a limit of processes and threads. If a thread cannot be created, the tool ends when the load begins.',
    'Raise nproc or TasksMax on the generator, or use more generators.',
  ),
  check(
    'ports-limit',
    'Limit of local ports',
    ['block', 'warn'],
    ['T28'],
    'A host has 28,232 ports by default for connections to one address and port. More connections than that cannot be opened.',
    'Widen net.ipv4.ip_local_port_range, or connect to several addresses of the server.',
  ),
  check(
    'tool-limit',
    'Known limit of the tool',
    'warn',
    ['T27'],
    'Some versions of load tools fail beyond a certain number of connections. The limit is documented.',
    'Divide the connections between more generators.',
  ),
  check(
    'max-connections',
    'Connection limit of the target',
    ['block', 'warn'],
    ['T29'],
    'The server refuses connections beyond its own limit. Cells that open more fail.',
    'Raise max_connections on the target, or use fewer threads or clients.',
  ),
  check(
    'pooler-clients',
    'Client limit of the proxy',
    ['block', 'warn'],
    ['T29'],
    'The pooler or proxy refuses clients beyond its own limit, or makes them wait. Cells that open more fail.',
    'Raise the limit (max_client_conn of PgBouncer, maxconn of HAProxy), or use fewer threads or clients.',
  ),
  check(
    'pool-smaller-than-clients',
    'Session pooling with more clients than connections',
    'warn',
    ['T20'],
    'With session pooling, a client keeps its server connection until it disconnects, so the others wait for the whole run. Throughput then depends on the pool size.',
    'Make the pool as large as the number of clients, or use transaction pooling.',
  ),
  check(
    'pool-mode-unfit',
    'Pool mode unsuitable for the workload',
    ['block', 'warn'],
    ['T20'],
    'Statement pooling breaks transactions of several statements; transaction and statement pooling break prepared statements, unless the pooler keeps them (max_prepared_statements). Every trial of such a cell fails, or measures errors.',
    'Choose a pool mode or protocol that supports the workload. To start anyway, type the phrase that the finding shows.',
  ),
];

/** Measurements of cells that differ from what their names suggest. */
const CELLS: readonly Check[] = [
  check(
    'setting-without-effect',
    'Setting without effect in some cells',
    ['block', 'warn'],
    ['T84'],
    'Some settings work only with another one: sync_binlog needs a binary log, commit_siblings needs commit_delay. Cells that differ only in such a setting measure the same thing under different labels.',
    'Turn on the setting that it depends on, or use “when” to vary it only in cells where that one is on. To start anyway, type the phrase that the finding shows.',
  ),
  check(
    'results-cached',
    'Reads served from a result cache',
    'warn',
    ['T19'],
    'A query cache serves repeated reads without executing them, and on some servers its results may be stale. Reads inside transactions rarely use it, so the figures mix cache and server.',
    'Turn it off to measure the server; to measure the cache, read outside transactions.',
  ),
];

/** Guarantees of the target, and length and number of measurements. */
const MEASUREMENT: readonly Check[] = [
  check(
    'durability',
    'Durability of the target',
    ['warn', 'note'],
    ['T75', 'T84'],
    'Without log flushes or doublewrite, a server is faster. It can then lose or damage acknowledged data.',
    'Compare only with systems of equal durability.',
  ),
  check(
    'long-round-trip',
    'High latency to the target',
    'note',
    ['T32', 'T36'],
    'A statement takes at least one round trip, measured by the generator’s kernel before the start. With few clients, results then depend on the network, and a faster server changes little.',
    'Measure from a host nearer to the server, or with enough clients.',
  ),
  check(
    'hop-in-between',
    'Pooler or proxy between generator and server',
    'note',
    ['T32'],
    'It adds a network hop and its own work to each statement. The effect is visible with few clients and hardly with many.',
    'Compare at several numbers of clients, with and without it.',
  ),
  check(
    'old-tls-library',
    'Old TLS library with many connections',
    'warn',
    ['T34'],
    'OpenSSL 1.0 stops scaling beyond about 32 connections; 1.1 and later scale. The load curve then shows the limit of the library.',
    'Use a server with a later library, or report the library with the result.',
  ),
  check(
    'few-repeats',
    'Fewer than three repeats',
    'note',
    ['T65', 'T66'],
    'In a single run, noise cannot be distinguished from a difference. Intervals need repeats.',
    'Use three or more repeats.',
  ),
  check(
    'short-duration',
    'Trials shorter than 30 s',
    'note',
    ['T57', 'T48'],
    'Databases with a log and a cache need minutes to settle. Shorter trials measure the transition.',
    'Measure for minutes; longer for flash and write workloads.',
  ),
  check(
    'steadiness-too-short',
    'Trials too short for steadiness',
    'warn',
    ['T56'],
    'Measuring variation from second to second takes 20 s or longer. For shorter trials, the answer is based on throughput although the document asks for steadiness.',
    'Measure for 20 s or longer, or choose throughput as the answer.',
  ),
  check(
    'no-warm-up',
    'No warm-up',
    'note',
    ['T47', 'T41'],
    'Figures include the first seconds, with cold caches. They lower the mean of a short run.',
    'Set a warm-up, or move the cut in the results.',
  ),
  check(
    'repeats-in-a-row',
    'Consecutive repeats',
    'note',
    ['T40'],
    'A slow drift of the machine affects cells measured later. It then looks like a difference between cells.',
    'Use the order “rounds” or “shuffled”.',
  ),
  check(
    'odd-rounds',
    'Odd number of interleaved rounds',
    'note',
    ['T40'],
    'Interleaved rounds cancel a steady drift in pairs, forwards and backwards. With an odd number, the last round has no counterpart.',
    'Use an even number of repeats.',
  ),
  check(
    'fixed-seed',
    'Same random values in all trials',
    'warn',
    ['T04'],
    'From the second trial on, including later sessions, an UPDATE writes values that its rows already have, which costs less. Reads hit rows that the previous trial left in memory.',
    'Leave “Random values” at per-trial.',
  ),
];

/** Things that a start could destroy or leave behind: known once the preflight has checked hosts and servers. */
const SAFETY: readonly Check[] = [
  check(
    'device-refused',
    'Device that must not be overwritten',
    'block',
    ['T44'],
    'Before overwriting a device, Kneepoint checks as root that it is unused and empty: no mount, swap, RAID, volume group, open file, partition table or file system. It checks again right before each launch, including the identity of the device.',
    'Choose an unused device, erase it yourself if its data is not needed, or measure files in a folder.',
  ),
  check(
    'destroy-unconfirmed',
    'Overwriting a device was not confirmed',
    'block',
    ['T44'],
    'All data on an overwritten device is lost. You must type host and device, so that no template can overwrite one on its own.',
    'Type HOST:DEVICE in the preflight, or pass it as --destroy on the command line.',
  ),
  check(
    'destroy-unmeant',
    'Confirmed device is not overwritten',
    'block',
    ['T44'],
    'This experiment does not overwrite the device that was typed. Either the experiment or the device is wrong.',
    'Confirm only devices that the experiment overwrites.',
  ),
  check(
    'device-overwritten',
    'Device that will be overwritten',
    'warn',
    ['T44', 'T43'],
    'Host and device were confirmed, so the start is allowed. All data on the device will be lost.',
    'Check host, model and serial number once more before you start.',
  ),
  check(
    'cannot-undo',
    'Change that cannot be undone',
    ['block', 'warn'],
    ['T51'],
    'Changes that a level makes on a host or server are undone at the end of a session, even after a failure or a stop. This change has no undo, so it would stay in effect for later measurements.',
    'Add an undo command. To start without one, type the name of the change as the finding shows it.',
  ),
  check(
    'cannot-verify',
    'Change that cannot be read back',
    'warn',
    ['T51', 'T79'],
    'A trial fails if a setting reads back with a value other than its level. A change that cannot be read back may have had no effect, so a trial could have the wrong label.',
    'Add a read command.',
  ),
];

export const START_CHECKS: readonly Check[] = [...GENERATORS, ...LIMITS, ...CELLS, ...MEASUREMENT, ...SAFETY];
