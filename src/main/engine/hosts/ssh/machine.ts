import { randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { throwIfCancelled } from '../cancel.ts';
import type { Machine } from '../machine.ts';
import { keepRunning, runToEnd, SHELL_COMMAND, type Shell, type ShellEnd } from '../shell.ts';
import type { Connection } from './connection.ts';
import type { Link } from './link.ts';
import { detailsOf, lostProblem } from './link-problems.ts';
import type { ForwardedStream } from './sockets.ts';

const SIGNAL_GRACE_MS = 500;

/** A machine behind a link. `onStream` is called with every stream that `dial` opens. */
export const createSshMachine = (
  name: string,
  link: Link,
  onStream: (stream: ForwardedStream, to: { address: string; port: number; label: string }) => void,
): Machine => ({
  name,
  exec: async (script, options = {}) =>
    runToEnd(name, await openShell(name, link, 'short', options.signal), script, options),
  spawn: async (script, options = {}) =>
    keepRunning(name, await openShell(name, link, 'long', options.signal), script, options.signal),
  async dial(address, port, label) {
    const stream = await openStream(name, link, `${address}:${port}`, (connection) =>
      connection.forward(address, port),
    );
    onStream(stream, { address, port, label });
    return stream;
  },
  async dialSocket(path, label) {
    const stream = await openStream(name, link, path, (connection) => connection.forwardSocket(path));
    onStream(stream, { address: path, port: 0, label });
    return stream;
  },
  hostKey: () => link.hostKey,
  link: () => link.state,
  ready: (signal) => link.ready(signal),
});

/** A forwarded stream that keeps its link from going idle. */
export async function openStream(
  host: string,
  link: Link,
  to: string,
  open: (connection: Connection) => Promise<ForwardedStream>,
): Promise<ForwardedStream> {
  const connection = await link.connection();
  const release = link.use();
  try {
    const stream = await open(connection);
    stream.once('close', release);
    return stream;
  } catch (error) {
    release();
    throw connection.lost() ?? dialProblem(host, to, error);
  }
}

function dialProblem(host: string, to: string, error: unknown): KneepointError {
  const { reason, message } = detailsOf(error);
  const forbidden = reason === 1;
  return new KneepointError(
    {
      code: forbidden ? 'host-refused' : 'target-unreachable',
      host,
      message: forbidden
        ? `${host} does not allow connections through it to ${to}.`
        : `Connection from ${host} to ${to} failed: ${message}.`,
      next: forbidden
        ? 'Allow TCP forwarding (AllowTcpForwarding, PermitOpen) in its sshd settings, or choose a generator on the host.'
        : 'Check the address as the host sees it, and that the server is running.',
    },
    { cause: error },
  );
}

async function openShell(
  host: string,
  link: Link,
  kind: 'short' | 'long',
  signal: AbortSignal | undefined,
): Promise<Shell> {
  throwIfCancelled(host, signal);
  const channels = await link.channels(signal);
  const release = link.use();
  try {
    return shellOf(host, channels.connection, await channels.shell(kind, signal), release);
  } catch (error) {
    release();
    throw error;
  }
}

function shellOf(host: string, connection: Connection, channel: ClientChannel, release: () => void): Shell {
  const marker = createMarker();
  const output = channel.pipe(new AfterMarker(marker));
  const errors = channel.stderr.pipe(new AfterMarker(marker));
  let exit: { code?: number; signal?: string } | undefined;
  let isDetached = false;
  const note = (code: number | null | undefined, signal?: string): void => {
    if (typeof code === 'number') exit = { code };
    else if (code === null) exit = { signal: signal ?? 'unknown' };
  };
  channel.once('exit', note);
  const ended = new Promise<ShellEnd>((resolve) => {
    const end = (failure: KneepointError | undefined) => {
      unsubscribe();
      release();
      // Unread output of a lost link is still delivered, then the streams end.
      if (!output.writableEnded) output.end();
      if (!errors.writableEnded) errors.end();
      resolve({ ...exit, ...(failure ? { failure } : {}) });
    };
    const unsubscribe = connection.onLost((problem) => end(isDetached || exit ? undefined : problem));
    channel.once('close', (code?: number | null, signal?: string) => {
      if (isDetached) return end(undefined);
      // A command that ends immediately may do so before there is a listener: its exit came with the reply that opened the channel.
      if (!exit) note(code, signal);
      if (!exit) return end(connection.lost() ?? lostProblem(host, 'it closed the channel before the command ended'));
      // The exit came before the marker: the login shell never reached /bin/sh.
      end(output.shellPid !== undefined ? undefined : noShell(host, output.noise || errors.noise));
    });
    channel.on('error', (error: Error) => end(lostProblem(host, error.message)));
  });
  return {
    input: channel,
    output,
    errors,
    preamble: printMarker(marker),
    ended,
    terminate() {
      isDetached = true;
      channel.signal('TERM');
      channel.destroy();
      channel.resume();
      channel.stderr.resume();
      endOnHost(connection, channel, output.shellPid);
    },
  };
}

/**
 * OpenSSH ignores signals for root, and keeps a session (and its place under MaxSessions) until the command has ended, even if its channel
 * is closed. So a command that still runs after a moment is ended by another one.
 */
function endOnHost(connection: Connection, channel: ClientChannel, shellPid: number | undefined): void {
  if (shellPid === undefined) return;
  const timer = setTimeout(async () => {
    const killer = await connection.shell(SHELL_COMMAND).catch((error: unknown) => detailsOf(error).message);
    // The command cannot be reached any more: the link is lost, and ending it is no longer necessary.
    if (typeof killer === 'string') return;
    killer.resume();
    killer.stderr.resume();
    killer.end(`kill -TERM -- -${shellPid} 2>/dev/null || kill -TERM ${shellPid}\n`);
  }, SIGNAL_GRACE_MS);
  channel.once('close', () => clearTimeout(timer));
}

function noShell(host: string, words: string): KneepointError {
  return new KneepointError({
    code: 'host-refused',
    host,
    message: `${host} accepted the login but does not let this account run commands${words ? `. Its message: ${words}` : '.'}`,
    next: 'Use an account with an ordinary login shell.',
  });
}

const NOISE_KEPT = 400;
const PID_LENGTH = 16;

/** A text that no login banner can contain. */
const createMarker = (): string => `@@kneepoint-${randomBytes(12).toString('hex')}`;

/** sh commands that print, on both outputs, a line of the marker and the shell's process id. */
const printMarker = (marker: string): string => `echo ${marker} $$; echo ${marker} $$ >&2\n`;

/** Drops everything up to and including the marker's line: output of `.bashrc` and similar files before the shell has started. */
class AfterMarker extends Transform {
  readonly #marker: string;
  #before = Buffer.alloc(0);
  #shellPid: number | undefined;

  constructor(marker: string) {
    super();
    this.#marker = marker;
  }

  /** Process id of the shell on the host; undefined until the marker has arrived. */
  get shellPid(): number | undefined {
    return this.#shellPid;
  }

  /** The last output before the marker: the reason, if no shell was started. */
  get noise(): string {
    return this.#before.subarray(-NOISE_KEPT).toString('utf8').trim();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const after = this.#shellPid === undefined ? this.#search(chunk) : chunk;
    if (after.length > 0) this.push(after);
    done();
  }

  #search(chunk: Buffer): Buffer {
    const text = Buffer.concat([this.#before, chunk]);
    const at = text.indexOf(this.#marker);
    const end = at < 0 ? -1 : text.indexOf('\n', at);
    if (end < 0) {
      this.#before = text.subarray(-(NOISE_KEPT + this.#marker.length + PID_LENGTH));
      return Buffer.alloc(0);
    }
    this.#before = Buffer.alloc(0);
    this.#shellPid = Number(text.toString('latin1', at + this.#marker.length, end));
    return text.subarray(end + 1);
  }
}
