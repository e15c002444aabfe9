import type { Command } from 'commander';
import type { TargetKindInfo } from '../../../shared/model/target.ts';
import { TARGETS, targetKindInfo } from '../../engine/targets/index.ts';
import {
  hostAddCommand,
  hostFactsCommand,
  hostImportCommand,
  hostListCommand,
  hostSyncsCommand,
  hostTestCommand,
} from '../commands/hosts.ts';
import {
  serverActCommand,
  targetPlaceCommand,
  targetProgramsCommand,
  targetServerCommand,
} from '../commands/servers.ts';
import { targetAddCommand, targetListCommand, targetTestCommand } from '../commands/targets.ts';
import { type Act, type AddCommand, collect } from './command.ts';

const KINDS = TARGETS.map(targetKindInfo);

/** Names that --config accepts, required ones first. */
function settingsOf({ schema }: TargetKindInfo): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(schema.properties ?? {});
  return [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))].join(
    ', ',
  );
}

const TARGET_KINDS = KINDS.map(({ kind }) => kind).join(', ');

const TARGET_HELP = `
Names that --config takes, by kind:
${KINDS.map((target) => `  ${target.kind.padEnd(10)}  ${settingsOf(target)}`).join('\n')}

  tls                     disabled, preferred, required or verify (mongodb: disabled, required or verify)
  serverKey               public key of the server (PEM). Without TLS, a password of the kind caching_sha2_password or
                          sha256_password is encrypted with this key only
  allowCleartextPassword  true: without TLS the password may be sent in cleartext, and can be read by the server or on
                          the network. Shown on the target. Otherwise such a login is refused

Examples (the address is the one that the load generator sees):
  kneepoint target add shop-db --kind mysql --via loadgen --config address=10.0.0.8 --config user=bench \\
    --config database=sbtest --secret-file db-password.txt --passphrase-file vault-passphrase.txt
  kneepoint target add shop-db --kind mysql … --config tls=disabled --config serverKey="$(cat public_key.pem)"
  kneepoint target test shop-db --passphrase-file vault-passphrase.txt`;

const PLACE_HELP = `
Names that --server takes:
  host           saved server host, or "this computer"
  control        none, systemd, commands or managed
  settings-file  file that the server includes and only Kneepoint writes
  limit          time limit for a start, stop or restart in seconds; default 120
  systemd        unit, sudo=true
  commands       start, stop, restart, reload, kill, status: run by sh on the host
  managed        program, folder, set.NAME for a setting by the server's name; PgBouncer also needs --behind

For a proxy, --server names the place of the proxy, and --behind the target that leads to the server directly: data is
prepared there, and its caches, durability and process are checked.

Examples:
  kneepoint target place shop-db --server host=db1 --server control=systemd --server unit=mariadb.service --server sudo=true
  kneepoint target programs db1 --kind mysql
  kneepoint target place shop-db --server host=db1 --server control=managed --server program=mariadbd \\
    --server set.innodb_buffer_pool_size=4G
  kneepoint target place shop-db --server-file place.yaml
  kneepoint target place shop-proxy --server host=lb1 --server control=systemd --server unit=haproxy.service --behind shop-db
  kneepoint target start shop-db`;

const SERVER_WORDS = 'where its server runs, see docs/servers.md; repeatable';
const BEHIND_WORDS = 'for a proxy: the target of the server behind it';
const SERVER_FILE_WORDS = 'the same as a YAML file, - for standard input';
const ACT_WORDS = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;

const HOST_EXAMPLE = `
Example:
  kneepoint host add loadgen --address 10.0.0.7 --user bench --key ~/.ssh/id_ed25519
  kneepoint host test loadgen`;

export function addInventory(program: Command, command: AddCommand, act: Act): void {
  const host = program.command('host').description('Hosts that Kneepoint connects to via SSH');
  command(host, 'add <name>', 'Add a host')
    .requiredOption('--address <address>', 'name or address')
    .option('--port <port>', 'SSH port', '22')
    .requiredOption('--user <user>', 'user to log in as')
    .option('--key <file>', 'private key; without it the SSH agent is used')
    .option(
      '--secret-file <file>',
      'file (mode 600) with the password or the passphrase of the key, - for standard input',
    )
    .option('--jump <host>', 'jump host, nearest first; repeatable', collect)
    .addHelpText('after', HOST_EXAMPLE)
    .action(act(hostAddCommand));
  command(
    host,
    'import [names...]',
    'Import hosts of ~/.ssh/config and the files it includes, with their jump hosts; without names, list them. Commands in them are not run',
  )
    .option('--all', 'all hosts that are not saved yet')
    .option('--config <file>', 'another configuration file')
    .action(act(hostImportCommand));
  command(host, 'list', 'List hosts').action(act(hostListCommand));
  command(host, 'test <name>', 'Connect, and show facts and benchmark tools')
    .option('--accept-key <fingerprint>', 'trust this SHA256 fingerprint at first contact')
    .action(act(hostTestCommand));
  command(
    host,
    'syncs <name> <folder>',
    'Measure synced writes per second in a folder for a few seconds, and store the result with the host facts',
  ).action(act(hostSyncsCommand));
  command(host, 'facts <name>', 'Print the facts of a host as JSON').action(act(hostFactsCommand));
  const target = program.command('target').description('Systems under test');
  command(target, 'add <name>', 'Add a target')
    .requiredOption('--kind <kind>', `one of ${TARGET_KINDS}`)
    .option('--via <host>', 'host whose SSH connection Kneepoint uses to reach it')
    .option('--config <name=value>', 'setting for its kind, see below; repeatable', collect)
    .option('--secret-file <file>', 'file (mode 600) with the password, - for standard input')
    .option('--server <name=value>', SERVER_WORDS, collect)
    .option('--server-file <file>', SERVER_FILE_WORDS)
    .option('--behind <target>', BEHIND_WORDS)
    .addHelpText('after', TARGET_HELP)
    .action(act(targetAddCommand));
  command(target, 'list', 'List targets').action(act(targetListCommand));
  command(target, 'test <name>', 'Connect, and show version and settings that matter').action(act(targetTestCommand));
  command(target, 'place <name>', 'Set the server host of a target, and how it is started there')
    .option('--server <name=value>', SERVER_WORDS, collect)
    .option('--server-file <file>', SERVER_FILE_WORDS)
    .option('--behind <target>', `${BEHIND_WORDS}, "" for none`)
    .option('--unknown', 'forget the host: Kneepoint only connects to the server')
    .option('--give-up <name>', 'name of the target: keep changes made by sessions, and forget the original values')
    .addHelpText('after', PLACE_HELP)
    .action(act(targetPlaceCommand));
  command(
    target,
    'server <name>',
    'Show whether the server of a target runs, since when, and which session varies it',
  ).action(act(targetServerCommand));
  for (const verb of ['start', 'stop', 'restart'] as const)
    command(target, `${verb} <name>`, `${ACT_WORDS[verb]} the server of a target, and wait until it is done`).action(
      act(serverActCommand(verb)),
    );
  command(target, 'programs <host>', 'List server programs on a host that Kneepoint could start')
    .requiredOption('--kind <kind>', 'kind of target')
    .action(act(targetProgramsCommand));
}
