import type { Command } from 'commander';
import { doctorCommand } from '../commands/doctor.ts';
import { parseInput } from '../commands/parse.ts';
import { linkCommand, serveCommand } from '../commands/serve.ts';
import { type Act, type AddCommand, collect } from './command.ts';

export function addService(program: Command, command: AddCommand, act: Act): void {
  program
    .command('parse <tool>')
    .description("Read a tool's output from standard input and print samples, summary and findings as JSON")
    .option('--stderr <file>', "the tool's other stream")
    .option('--option <name=value>', 'an option of the run that printed it; repeatable', collect)
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
