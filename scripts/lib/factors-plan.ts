/** The part of docs/factors.md that is not in a schema: how levels are written, which cells there are, and in which order. */
export const PLAN_WORDS = `## Levels

A list, or a range: \`1..64 doubling\` (1, 2, 4 … 64), \`10..100 by 10\`, \`128M..1024M doubling\`. Doubling ends with the last value, also
where it is no double. Up to 200 levels a factor, up to 12 factors.

\`\`\`yaml
factors:
  - {name: threads, levels: 1..64 doubling}
  - {name: rate, levels: 500..2000 by 500}
\`\`\`

## A baseline

\`baseline\` names the level that results set the others against: every cell beside the one that has this level, and else the same ones. The factor under test always has one: without \`baseline\` a level of that name, else the first; of three or more levels the best is 100 %. A click on a level in the matrix shows a flag that makes it the baseline. It stays the baseline when its value is changed.

\`\`\`yaml
factors:
  - {name: server, kind: target, levels: [mysql-5.7, mysql-8.0], baseline: mysql-5.7}
\`\`\`

## Values of names

\`values\` gives each level that is a name a number, such as the GB of a volume or the dollars of an instance. Results then put the levels in order of these numbers, draw them at their places along a numeric axis (on a log scale from a ratio of 10), and look for the knee along them where no factor is a load: the smallest level beyond which more gains nothing. Each level needs a value of its own. In the editor: *Numeric axis* in the form of a factor.

\`\`\`yaml
factors:
  - name: volume
    kind: price
    levels: [{name: 1 TB, price: {amount: 100}}, {name: 2 TB, price: {amount: 200}}, {name: 4 TB, price: {amount: 400}}]
    values: {1 TB: 1000, 2 TB: 2000, 4 TB: 4000}
\`\`\`

## The factor under test

The results answer one question first: what does this factor change? Where one factor is no load, it is that one. With several, \`tested\` names it; the editor asks for it before a start, and where none is named the results ask.

\`\`\`yaml
factors:
  - {name: flush, kind: server-setting, setting: innodb_flush_log_at_trx_commit, levels: [1, 2], tested: true}
  - {name: script, levels: [oltp_read_only, oltp_read_write]}
\`\`\`

## Pauses

\`measure.pause\` is the time between two trials. \`pause\` of a factor comes in its place where the level of that factor changes: a short pause between loads, a long one between servers. Where several factors change, the longest pause is taken; the next repeat of the same cell comes after \`measure.pause\`.

\`\`\`yaml
factors:
  - {name: server, kind: target, levels: [mysql-5.7, mysql-8.0], pause: 1m}
  - {name: threads, levels: 1..1024 doubling}
measure:
  pause: 15
\`\`\`

## Which cells

- **Conditions.** \`when\` names levels of other factors that a factor needs. Cells without them have no level of it, and are measured once.
- **Exclusions.** Every cell that has all levels of one of these is left out. \`only\` is the other way round.
- **One factor at a time.** \`design: one-at-a-time\` measures one cell at the \`base\`, and varies each factor alone around it. Without
  \`base\`, the first level of each.

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

Levels that take a restart or new data vary slowest: cells that need the same are measured together, as a block, and \`order\` holds
inside it. \`blocks: rounds\` measures the blocks in turns, which takes more restarts and shows a drift in every cell alike.

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

One cell, measured before the first trial, again after so many, and after the last one. It shows whether the machines drift while
everything else is varied; it does not count as a repeat.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16, 256]}
measure:
  repeats: 3
  canary: {every: 10, cell: {threads: 16}}
\`\`\`

## Before each trial

In this order: restart, drop caches, statement, wait, rest. What was waited for is stored with the run; a wait that took too long is
flagged, and the trial is measured all the same.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16]}
measure:
  before: {restart: true, caches: server, statement: ANALYZE TABLE sbtest1, dirty: 64, writes: 1, patience: 5m, rest: 10}
\`\`\`

## While each trial runs

A scenario: what is done at a second of each trial, to see how deep the rate dips and how long it takes to come back. Seconds count from the
start of the tool, its warm-up included. \`restart\`, \`stop\`, \`kill\` (SIGKILL) and \`start\` go through the target's server control, \`statement\` over the
app's own connection, a \`command\` to \`run\` goes to sh on the host of the server (or \`host\`): to fill a disk, to take a link down. What a command or
statement changes stays until another one undoes it. \`server-setting\` (\`setting\`, \`value\`, \`on\` for another target) and \`host-setting\` (\`setting\`,
\`of\`, \`value\`, \`on\`) set what a factor of that kind would, and it is restored when the trial has ended.

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

sysbench and pgbench end when they lose their server. With \`tool-died: restart\` they are started again, every 0.2 s, for the time that is left: the figures of the run are then those of its seconds, 0 without the tool, and it has two more, *Restarts of the tool* and *Time without the tool*. A tool that dies before the first event has failed, as without this. It holds for a load beside which a parallel step begins, too.

Text and tables can be kept at these moments, in stalls, at intervals, at the start and at the end: [captures](captures.md).

## An earlier end

By time, by what the session has cost, or when the interval of every cell is narrow enough.

\`\`\`yaml
factors:
  - {name: threads, levels: [1, 16, 256]}
measure:
  repeats: 12
  stop: {minutes: 600, cost: 40, interval: 2}
\`\`\`
`;
