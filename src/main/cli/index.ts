import { Command, CommanderError } from 'commander';
import { appFolder } from '../computer/index.ts';
import { costCommand } from './cost.ts';
import { dataCommands } from './data.ts';
import { checkCommand, planCommand, templatesCommand, toolsCommand } from './document.ts';
import { EXIT, exitCodeOf } from './exit.ts';
import { hostAddCommand, hostFactsCommand, hostListCommand, hostTestCommand } from './hosts.ts';
import { doctorCommand, linkCommand, parseInput, serveCommand } from './misc.ts';
import { plainText, printJson } from './output.ts';
import { quickstartCommand } from './quickstart.ts';
import { resumeCommand, runCommand } from './run.ts';
import { compareCommand, exportCommand, reingestCommand, sessionsCommand, showCommand } from './sessions.ts';
import { TARGET_HELP, TARGET_KINDS } from './target-help.ts';
import { targetAddCommand, targetListCommand, targetTestCommand } from './targets.ts';
import { terminal } from './terminal.ts';
import { importCommand, toolFileCommand } from './tool-file.ts';

const AFTER_HELP = `
To begin:
  kneepoint quickstart                          the two-minute benchmark of this computer, with a PDF report
  kneepoint templates                           experiments to start from
  kneepoint run quickstart --set threads=1,8    a template or a YAML file of your own, with other levels
  kneepoint show 1                              the figures of session 1

Exit codes: 0 done, 1 a run failed, 2 wrong use, 3 preflight refused, 4 Kneepoint itself broke.`;

/** Runs `kneepoint` with these arguments and gives its exit code. Never throws. */
export async function runCli(argv: readonly string[]): Promise<number> {
  // Whoever reads the output may stop reading (`| head`): that is no reason to break off what is under way.
  const { stdout, stderr } = terminal();
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);
  let code: number = EXIT.done;
  const act =
    <Args extends unknown[]>(command: (...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<void> => {
      code = await command(...args);
    };
  const json = argv.includes('--json');
  try {
    await buildProgram(act).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) return exitCodeOf(error, json);
    if (error.exitCode === 0) return EXIT.done;
    // commander has said in words what was wrong with the arguments.
    if (json) printJson({ problem: { code: 'bad-request', message: error.message.replace(/^error: /, '') } });
    return EXIT.wrongUse;
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

type Act = <Args extends unknown[]>(command: (...args: Args) => Promise<number>) => (...args: Args) => Promise<void>;

const collect = (value: string, previous: string[] | undefined): string[] => [...(previous ?? []), value];

function buildProgram(act: Act): Command {
  const program = new Command('kneepoint')
    .description(
      'Benchmarks databases and storage: runs experiments, keeps every second, compares, prices and reports.',
    )
    .version(appFolder(import.meta.filename).version, '-V, --version', 'show the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal().stdout.write(text),
      writeErr: (text) => terminal().stderr.write(plainText(text)),
    })
    .showHelpAfterError('(kneepoint --help shows every command)')
    .addHelpText('after', AFTER_HELP);
  const command = (parent: Command, usage: string, words: string): Command =>
    parent
      .command(usage)
      .description(words)
      .option('--data <dir>', 'folder of the library')
      .option('--json', 'print JSON')
      .option(
        '--passphrase-file <file>',
        "file (mode 600) with the vault's passphrase; also KNEEPOINT_PASSPHRASE_FILE",
      );
  addDocuments(program, command, act);
  addSessions(program, command, act);
  addInventory(program, command, act);
  addData(program, command, act);
  addOthers(program, command, act);
  return program;
}

type AddCommand = (parent: Command, usage: string, words: string) => Command;

function addDocuments(program: Command, command: AddCommand, act: Act): void {
  const withEdits = (entry: Command): Command =>
    entry
      .option('--set <factor=a,b,c>', 'levels of a factor; may be given several times', collect)
      .option('--duration <seconds>', 'measured seconds per trial')
      .option('--generator <host>', 'host that makes the load; several times: hosts that share it', collect)
      .option('--target <target>', 'target that is measured');
  withEdits(
    command(
      program,
      'run <file>',
      'Run an experiment (a YAML file, a template, or - for standard input) and follow it to its end',
    ),
  )
    .option(
      '--destroy <host:device>',
      'allow the experiment to overwrite this device, all of it; may be given several times',
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
    command(
      program,
      'job-file <file>',
      'Print the load of a cell as a file of the tool’s own, such as a job file of fio',
    ),
  )
    .option('--cell <number>', 'which cell of the plan; the first if absent')
    .action(act(toolFileCommand));
  command(
    program,
    'import <tool> <file>',
    'Turn a file of a tool’s own, such as a job file of fio, into an experiment, and say what became of each line (- for standard input)',
  ).action(act(importCommand));
  command(program, 'templates', 'List the experiments that come with Kneepoint').action(act(templatesCommand));
  command(program, 'tools', 'List the benchmark tools that Kneepoint drives; --json with every option').action(
    act(toolsCommand),
  );
}

function addSessions(program: Command, command: AddCommand, act: Act): void {
  command(program, 'resume [id]', 'Attach again to a session, fetch every second of it, and continue its plan').action(
    act(resumeCommand),
  );
  command(program, 'quickstart', 'Run the quick benchmark on this computer and write its PDF report')
    .option('--set <factor=a,b,c>', 'levels of a factor; may be given several times', collect)
    .option('--duration <seconds>', 'measured seconds per trial')
    .option('--output <file>', 'where the report goes; a folder beside the library if absent')
    .action(act(quickstartCommand));
  command(program, 'sessions', 'List sessions, newest first').action(act(sessionsCommand));
  command(program, 'show <id>', 'Show a session: cells with mean, median, tails, variation, errors')
    .option('--metric <id>', "another metric than the tool's first")
    .action(act(showCommand));
  command(program, 'compare <baseline> <other>', 'Compare two sessions cell by cell, with intervals and verdicts')
    .option('--metric <id>', "another metric than the tool's first")
    .action(act(compareCommand));
  command(program, 'reingest <id>', 'Build samples and figures of a session anew from its raw output')
    .option('--trial <number>', 'only this trial')
    .action(act(reingestCommand));
  command(program, 'export <id>', 'Write a session to a file')
    .requiredOption('--format <format>', 'csv (every second), csv-cells, json or pdf')
    .option('--output <file>', 'file to write, - for standard output')
    .option('--compare-with <id>', 'baseline session for the report')
    .action(act(exportCommand));
  command(program, 'cost', 'Price a configuration, or a session and its work per dollar')
    .option('--instance <id[,count]>', 'an instance of the catalogue', collect)
    .option('--volume <id,GB[,IOPS[,MiB/s]]>', 'a volume of the catalogue', collect)
    .option('--own <label,amount,hour|month|year>', 'a figure of your own', collect)
    .option('--session <id>', 'the session that this prices')
    .option('--search <words>', 'search the catalogue')
    .action(act(costCommand));
}

const HOST_EXAMPLE = `
Example:
  kneepoint host add loadgen --address 10.0.0.7 --user bench --key ~/.ssh/id_ed25519
  kneepoint host test loadgen`;

function addInventory(program: Command, command: AddCommand, act: Act): void {
  const host = program.command('host').description('Machines reached by SSH');
  command(host, 'add <name>', 'Add a host')
    .requiredOption('--address <address>', 'name or address')
    .option('--port <port>', 'SSH port', '22')
    .requiredOption('--user <user>', 'user to log in as')
    .option('--key <file>', 'private key; without it the SSH agent is used')
    .option(
      '--secret-file <file>',
      'file (mode 600) that holds the password or the passphrase of the key, - for standard input',
    )
    .option('--jump <host>', 'jump host, nearest first; may be given several times', collect)
    .addHelpText('after', HOST_EXAMPLE)
    .action(act(hostAddCommand));
  command(host, 'list', 'List hosts').action(act(hostListCommand));
  command(host, 'test <name>', 'Connect, and show facts and benchmark tools')
    .option('--accept-key <fingerprint>', 'trust this SHA256 fingerprint at first contact')
    .action(act(hostTestCommand));
  command(host, 'facts <name>', 'Print what is known of a host as JSON').action(act(hostFactsCommand));
  const target = program.command('target').description('Systems under test');
  command(target, 'add <name>', 'Add a target')
    .requiredOption('--kind <kind>', `one of ${TARGET_KINDS}`)
    .option('--via <host>', 'host through whose SSH connection the app reaches it')
    .option('--config <name=value>', 'a setting of its kind, see below; may be given several times', collect)
    .option('--secret-file <file>', 'file (mode 600) that holds the password, - for standard input')
    .addHelpText('after', TARGET_HELP)
    .action(act(targetAddCommand));
  command(target, 'list', 'List targets').action(act(targetListCommand));
  command(target, 'test <name>', 'Connect, and show version and settings that matter').action(act(targetTestCommand));
}

function addData(program: Command, command: AddCommand, act: Act): void {
  const ofFiles = dataCommands('files');
  const files = program.command('files').description('File sets: files on a host that a tool laid out and runs on');
  command(files, 'list', 'List file sets with place, size, state, and the session that made them')
    .option('--host <host>', 'only those of this host')
    .action(act(ofFiles.list));
  command(files, 'check <id>', 'Look at the sizes of the files on their host').action(act(ofFiles.look));
  command(files, 'remove <id>', "Run the tool's clean-up step on the host, which removes the files")
    .option('--yes', 'do not ask')
    .action(act(ofFiles.remove));
  const ofTables = dataCommands('tables');
  const data = program.command('data').description('Data sets that workloads use: tables made by a tool in a target');
  command(data, 'list', 'List data sets with rows, state, and the session that made them')
    .option('--target <target>', 'only those in the database of this target')
    .action(act(ofTables.list));
  command(data, 'count <id>', 'Count the rows of a data set on its server').action(act(ofTables.look));
  command(data, 'remove <id>', "Run the tool's clean-up step on a generator, which drops the tables")
    .option('--yes', 'do not ask')
    .option('--generator <host>', 'host that runs the tool; the one that made the data if absent')
    .action(act(ofTables.remove));
}

function addOthers(program: Command, command: AddCommand, act: Act): void {
  program
    .command('parse <tool>')
    .description("Read a tool's output from standard input and print samples, summary and findings as JSON")
    .option('--stderr <file>', "the tool's other stream")
    .option('--option <name=value>', 'an option of the run that printed it; may be given several times', collect)
    .option('--json', 'print JSON (it always does)')
    .action(act(parseInput));
  command(program, 'serve', 'Open the app as a page on 127.0.0.1 and print its one-time link')
    .option('--port <port>', 'port; 0 is any free one', '0')
    .action(act(serveCommand));
  command(program, 'link', 'Print a one-time link to the page that is served from this library').action(
    act(linkCommand),
  );
  command(program, 'doctor', 'Check what Kneepoint needs on this computer').action(act(doctorCommand));
}
