import type { Check } from '../check.ts';

const check = (
  code: string,
  title: string,
  severity: Check['severity'],
  traps: readonly string[],
  why: string,
  avoid: string,
): Check => ({ code, title, severity, when: 'start', traps, why, avoid });

/** The machines that make the load. */
const GENERATORS: readonly Check[] = [
  check(
    'same-machine',
    'Load generator and target on one machine',
    'warn',
    ['T22', 'T36'],
    'They compete for CPU time, and the network is not part of the measurement. Figures then hold for this arrangement only.',
    'For figures about the server alone, generate the load on another machine.',
  ),
  check(
    'many-threads-per-core',
    'Many threads per core',
    'note',
    ['T26', 'T101'],
    'With more than 16 threads or clients per core the load tool itself waits for a processor. Its latencies then include its own waiting.',
    'Use a generator with more cores, or several generators.',
  ),
  check(
    'cpu-governor',
    'CPU governor follows the load',
    'note',
    ['T50'],
    'The clock speed rises and falls with the load. Trials with little load are then measured on a slower processor.',
    'Set the governor to “performance” for the time of the measurement.',
  ),
  check(
    'no-aes',
    'Encryption without AES instructions',
    'warn',
    ['T80'],
    'Without AES instructions encryption may cost many times as much CPU on the generator. Its time then goes into that and not into load.',
    'Use a generator with AES instructions, or turn encryption off if it is not under test.',
  ),
  check(
    'load-divided',
    'Load divided between generators',
    'note',
    ['T30'],
    'Threads, clients and rates of the experiment are those of all generators together. Rates of the generators are added up; percentiles cannot be.',
    'Read the command of each generator for its part.',
  ),
];

/** What cannot be held fails in the middle of a ladder, with a number for a reason. */
const LIMITS: readonly Check[] = [
  check(
    'open-files-limit',
    'Limit of open files',
    ['block', 'warn'],
    ['T29', 'T35'],
    'Each connection is an open file of the load tool, and the account may have only so many. Beyond it the tool fails in the middle of a ladder.',
    'Raise nofile for the account on the generator, or use more generators.',
  ),
  check(
    'threads-limit',
    'Limit of threads',
    ['block', 'warn'],
    ['T27', 'T29'],
    'The account or its control group may have only so many processes and threads. A thread that cannot be created ends the tool when the load begins.',
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
    'Some versions of load tools fail beyond a certain number of connections. The limit is published.',
    'Divide the connections between more generators.',
  ),
  check(
    'max-connections',
    'Connections that the target accepts',
    ['block', 'warn'],
    ['T29'],
    'The server refuses connections beyond its own limit. Cells that open more fail.',
    'Raise max_connections on the target, or use fewer threads or clients.',
  ),
  check(
    'pooler-clients',
    'Clients that the pooler accepts',
    ['block', 'warn'],
    ['T29'],
    'The pooler refuses clients beyond its own limit. Cells that open more fail.',
    'Raise max_client_conn of the pooler, or use fewer threads or clients.',
  ),
  check(
    'pool-smaller-than-clients',
    'Session pooling with more clients than connections',
    'warn',
    ['T20'],
    'In session pooling a client keeps its connection until it leaves, so that the others wait for the whole run. Throughput is then that of the pool’s size.',
    'Make the pool as large as the number of clients, or use transaction pooling.',
  ),
  check(
    'pool-mode-unfit',
    'Pool mode that does not fit the workload',
    ['block', 'warn'],
    ['T20'],
    'Statement pooling breaks transactions of several statements; transaction and statement pooling break prepared statements, unless the pooler keeps them (max_prepared_statements). Every trial of such a cell fails, or measures errors.',
    'Choose a pool mode, or a way to send statements, in which the workload can run. To continue all the same, type the phrase that the finding shows.',
  ),
];

/** What cells would measure, whatever their names say. */
const CELLS: readonly Check[] = [
  check(
    'setting-without-effect',
    'Setting that has no effect in some cells',
    ['block', 'warn'],
    ['T84'],
    'Some settings exist for the sake of another one: sync_binlog without a binary log, commit_siblings without commit_delay. Cells that differ in such a setting alone measure the same thing under different names.',
    'Switch on what the setting depends on, or vary it only where that is on (when). To continue all the same, type the phrase that the finding shows.',
  ),
  check(
    'results-cached',
    'Reads answered from a cache of results',
    'warn',
    ['T19'],
    'A query cache answers repeated reads without executing them, and of some servers the answers may be older than the data. Reads inside transactions make little use of it, so that neither the cache nor the server alone is measured.',
    'Switch it off to measure the server; to measure the cache, read outside transactions.',
  ),
];

/** What the target promises, and how long and how often is measured. */
const MEASUREMENT: readonly Check[] = [
  check(
    'durability',
    'Durability of the target',
    ['warn', 'note'],
    ['T75', 'T84'],
    'A server that does not keep what it confirms is fast for the wrong reason. Settings without log flushes or doublewrite win most benchmarks.',
    'Compare only with systems of equal durability.',
  ),
  check(
    'long-round-trip',
    'Target far from the generator',
    'note',
    ['T32', 'T36'],
    'A statement takes at least one round trip, as the kernel of the generator times it before the start. Few clients then measure the network, and a faster server changes little.',
    'Measure from a host nearer to the server, or with enough clients.',
  ),
  check(
    'hop-in-between',
    'Pooler or proxy between generator and server',
    'note',
    ['T32'],
    'It adds a network hop and its own work to each statement. That shows at few clients and hardly at many.',
    'Compare at several numbers of clients, with and without it.',
  ),
  check(
    'old-tls-library',
    'Old TLS library with many connections',
    'warn',
    ['T34'],
    'OpenSSL 1.0 was seen to stop scaling beyond 32 connections, while 1.1 and later do scale. The curve then ends where the library does.',
    'Use a server with a later library, or report the library with the result.',
  ),
  check(
    'few-repeats',
    'Fewer than three repeats',
    'note',
    ['T65', 'T66'],
    'One run carries noise that nothing tells apart from a difference. Intervals need repeats.',
    'Use three or more repeats.',
  ),
  check(
    'short-duration',
    'Trials shorter than 30 s',
    'note',
    ['T57', 'T48'],
    'Databases with a log and a cache need minutes to settle. What is measured before is the way there.',
    'Measure for minutes; for flash and write loads, longer.',
  ),
  check(
    'no-warm-up',
    'No warm-up',
    'note',
    ['T47', 'T41'],
    'The first seconds, with cold caches, count as much as the rest. They pull the mean of a short run down.',
    'Set a warm-up, or move the cut in the results.',
  ),
  check(
    'repeats-in-a-row',
    'Repeats one after the other',
    'note',
    ['T40'],
    'A slow drift of the machine falls on cells one after another. It then looks like a difference between them.',
    'Order the trials in rounds or shuffled.',
  ),
  check(
    'odd-rounds',
    'Interleaved rounds without a mirror',
    'note',
    ['T40'],
    'Interleaved rounds cancel a steady drift in pairs, there and back. An odd one has no mirror.',
    'Use an even number of repeats.',
  ),
  check(
    'fixed-seed',
    'The same random values in all trials',
    'warn',
    ['T04'],
    'From the second trial on, also of a later session, an UPDATE writes the values that its rows already have, which costs less. Reads meet rows that the trial before left in memory.',
    'Leave “Random values” at per-trial.',
  ),
];

/** What a start could destroy or leave behind: it shows when the preflight has seen hosts and servers. */
const SAFETY: readonly Check[] = [
  check(
    'device-refused',
    'Device that must not be overwritten',
    'block',
    ['T44'],
    'Before a device is overwritten, Kneepoint checks as root that nothing uses it and nothing is on it: no mount, swap, RAID, volume group, open file, partition table or filesystem. It checks again right before each launch, also that the device is still the same one.',
    'Choose a device that nothing uses, erase it yourself if nothing on it is needed, or measure files in a folder.',
  ),
  check(
    'destroy-unconfirmed',
    'Device to be overwritten was not named by hand',
    'block',
    ['T44'],
    'Everything on a device that is overwritten is lost. A start that overwrites one needs its host and device typed, so that no template can do it by itself.',
    'Type host and device, HOST:DEVICE, into the preflight, or give them as --destroy on the command line.',
  ),
  check(
    'destroy-unmeant',
    'Device named that is not overwritten',
    'block',
    ['T44'],
    'A device was typed that this experiment does not overwrite. Either the experiment or the device is not the one that was meant.',
    'Name only what the experiment overwrites.',
  ),
  check(
    'device-overwritten',
    'Device that will be overwritten',
    'warn',
    ['T44', 'T43'],
    'Host and device were typed, so the start is allowed. Everything on the device will be lost.',
    'Check host, model and serial number once more before you start.',
  ),
  check(
    'cannot-undo',
    'Change that cannot be undone',
    ['block', 'warn'],
    ['T51'],
    'What a level changes on a host or server is put back at the end of a session, also after a failure or a stop. No way to undo this change is known, so it would stay in effect for whatever is measured next.',
    'Give own commands an undo command. To continue without one, type the name of the change as the finding shows it.',
  ),
  check(
    'cannot-verify',
    'Change that cannot be read back',
    'warn',
    ['T51', 'T79'],
    'A trial fails if a setting reads back with another value than its level. A change that cannot be read back may not have taken effect, so a trial could have the wrong label.',
    'Give own commands a read command.',
  ),
];

export const START_CHECKS: readonly Check[] = [...GENERATORS, ...LIMITS, ...CELLS, ...MEASUREMENT, ...SAFETY];
