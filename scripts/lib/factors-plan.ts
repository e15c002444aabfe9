/** The part of docs/factors.md that is not in a schema: how levels are written, which cells there are, and in which order. */
export const PLAN_WORDS = `## Levels

A list, or a range: \`1..64 doubling\` (1, 2, 4 … 64), \`10..100 by 10\`, \`128M..1024M doubling\`. Doubling ends with the last value, even
if that is not a double. At most 200 levels per factor, and 12 factors.

\`\`\`yaml
factors:
  - {name: threads, levels: 1..64 doubling}
  - {name: rate, levels: 500..2000 by 500}
\`\`\`

## A baseline

\`baseline\` names the level that others are compared with: each cell is compared with the cell that has this level and otherwise the same levels. The factor under test always has one. Without \`baseline\` it is the level of that name, otherwise the first; with three or more levels the best is 100 %. In the matrix, click a level and then its flag to make it the baseline. It remains the baseline when its value changes.

\`\`\`yaml
factors:
  - {name: server, kind: target, levels: [mysql-5.7, mysql-8.0], baseline: mysql-5.7}
\`\`\`

## Values of names

\`values\` assigns a number to each named level, such as the GB of a volume or the dollars of an instance. Results then sort the levels by these numbers and draw them along a numeric axis (logarithmic from a ratio of 10). Without a load factor they also look for the knee along that axis: the smallest level beyond which more gains nothing. Each level needs a different value. In the editor: *Numeric axis* in the form of a factor.

\`\`\`yaml
factors:
  - name: volume
    kind: price
    levels: [{name: 1 TB, price: {amount: 100}}, {name: 2 TB, price: {amount: 200}}, {name: 4 TB, price: {amount: 400}}]
    values: {1 TB: 1000, 2 TB: 2000, 4 TB: 4000}
\`\`\`

## The factor under test

The results answer one question first: what does this factor change? If only one factor is not a load, it is that one. If there are several, \`tested\` marks it; the editor asks for it before a start, and the results ask if none is marked.

\`\`\`yaml
factors:
  - {name: flush, kind: server-setting, setting: innodb_flush_log_at_trx_commit, levels: [1, 2], tested: true}
  - {name: script, levels: [oltp_read_only, oltp_read_write]}
\`\`\`

## Pauses

\`measure.pause\` is the time between two trials. \`pause\` of a factor replaces it when the level of that factor changes: a short pause between loads, a long one between servers. If several factors change, the longest pause applies; between repeats of the same cell it is \`measure.pause\`.

\`\`\`yaml
factors:
  - {name: server, kind: target, levels: [mysql-5.7, mysql-8.0], pause: 1m}
  - {name: threads, levels: 1..1024 doubling}
measure:
  pause: 15
\`\`\`

## Which cells

- **Conditions.** \`when\` names levels of other factors that a factor needs. Other cells have no level of it, and are measured once.
- **Exclusions.** \`exclude\` removes every cell that has all levels of one of its entries; \`only\` keeps just those cells.
- **One factor at a time.** \`design: one-at-a-time\` measures one cell at the \`base\`, and varies each factor alone around it. The default
  of \`base\` is the first level of each factor.

\`\`\`yaml
factors:
  - name: binlog
    kind: server-setting
    levels: [{name: on, set: {log_bin: on}}, {name: off, set: {log_bin: off}}]
  - {name: sync-binlog, kind: server-setting, setting: sync_binlog, levels: [0, 1], when: {binlog: on}}
  - {name: threads, levels: [1, 16, 256]}
exclude:
  - {sync-binlog: 0, threads: 256}
\`\`\`

\`\`\`yaml
design: one-at-a-time
base: {threads: 16, thp: never}
factors:
  - {name: threads, levels: [1, 16, 256]}
  - {name: thp, kind: host-setting, setting: transparent-hugepages, levels: [always, never]}
\`\`\`

## In which order

Levels that need a restart or new data vary slowest: cells that need the same are measured together, as a block, and \`order\` applies
within it. \`blocks: rounds\` interleaves the blocks: this takes more restarts, but a drift then affects every cell alike.

\`\`\`yaml
factors:
  - {name: buffers, kind: server-setting, setting: shared_buffers, levels: [128MB, 4GB]}
  - {name: threads, levels: [1, 16]}
measure:
  repeats: 4
  order: interleaved
  blocks: rounds
  pick: median
\`\`\`

## A canary

One cell, measured before the first trial, then after every few trials, and after the last one. It shows whether the machines drift while
everything else is varied; it does not count as a repeat.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16, 256]}
measure:
  repeats: 3
  canary: {every: 10, cell: {threads: 16}}
\`\`\`

## Before each trial

In this order: restart, drop caches, statement, wait, rest. The run stores what it waited for; a wait that took too long is flagged, and the
trial is measured anyway.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16]}
measure:
  before: {restart: true, caches: server, statement: ANALYZE TABLE sbtest1, dirty: 64, writes: 1, patience: 5m, rest: 10}
\`\`\`

## While each trial runs

A scenario: actions at given seconds of each trial, to see how far the rate drops and how long it takes to recover. Seconds count from the
start of the tool and include its warm-up. \`restart\`, \`stop\`, \`kill\` (SIGKILL) and \`start\` use the target's server control, \`statement\` uses
Kneepoint's own connection, and \`run\` executes a \`command\` with sh on the server host (or \`host\`), for example to fill a disk or to take a link down.
Changes by a command or statement remain until another one undoes them. \`server-setting\` (\`setting\`, \`value\`, \`on\` for another target) and \`host-setting\` (\`setting\`,
\`of\`, \`value\`, \`on\`) set the same as a factor of that kind, and are restored when the trial has ended.

\`\`\`yaml
factors:
  - {name: threads, levels: [16]}
measure:
  duration: 600
  events:
    - {at: 120, do: restart}
    - {at: 240, do: server-setting, setting: innodb_io_capacity, value: 2000}
    - {at: 300, do: kill}
    - {at: 310, do: start}
    - {at: 400, do: host-setting, setting: sysctl, of: vm.dirty_ratio, value: 5}
    - {at: 500, do: run, command: 'tc qdisc add dev eth0 root netem delay 5ms; sleep 20; tc qdisc del dev eth0 root'}
\`\`\`

sysbench and pgbench end when they lose their server. With \`tool-died: restart\` they are restarted every 0.2 s for the remaining time. The figures of the run are then calculated from its seconds, 0 without the tool, and it has two more: *Restarts of the tool* and *Time without the tool*. A tool that dies before the first event has failed, as without this setting. It also applies to a load during which a parallel step begins.

Text and tables can be captured at these moments, in stalls, at intervals, at the start and at the end: [captures](captures.md).

## An earlier end

After a time, at a cost, or when the interval of every cell is narrow enough.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16, 256]}
measure:
  repeats: 12
  stop: {minutes: 600, cost: 40, interval: 2}
\`\`\`
`;
