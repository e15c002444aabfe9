import type { Command } from 'commander';
import { dataCommands } from '../commands/data.ts';
import type { Act, AddCommand } from './command.ts';

export function addData(program: Command, command: AddCommand, act: Act): void {
  const ofFiles = dataCommands('files');
  const files = program.command('files').description('File sets: test files that a tool prepared on a host');
  command(files, 'list', 'List file sets with place, size, state, and the session that prepared them')
    .option('--host <host>', 'only those of this host')
    .action(act(ofFiles.list));
  command(files, 'check <id>', 'Check the sizes of the files on their host').action(act(ofFiles.look));
  command(files, 'remove <id>', "Run the tool's clean-up step on the host, which removes the files")
    .option('--yes', 'skip the confirmation')
    .action(act(ofFiles.remove));
  const ofTables = dataCommands('tables');
  const data = program.command('data').description('Data sets: tables that a tool prepared in a target');
  command(data, 'list', 'List data sets with rows, state, and the session that prepared them')
    .option('--target <target>', 'only those in the database of this target')
    .action(act(ofTables.list));
  command(data, 'count <id>', 'Count the rows of a data set on its server').action(act(ofTables.look));
  command(data, 'remove <id>', "Run the tool's clean-up step on a generator, which drops the tables")
    .option('--yes', 'skip the confirmation')
    .option('--generator <host>', 'host that runs the tool; default the one that prepared the data')
    .action(act(ofTables.remove));
}
