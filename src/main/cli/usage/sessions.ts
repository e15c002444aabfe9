import type { Command } from 'commander';
import { compareCommand } from '../commands/compare.ts';
import { costCommand } from '../commands/cost.ts';
import { exportCommand } from '../commands/export.ts';
import { levelsCommand } from '../commands/levels.ts';
import { monitorsCommand } from '../commands/monitors.ts';
import { quickstartCommand } from '../commands/quickstart.ts';
import { restoreCommand } from '../commands/restore.ts';
import { repeatCommand, resumeCommand } from '../commands/run.ts';
import { excludeCommand, includeCommand, reingestCommand, sessionsCommand, showCommand } from '../commands/sessions.ts';
import { stopCommand } from '../commands/stop.ts';
import { type Act, type AddCommand, collect } from './command.ts';

const CUT = 'warm-up cut: time excluded at the start of each run, if not as planned: seconds, or 90s, 5m';

const BASELINE =
  'level that ratios refer to, if not as the document says; without a level none of this factor; repeatable';

export function addSessions(...to: [program: Command, command: AddCommand, act: Act]): void {
  addLeading(...to);
  addResults(...to);
}

function addLeading(program: Command, command: AddCommand, act: Act): void {
  command(program, 'resume [id]', 'Re-attach to a session, fetch all its seconds, and continue its plan').action(
    act(resumeCommand),
  );
  command(
    program,
    'repeat <id>',
    'Measure the failed and lost trials of a session again, or the trials named, or add repeats',
  )
    .option('--trial <number>', 'this trial; repeatable', collect)
    .option(
      '--replace <reason>',
      'with --trial: exclude these trials for this reason, and measure them in their places',
    )
    .option('--add <count>', 'instead: add so many repeats to every cell, measured in turns')
    .option('--cell <number>', 'with --add: only to this cell; repeatable', collect)
    .action(act(repeatCommand));
  command(program, 'levels <id> <factor> <level...>', 'Add levels to a factor of a session, and measure the new cells')
    .option('--beside <number>', 'measure this cell in turns with them; repeatable', collect)
    .option('--confirm <phrase>', 'what the checks ask a person to type; repeatable', collect)
    .action(act(levelsCommand));
  command(
    program,
    'stop [id]',
    'End a session: its jobs on hosts, and what it changed there is put back; also while another Kneepoint has the library open',
  ).action(act(stopCommand));
  command(
    program,
    'restore [id]',
    'Put back what a session, or all that are not under way, changed on hosts and servers',
  )
    .option('--list', 'only list it')
    .option('--force', 'also what somebody else has changed since, or a tool may still be running under')
    .option(
      '--confirm <name>',
      'this host or target is the one that was changed, where Kneepoint cannot tell; repeatable',
      collect,
    )
    .option('--give-up <name>', 'instead: leave everything on this host or target as it is, and forget what it was')
    .action(act(restoreCommand));
  command(program, 'quickstart', 'Run the quick benchmark on this computer and write its PDF report')
    .option('--set <factor=a,b,c>', 'levels of a factor; repeatable', collect)
    .option('--duration <time>', 'measured time per trial: seconds, or 90s, 5m, 1h30')
    .option('--output <file>', 'where the report goes; default a folder beside the library')
    .action(act(quickstartCommand));
}

function addResults(program: Command, command: AddCommand, act: Act): void {
  command(program, 'sessions', 'List sessions, newest first').action(act(sessionsCommand));
  command(program, 'show <id>', 'Show a session: cells with mean, median, tails, variation, errors')
    .option('--metric <id>', "metric, if not the tool's first")
    .option('--warmup <time>', CUT)
    .option('--baseline <factor=level>', BASELINE, collect)
    .action(act(showCommand));
  command(
    program,
    'compare <baseline> [other]',
    'Compare sessions cell by cell, with intervals and verdicts; several sessions per side as 7,8,9',
  )
    .option('--against <factor=level>', 'compare the cells of one session with those of this level')
    .option('--margin <percent>', 'smallest difference that matters (default 3)')
    .option('--metric <id>', "metric, if not the tool's first")
    .option('--warmup <time>', CUT)
    .action(act(compareCommand));
  command(program, 'monitors <id>', 'Show which hosts and servers a session watched beside its tool, and their series')
    .option('--source <name>', 'only this host, server or command; repeatable', collect)
    .option('--series <id>', 'the values of this series, “*” for any part of its id; repeatable', collect)
    .option('--trial <number>', 'with --series: while this trial was running')
    .option('--from <time>', 'with --series: from then on, since the start of the trial or session (5m), or a moment')
    .option('--to <time>', 'with --series: until then, in the same way')
    .option('--csv', 'with --series: every value, to standard output')
    .option('--notes', 'what was different after each note and event: load, CPU, memory, disks, links')
    .action(act(monitorsCommand));
  command(program, 'exclude <id>', 'Exclude trials of a session from all figures; what they measured is kept')
    .requiredOption('--trial <number>', 'this trial; repeatable', collect)
    .requiredOption('--reason <words>', 'why; shown beside every figure that they would be in')
    .action(act(excludeCommand));
  command(program, 'include <id>', 'Count trials again that were excluded')
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
  command(program, 'cost', 'Price a configuration, or a session and its work per dollar')
    .option('--instance <id[,count]>', 'an instance of the catalogue', collect)
    .option('--volume <id,GB[,IOPS[,throughput]]>', 'a volume of the catalogue; throughput in its unit', collect)
    .option('--own <label,amount,hour|month|year>', 'your own price', collect)
    .option('--currency <code>', 'what these prices are in, default USD; nothing is converted')
    .option('--hours <number>', 'hours per month that the system runs, default 730')
    .option('--session <id>', 'assign this price to a session')
    .option('--save <name>', 'save these components as a configuration')
    .option('--use <name>', 'a saved configuration')
    .option('--against <name>', 'a saved configuration to compare this one with: break-even, and where the lines cross')
    .option('--saved', 'list saved configurations; with --session, what its work costs on each')
    .option('--remove <name>', 'remove a saved configuration')
    .option('--search <words>', 'search the catalogue')
    .action(act(costCommand));
}
