import type { Command } from 'commander';
import { checkCommand, planCommand, templatesCommand, toolsCommand } from '../commands/document.ts';
import { factorsCommand } from '../commands/factors.ts';
import { runCommand } from '../commands/run.ts';
import { importCommand, toolFileCommand } from '../commands/tool-file.ts';
import { type Act, type AddCommand, collect } from './command.ts';

export function addDocuments(program: Command, command: AddCommand, act: Act): void {
  const withEdits = (entry: Command): Command =>
    entry
      .option('--set <factor=a,b,c>', 'levels of a factor; repeatable', collect)
      .option('--duration <time>', 'measured time per trial: seconds, or 90s, 5m, 1h30')
      .option('--generator <host>', 'load generator; repeat it to share the load between hosts', collect)
      .option('--target <target>', 'target to measure');
  withEdits(
    command(
      program,
      'run <file>',
      'Run an experiment (a YAML file, a template, or - for standard input) and follow it to its end',
    ),
  )
    .option('--destroy <host:device>', 'allow the experiment to overwrite this whole device; repeatable', collect)
    .option(
      '--confirm <phrase>',
      'go ahead with what the preflight asks to be confirmed by this phrase; repeatable',
      collect,
    )
    .action(act(runCommand));
  withEdits(command(program, 'plan <file>', 'Show the cells, the order of trials and the time they take')).action(
    act(planCommand),
  );
  withEdits(command(program, 'check <file>', 'Check a document; problems are named with their line')).action(
    act(checkCommand),
  );
  withEdits(
    command(program, 'job-file <file>', 'Print the load of a cell as the tool’s own file, such as a fio job file'),
  )
    .option('--cell <number>', 'which cell of the plan; default the first')
    .action(act(toolFileCommand));
  command(
    program,
    'import <tool> <file>',
    'Convert a tool’s own file, such as a fio job file, into an experiment, and report on each line (- for standard input)',
  ).action(act(importCommand));
  command(program, 'templates', 'List the experiments that come with Kneepoint').action(act(templatesCommand));
  command(program, 'tools', 'List the benchmark tools that Kneepoint drives; --json with every option').action(
    act(toolsCommand),
  );
  command(
    program,
    'factors [kind]',
    'List what an experiment can vary; with a kind: its fields, and an example',
  ).action(act(factorsCommand));
}
