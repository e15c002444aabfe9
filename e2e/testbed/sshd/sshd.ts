import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fault, jobFolders } from '../left.ts';
import { freePort } from '../ports.ts';
import { yielding } from '../yielding.ts';
import {
  descendantsOf,
  isRoot,
  makeFolder,
  processesOf,
  programOf,
  removeFolder,
  signalProcess,
  startOf,
} from './workspace.ts';

const SSHD = '/usr/sbin/sshd';
/**
 * Hosts record in /var/tmp who varies them: one machine would take all of its namespaces for one host. A namespace has its own /sys, without
 * control groups, which every host has.
 */
const AS_HOST = 'mount --bind "$0" /var/tmp && mount --rbind "$1" /sys/fs/cgroup; shift; exec "$@"';
const WITH_CONTROL_GROUPS = 'mount --rbind /sys/fs/cgroup "$0" && exec "$@"';

export interface SshdOptions {
  /** Default 127.0.0.1 and a free port. */
  address?: string;
  port?: number;
  /** Runs inside this network namespace, with its own /var/tmp. */
  namespace?: string;
  /** Additional lines of sshd_config: `{ MaxSessions: '10', ChannelTimeout: 'session=5s' }`. They override ours. */
  settings?: Readonly<Record<string, string>>;
  /** Text of `~/.bashrc`, which bash reads when sshd starts it. */
  bashrc?: string;
  /** Authorized public keys in addition to our own client key. */
  authorizedKeys?: readonly string[];
}

/** A real OpenSSH server with its own configuration, host key, home and client key. */
export interface TestSshd {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Authorized private key. */
  readonly keyFile: string;
  /** HOME of every login, with its files. */
  readonly home: string;
  /** Current fingerprint of the host key, `SHA256:…`. */
  fingerprint(): string;
  /** Public host key as in a known_hosts line: type, space, base64. */
  hostKey(): string;
  /** Everything the server has logged so far (LogLevel VERBOSE). */
  log(): string;
  /** Processes of the open sessions. */
  sessions(): number[];
  signalSessions(signal: NodeJS.Signals): void;
  /** Ends the listener; open sessions continue. */
  stopListening(): Promise<void>;
  startListening(): Promise<void>;
  /** New host key; open sessions keep the old one. */
  swapHostKey(): Promise<void>;
  /** Restores the first host key. */
  restoreHostKey(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server and waits until it listens. Needs the Debian package openssh-server; as root it needs /run/sshd. */
export async function startSshd(options: SshdOptions = {}): Promise<TestSshd> {
  const folder = makeFolder('sshd');
  const address = options.address ?? '127.0.0.1';
  const port = options.port ?? (await freePort());
  const files = prepareFiles(folder, options);
  let hostKeyFile = files.hostKeys.first;
  let log = '';
  let listener: ChildProcess | undefined;
  // Sessions of an earlier listener no longer have a parent. Keyed with their start time: process ids are reused.
  const orphans = new Map<number, string>();

  const startListening = async () => {
    const config = join(folder, 'sshd_config');
    writeFileSync(config, configText(folder, { address, port, hostKeyFile, settings: options.settings ?? {} }));
    const command = [SSHD, '-D', '-e', '-f', config];
    const inside = options.namespace
      ? [
          ...['unshare', '--mount', 'sh', '-c', WITH_CONTROL_GROUPS, files.controlGroups],
          ...['ip', 'netns', 'exec', options.namespace, 'sh', '-c', AS_HOST, files.varTmp, files.controlGroups],
          ...command,
        ]
      : command;
    const [program = '', ...args] = [...yielding(), ...inside];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    listener = child;
    await listening(
      child,
      (text) => {
        log += text;
      },
      () => log,
    );
  };
  const everything = () => {
    const own = listener?.pid === undefined ? [] : descendantsOf(listener.pid);
    const living = [...orphans].filter(([pid, start]) => startOf(pid) === start);
    const orphaned = living.flatMap(([pid]) => [pid, ...descendantsOf(pid)]);
    return [...new Set([...own, ...orphaned])];
  };
  // A process started by a session is not the session: a job must outlive it.
  const sessions = () => everything().filter((pid) => programOf(pid).startsWith('sshd'));
  const stopListening = async () => {
    const child = listener;
    if (child?.pid === undefined) return;
    listener = undefined;
    for (const pid of descendantsOf(child.pid)) orphans.set(pid, startOf(pid));
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const setHostKey = async (file: string) => {
    hostKeyFile = file;
    await stopListening();
    await startListening();
  };
  await startListening();
  const signalSessions = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGSTOP') stopped.begun();
    else stopped.ended();
    for (const pid of sessions()) signalProcess(pid, signal);
  };
  const stopped = fault(`SSH sessions of ${address} were stopped.`, () => signalSessions('SIGCONT'));
  const listenAgain = async (): Promise<void> => {
    down.ended();
    await startListening();
  };
  const down = fault(`${address} did not listen for SSH.`, listenAgain);
  const jobs = join(files.home, '.local/state/kneepoint/jobs');
  jobFolders.add(jobs);
  return {
    address,
    port,
    user: userInfo().username,
    keyFile: files.clientKey,
    home: files.home,
    fingerprint: () =>
      execFileSync('ssh-keygen', ['-lf', `${hostKeyFile}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '',
    hostKey: () => readFileSync(`${hostKeyFile}.pub`, 'utf8').split(' ').slice(0, 2).join(' '),
    log: () => log,
    sessions,
    signalSessions,
    async stopListening() {
      down.begun();
      await stopListening();
    },
    startListening: listenAgain,
    swapHostKey: () => setHostKey(makeKey(join(folder, `host_key_${Date.now()}`))),
    restoreHostKey: () => setHostKey(files.hostKeys.first),
    async close() {
      for (const each of [stopped, down]) each.ended();
      jobFolders.delete(jobs);
      const left = everything();
      await stopListening();
      for (const pid of [...left, ...processesOf(folder)]) signalProcess(pid, 'SIGKILL');
      removeFolder(folder);
    },
  };
}

function prepareFiles(folder: string, options: SshdOptions) {
  // Without its own HOME a login would read the files of the account that runs the tests.
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  if (options.bashrc !== undefined) writeFileSync(join(home, '.bashrc'), options.bashrc);
  if (isRoot()) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const varTmp = join(folder, 'var-tmp');
  mkdirSync(varTmp);
  chmodSync(varTmp, 0o1777);
  const controlGroups = join(folder, 'control-groups');
  mkdirSync(controlGroups);
  const clientKey = makeKey(join(folder, 'client_key'));
  const allowed = [readFileSync(`${clientKey}.pub`, 'utf8').trim(), ...(options.authorizedKeys ?? [])];
  writeFileSync(join(folder, 'authorized_keys'), `${allowed.join('\n')}\n`);
  return { home, varTmp, controlGroups, clientKey, hostKeys: { first: makeKey(join(folder, 'host_key')) } };
}

/** Creates an ed25519 key pair and returns the path of its private half. */
export function makeKey(file: string, passphrase = ''): string {
  rmSync(file, { force: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'test', '-f', file]);
  return file;
}

function configText(
  folder: string,
  server: { address: string; port: number; hostKeyFile: string; settings: Readonly<Record<string, string>> },
): string {
  const own = {
    ListenAddress: `${server.address}:${server.port}`,
    HostKey: server.hostKeyFile,
    PidFile: 'none',
    AuthorizedKeysFile: join(folder, 'authorized_keys'),
    // The folders belong to the tests, which may run with any umask.
    StrictModes: 'no',
    UsePAM: 'no',
    PermitRootLogin: 'yes',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    PrintMotd: 'no',
    UseDNS: 'no',
    LogLevel: 'VERBOSE',
    SetEnv: `HOME=${join(folder, 'home')}`,
  };
  // sshd uses the first value of each setting.
  const lines = [...Object.entries(server.settings), ...Object.entries(own)];
  return `${lines.map(([name, value]) => `${name} ${value}`).join('\n')}\n`;
}

function listening(child: ChildProcess, onText: (text: string) => void, log: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`sshd did not start:\n${log()}`)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onText(text);
      seen += text;
      if (seen.includes('Server listening on')) resolve();
    });
  });
}
