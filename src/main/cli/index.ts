import { Command, CommanderError } from 'commander';
import { appFolder, ignoreClosedPipe } from '../computer/index.ts';
import { EXIT, exitCodeOf } from './exit.ts';
import { plainText, printJson, terminal } from './terminal.ts';
import type { Act } from './usage/command.ts';
import { addData, addDocuments, addService } from './usage/documents.ts';
import { addInventory } from './usage/inventory.ts';
import { addSessions } from './usage/sessions.ts';

const AFTER_HELP = `
To begin:
  kneepoint quickstart                          benchmark this computer in three minutes, with a PDF report
  kneepoint templates                           experiments to start from
  kneepoint run quickstart --set threads=1,8    a template or a YAML file of your own, with other levels
  kneepoint show 1                              the figures of session 1

Exit codes: 0 done, 1 a run failed, 2 usage error, 3 blocked by preflight, 4 internal error.`;

/** Runs `kneepoint` with these arguments and returns its exit code. Never throws. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const { stdout, stderr } = terminal();
  ignoreClosedPipe(stdout, stderr);
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
    // commander has already printed the error in the arguments.
    if (json) printJson({ problem: { code: 'bad-request', message: error.message.replace(/^error: /, '') } });
    return EXIT.wrongUse;
  }
}

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
  addService(program, command, act);
  return program;
}
