import type { Command } from 'commander';
import { capturesCommand } from '../commands/captures.ts';
import { chartsCommand } from '../commands/charts.ts';
import { compareCommand, levelsCommand } from '../commands/compare.ts';
import { costCommand } from '../commands/cost.ts';
import { exportCommand } from '../commands/export.ts';
import { measuresCommand } from '../commands/measures.ts';
import { monitorsCommand } from '../commands/monitors.ts';
import { restoreCommand } from '../commands/restore.ts';
import { quickstartCommand, repeatCommand, resumeCommand } from '../commands/run.ts';
import { excludeCommand, includeCommand, reingestCommand, sessionsCommand, showCommand } from '../commands/sessions.ts';
import { stopCommand } from '../commands/stop.ts';
import { type Act, type AddCommand, collect } from './command.ts';

const CUT = 'warm-up cut: time excluded at the start of each run, such as 30, 90s or 5m; default as planned';

const BASELINE = 'baseline level for ratios; default from the document; factor= for no baseline; repeatable';

export function addSessions(...to: [program: Command, command: AddCommand, act: Act]): void {
  addLeading(...to);
  addResults(...to);
}

function addLeading(program: Command, command: AddCommand, act: Act): void {
  command(program, 'resume [id]', 'Re-attach to a session, fetch missing output, and continue its plan').action(
    act(resumeCommand),
  );
  command(program, 'repeat <id>', 'Repeat failed and lost trials of a session, or the trials named, or add repeats')
    .option('--trial <number>', 'this trial; repeatable', collect)
    .option('--replace <reason>', 'with --trial: exclude these trials for this reason, and measure replacements')
    .option('--add <count>', 'instead: add this many interleaved repeats to every cell')
    .option('--cell <number>', 'with --add: only to this cell; repeatable', collect)
    .action(act(repeatCommand));
  command(program, 'levels <id> <factor> <level...>', 'Add levels to a factor of a session, and measure the new cells')
    .option('--beside <number>', 'also repeat this cell, interleaved with the new ones; repeatable', collect)
    .option('--confirm <phrase>', 'confirmation phrase of a check; repeatable', collect)
    .action(act(levelsCommand));
  command(
    program,
    'stop [id]',
    'Stop a session: end its jobs on hosts and restore what it changed, even if another Kneepoint has the library open',
  ).action(act(stopCommand));
  command(
    program,
    'restore [id]',
    'Restore settings of hosts and servers changed by a session, or by all sessions not running',
  )
    .option('--list', 'only list the changes')
    .option('--force', 'also restore settings that others have changed since, or that a running tool may be using')
    .option('--confirm <name>', 'confirm that this host or target is the one that was changed; repeatable', collect)
    .option(
      '--give-up <name>',
      'instead: keep the current settings of this host or target, and forget the original values',
    )
    .action(act(restoreCommand));
  command(program, 'quickstart', 'Run the quick benchmark on this computer and write its PDF report')
    .option('--set <factor=a,b,c>', 'levels of a factor; repeatable', collect)
    .option('--duration <time>', 'measured time per trial: seconds, or 90s, 5m, 1h30')
    .option('--output <file>', 'where to write the report; default: a folder next to the library')
    .action(act(quickstartCommand));
}

function addResults(program: Command, command: AddCommand, act: Act): void {
  command(program, 'sessions', 'List sessions, newest first').action(act(sessionsCommand));
  command(program, 'show <id>', 'Show a session: cells with mean, median, percentiles, variation, errors')
    .option('--step <name>', 'step of the trials; default: the first that is measured')
    .option('--metric <id>', "metric; default: the tool's first")
    .option('--warmup <time>', CUT)
    .option('--baseline <factor=level>', BASELINE, collect)
    .option('--per <figure>', 'table of steps by cost per operation: cpu_us_server, reads, written_bytes …')
    .action(act(showCommand));
  command(
    program,
    'compare <baseline> [other]',
    'Compare sessions cell by cell, with intervals and verdicts; several sessions per side, as in 7,8,9',
  )
    .option('--against <factor=level>', 'compare the cells of one session with this level')
    .option('--against-cell <number>', 'compare all cells with this cell of the baseline, regardless of their levels')
    .option('--margin <percent>', 'smallest relevant difference in % (default 3)')
    .option('--metric <id>', "metric; default: the tool's first")
    .option('--warmup <time>', CUT)
    .action(act(compareCommand));
  command(program, 'monitors <id>', 'Show the hosts and servers that a session watched, and their series')
    .option('--source <name>', 'only this host, server or command; repeatable', collect)
    .option('--series <id>', 'values of this series; * is a wildcard; repeatable', collect)
    .option('--trial <number>', 'with --series: while this trial was running')
    .option('--from <time>', 'with --series: start, as time into the trial or session (5m) or date and time')
    .option('--to <time>', 'with --series: end, in the same form')
    .option('--csv', 'with --series: write every value to standard output')
    .option('--notes', 'show what changed after each note and event: load, CPU, memory, disks, links')
    .action(act(monitorsCommand));
  command(program, 'captures <id>', 'Show captured text, tables, files and counter differences of a session')
    .option('--trial <number>', 'only of this trial')
    .option('--name <name>', 'the content of this capture')
    .option('--save <folder>', 'write attachments to this folder')
    .action(act(capturesCommand));
  command(program, 'charts <id>', 'List the charts of a session, or show what one draws as a table')
    .option('--chart <number>', 'this chart: its data')
    .option('--csv', 'with --chart: as CSV')
    .option('--output <file>', 'with --chart: write CSV to this file; - for standard output')
    .option('--warmup <time>', CUT)
    .action(act(chartsCommand));
  command(program, 'measures <id>', 'Show the measures of a session, add one or remove one')
    .option('--name <name>', 'add a measure of this name, or replace the one that was added')
    .option('--is <formula>', 'its formula, such as "read_mib_s + write_mib_s"')
    .option('--series <id>', 'instead of a formula: a series')
    .option('--of <source>', 'its source: server, host NAME, command NAME …; default: the tool')
    .option('--take <figure>', 'how its samples are reduced to one figure: mean, max, p95, total …')
    .option('--unit <unit>', 'its unit; default: the unit of the formula, if it has one')
    .option('--better <direction>', 'higher, lower or neither')
    .option('--remove <name>', 'remove a measure that was added')
    .action(act(measuresCommand));
  command(program, 'exclude <id>', 'Exclude trials of a session from all figures; their data stays stored')
    .requiredOption('--trial <number>', 'this trial; repeatable', collect)
    .requiredOption('--reason <words>', 'reason; shown with every affected figure')
    .action(act(excludeCommand));
  command(program, 'include <id>', 'Include excluded trials again')
    .requiredOption('--trial <number>', 'this trial; repeatable', collect)
    .action(act(includeCommand));
  command(program, 'reingest <id>', 'Rebuild samples and figures of a session from its raw output')
    .option('--trial <number>', 'only this trial')
    .action(act(reingestCommand));
  command(program, 'export <id>', 'Write a session to a file')
    .requiredOption('--format <format>', 'csv (every second), csv-cells, csv-monitors (hosts and servers), json or pdf')
    .option('--output <file>', 'file to write, - for standard output')
    .option('--compare-with <id>', 'baseline session for the report')
    .option('--warmup <time>', CUT)
    .option('--baseline <factor=level>', BASELINE, collect)
    .action(act(exportCommand));
  command(program, 'cost', 'Price a configuration, or a session and its cost per operation')
    .option('--instance <id[,count]>', 'instance from the catalogue', collect)
    .option('--volume <id,GB[,IOPS[,throughput]]>', 'volume from the catalogue; throughput in its unit', collect)
    .option('--own <label,amount,hour|month|year>', 'custom item', collect)
    .option('--currency <code>', 'currency of these prices; default USD; currencies are not converted')
    .option('--hours <number>', 'hours per month that the system runs; default 730')
    .option(
      '--session <id>',
      'assign this price to a session; with --goal, assume its throughput for saved configurations',
    )
    .option('--save <name>', 'save these components as a configuration')
    .option('--use <name>', 'a saved configuration')
    .option('--against <name>', 'saved configuration to compare with: break-even and crossing points')
    .option('--saved', 'list saved configurations; with --session, the cost of its work on each one')
    .option('--remove <name>', 'remove a saved configuration')
    .option('--goal <rate>', 'the cheapest configuration that reaches this rate')
    .option('--latency <statistic,most>', 'highest latency that the goal allows, in ms: p95, p99, avg or max')
    .option('--metric <metric>', 'metric of the goal; default: the first metric of the sessions')
    .option('--assume <name=id[,factor=level]>', 'throughput assumed for one saved configuration instead', collect)
    .option('--output <file>', 'write the answer to the goal as a PDF, - for standard output')
    .option('--search <words>', 'search the catalogue')
    .action(act(costCommand));
}
