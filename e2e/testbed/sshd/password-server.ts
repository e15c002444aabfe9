import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import ssh2, { type AuthContext, type Connection, type KeyboardAuthContext } from 'ssh2';
import { fingerprintOf } from '../../../src/main/engine/hosts/ssh/host-keys.ts';

export interface PasswordServerOptions {
  user: string;
  password: string;
  /** Accepted login methods. `keyboard-and-code` also asks for a one-time code. Default `password`. */
  ask?: 'password' | 'keyboard' | 'keyboard-and-code';
  /** Number of first logins in the middle of which the server hangs up. Default 0. */
  brokenLogins?: number;
}

export interface PasswordServer {
  readonly port: number;
  readonly fingerprint: string;
  /** Logins refused so far; queries for the available methods do not count. */
  refused(): number;
  connections(): number;
  /** Ends every open connection. */
  hangUp(): void;
  close(): Promise<void>;
}

/**
 * A small SSH server for password logins, which sshd cannot accept without changing the accounts of this machine. Commands run in /bin/sh as the
 * account of the tests.
 */
export async function startPasswordServer(options: PasswordServerOptions): Promise<PasswordServer> {
  const { hostKey, parsed } = readableKey();
  const open = new Set<Connection>();
  const children = new Set<ChildProcess>();
  let refused = 0;
  let brokenLogins = options.brokenLogins ?? 0;
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    // Clients that hang up in the middle are part of the tests.
    connection.on('error', () => connection.end());
    connection.on('authentication', (context) => {
      if (context.method === methodOf(options) && brokenLogins > 0) {
        brokenLogins -= 1;
        connection.end();
        return;
      }
      authenticate(context, options, () => {
        refused += 1;
      });
    });
    connection.on('ready', () => serve(connection, children));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    fingerprint: fingerprintOf(parsed.getPublicSSH()),
    refused: () => refused,
    connections: () => open.size,
    hangUp() {
      for (const connection of open) connection.end();
    },
    async close() {
      for (const connection of open) connection.end();
      for (const child of children) child.kill('SIGKILL');
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const methodOf = (options: PasswordServerOptions) =>
  (options.ask ?? 'password') === 'password' ? 'password' : 'keyboard-interactive';

function authenticate(context: AuthContext, options: PasswordServerOptions, onRefused: () => void): void {
  const method = methodOf(options);
  const decide = (right: boolean) => {
    if (right) return context.accept();
    onRefused();
    context.reject([method]);
  };
  if (context.method !== method || context.username !== options.user) context.reject([method]);
  else if (context.method === 'password') decide(context.password === options.password);
  else if (context.method === 'keyboard-interactive') askByKeyboard(context, options, decide);
}

function askByKeyboard(
  context: KeyboardAuthContext,
  options: PasswordServerOptions,
  decide: (right: boolean) => void,
): void {
  const questions = [{ prompt: 'Password: ', echo: false }];
  if (options.ask === 'keyboard-and-code') questions.push({ prompt: 'Verification code: ', echo: true });
  context.prompt(questions, (answers) => decide(answers[0] === options.password && questions.length === 1));
}

function serve(connection: Connection, children: Set<ChildProcess>): void {
  connection.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, info) => {
      const channel = acceptExec();
      const child = spawn('/bin/sh', ['-c', info.command], { stdio: 'pipe' });
      children.add(child);
      channel.pipe(child.stdin);
      child.stdout.pipe(channel, { end: false });
      child.stderr.pipe(channel.stderr, { end: false });
      child.once('close', (code) => {
        children.delete(child);
        channel.exit(code ?? 255);
        channel.end();
      });
    });
  });
  connection.on('tcpip', (accept, reject, info) => {
    const socket = connect(info.destPort, info.destIP);
    socket.once('error', () => reject());
    socket.once('connect', () => {
      const channel = accept();
      channel.pipe(socket).pipe(channel);
    });
  });
}

/** ssh2 itself cannot read one in two hundred of the keys that it creates. */
function readableKey() {
  for (;;) {
    const hostKey = ssh2.utils.generateKeyPairSync('ed25519');
    const parsed = ssh2.utils.parseKey(hostKey.public);
    if (!(parsed instanceof Error)) return { hostKey, parsed };
  }
}
