import type { Command } from 'commander';
import { hostAddCommand, hostFactsCommand, hostListCommand, hostTestCommand } from '../commands/hosts.ts';
import { hostImportCommand } from '../commands/import-hosts.ts';
import { targetAddCommand, targetListCommand, targetTestCommand } from '../commands/targets.ts';
import { type Act, type AddCommand, collect } from './command.ts';
import { TARGET_HELP, TARGET_KINDS } from './target-help.ts';

const HOST_EXAMPLE = `
Example:
  kneepoint host add loadgen --address 10.0.0.7 --user bench --key ~/.ssh/id_ed25519
  kneepoint host test loadgen`;

export function addInventory(program: Command, command: AddCommand, act: Act): void {
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
    .option('--jump <host>', 'jump host, nearest first; repeatable', collect)
    .addHelpText('after', HOST_EXAMPLE)
    .action(act(hostAddCommand));
  command(
    host,
    'import [names...]',
    'Import hosts of ~/.ssh/config and the files it includes, with their jump hosts; without names, list them. Nothing in them is run',
  )
    .option('--all', 'all that are not saved yet')
    .option('--config <file>', 'another configuration file')
    .action(act(hostImportCommand));
  command(host, 'list', 'List hosts').action(act(hostListCommand));
  command(host, 'test <name>', 'Connect, and show facts and benchmark tools')
    .option('--accept-key <fingerprint>', 'trust this SHA256 fingerprint at first contact')
    .action(act(hostTestCommand));
  command(host, 'facts <name>', 'Print the facts of a host as JSON').action(act(hostFactsCommand));
  const target = program.command('target').description('Systems under test');
  command(target, 'add <name>', 'Add a target')
    .requiredOption('--kind <kind>', `one of ${TARGET_KINDS}`)
    .option('--via <host>', 'host through whose SSH connection the app reaches it')
    .option('--config <name=value>', 'a setting of its kind, see below; repeatable', collect)
    .option('--secret-file <file>', 'file (mode 600) that holds the password, - for standard input')
    .addHelpText('after', TARGET_HELP)
    .action(act(targetAddCommand));
  command(target, 'list', 'List targets').action(act(targetListCommand));
  command(target, 'test <name>', 'Connect, and show version and settings that matter').action(act(targetTestCommand));
}
