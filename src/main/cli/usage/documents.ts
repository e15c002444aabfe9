import type { Command } from 'commander';
import { dataCommands } from '../commands/data.ts';
import { doctorCommand } from '../commands/doctor.ts';
import { checkCommand, factorsCommand, planCommand, templatesCommand, toolsCommand } from '../commands/document.ts';
import { importOutputsCommand } from '../commands/import-outputs.ts';
import { parseInput } from '../commands/parse.ts';
import { runCommand } from '../commands/run.ts';
import { linkCommand, serveCommand } from '../commands/serve.ts';
import { importCommand, toolFileCommand } from '../commands/tool-file.ts';
import { type Act, type AddCommand, collect } from './command.ts';

export function addDocuments(program: Command, command: AddCommand, act: Act): void {
  const withEdits = (entry: Command): Command =>
    entry
      .option('--small', 'the small form: minutes instead of hours, as a functional check only')
      .option(
        '--set <factor=a,b,c>',
        'levels of a factor, or step.option=value for one step or group; repeatable',
        collect,
      )
      .option('--duration <time>', 'measured time per trial: seconds, or 90s, 5m, 1h30')
      .option('--generator <host>', 'load generator; repeat it to share the load between hosts', collect)
      .option('--target <target>', 'target to measure')
      .option(
        '--name <name=other>',
        'replace a host or target named in the experiment, or set a folder that it does not specify; repeatable',
        collect,
      );
  withEdits(
    command(
      program,
      'run <file>',
      'Run an experiment (a YAML file, a template, or - for standard input) and follow it to its end',
    ),
  )
    .option('--destroy <host:device>', 'allow the experiment to overwrite this whole device; repeatable', collect)
    .option('--confirm <phrase>', 'confirm a preflight warning with its phrase; repeatable', collect)
    .action(act(runCommand));
  withEdits(command(program, 'plan <file>', 'Show the cells, the order of trials and the time they take'))
    .option('--script', 'print a shell script for running the same trials by hand on the generator')
    .action(act(planCommand));
  withEdits(command(program, 'check <file>', 'Check a document and list problems with their lines')).action(
    act(checkCommand),
  );
  withEdits(
    command(program, 'job-file <file>', 'Print the load of a cell as the tool’s own file, such as a fio job file'),
  )
    .option('--cell <number>', 'cell of the plan; default 1')
    .action(act(toolFileCommand));
  command(
    program,
    'import <tool> <file>',
    'Convert a tool’s own file, such as a fio job file, into an experiment, and report on each line (- for standard input)',
  ).action(act(importCommand));
  command(
    program,
    'import-outputs <tool> <file...>',
    'Import tool output of earlier runs as a session: one run per file; files with the same levels are repeats',
  )
    .option('--name <name>', 'name of the session; default the folder of the files')
    .option(
      '--levels <pattern>',
      'regular expression for the paths, with a named group for each factor: (?<threads>\\d+)',
    )
    .option('--warmup <seconds>', 'seconds to exclude at the start of each run; default 0')
    .option('--option <name=value>', 'option of the tool, as a document has it; repeatable', collect)
    .option('--dry-run', 'only parse the files and print their content')
    .action(act(importOutputsCommand));
  command(program, 'templates', 'List the experiments that come with Kneepoint')
    .option('--rows', 'published experiments by id, with what each lacks')
    .action(act(templatesCommand));
  command(program, 'tools', 'List the benchmark tools that Kneepoint drives; --json with every option').action(
    act(toolsCommand),
  );
  command(program, 'factors [kind]', 'List kinds of factors; with a kind: its fields and an example').action(
    act(factorsCommand),
  );
}

export function addData(program: Command, command: AddCommand, act: Act): void {
  const ofFiles = dataCommands('files');
  const files = program.command('files').description('File sets: test files that a tool prepared on a host');
  command(files, 'list', 'List file sets with place, size, state, and the session that prepared them')
    .option('--host <host>', 'only on this host')
    .action(act(ofFiles.list));
  command(files, 'check <id>', 'Check the sizes of the files on their host').action(act(ofFiles.look));
  command(files, 'remove <id>', "Run the tool's clean-up step on the host, which removes the files")
    .option('--yes', 'skip the confirmation')
    .action(act(ofFiles.remove));
  const ofTables = dataCommands('tables');
  const data = program.command('data').description('Data sets: tables that a tool prepared in a target');
  command(data, 'list', 'List data sets with rows, state, and the session that prepared them')
    .option('--target <target>', 'only in the database of this target')
    .action(act(ofTables.list));
  command(data, 'count <id>', 'Count the rows of a data set on its server').action(act(ofTables.look));
  command(data, 'remove <id>', "Run the tool's clean-up step on a generator, which drops the tables")
    .option('--yes', 'skip the confirmation')
    .option('--generator <host>', 'host that runs the tool; default: the one that prepared the data')
    .action(act(ofTables.remove));
}

export function addService(program: Command, command: AddCommand, act: Act): void {
  program
    .command('parse <tool>')
    .description("Read a tool's output from standard input and print samples, summary and findings as JSON")
    .option('--stderr <file>', "file with the tool's standard error")
    .option('--option <name=value>', 'option of that run; repeatable', collect)
    .option('--json', 'print JSON (the default)')
    .action(act(parseInput));
  command(program, 'serve', 'Open the app as a page on 127.0.0.1 and print its one-time link')
    .option('--port <port>', 'port; 0 is any free one', '0')
    .action(act(serveCommand));
  command(program, 'link', 'Print a one-time link to the page served from this library').action(act(linkCommand));
  command(program, 'doctor', 'Check what Kneepoint needs on this computer').action(act(doctorCommand));
}
