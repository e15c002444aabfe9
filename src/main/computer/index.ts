import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { native } from '../../shared/contract/native.ts';
import { channels } from '../../shared/rpc/channels.ts';
import { connect } from '../../shared/rpc/client.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { ipcTransport, mainPortTransport } from '../../shared/rpc/transports.ts';
import type { Log, Outside } from '../engine/outside.ts';
import type { SecretKeeper } from '../engine/secrets/vault.ts';

const stderr = (line: string): void => {
  process.stderr.write(`kneepoint: ${line}\n`);
};

interface OutsideOptions {
  mode: Outside['mode'];
  /** Folder of the library, if given by the user. */
  dataDir?: string | undefined;
  /** Replaces the log file, for programs with their own output. */
  log?: Log;
}

/** Folder of the library: the given one, or the default. */
export const libraryFolder = (named?: string): string => (named ? path.resolve(named) : dataFolder());

/** Dependencies of the engine on the process and the computer. */
export function outsideOf({ mode, dataDir, log }: OutsideOptions): Outside {
  const data = libraryFolder(dataDir);
  const { folder, version } = appFolder(import.meta.filename);
  return {
    dataDir: data,
    // In a package, programs other than Electron can only read files outside the archive, in the folder next to it.
    assetsDir: folder.replace(/app\.asar$/, 'app.asar.unpacked'),
    nodePath: nodePath(folder),
    version,
    mode,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: log ?? fileLog(path.join(data, 'logs'), stderr),
  };
}

/** The default folder of the library: `KNEEPOINT_DATA`, or else the operating system's folder for application data. */
export function dataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = os.homedir(),
): string {
  if (env.KNEEPOINT_DATA) return path.resolve(env.KNEEPOINT_DATA);
  if (platform === 'darwin') return path.join(home, 'Library/Application Support/Kneepoint');
  if (platform === 'win32') return path.join(env.APPDATA || path.join(home, 'AppData/Roaming'), 'Kneepoint');
  // According to the XDG specification, relative paths in the variable must be ignored.
  const shared = env.XDG_DATA_HOME;
  return path.join(shared && path.isAbsolute(shared) ? shared : path.join(home, '.local/share'), 'kneepoint');
}

/** The app's folder, searched upwards from one of its files: the same in a clone, in a build and in a package. */
export function appFolder(from: string): { folder: string; version: string } {
  for (let folder = path.dirname(from); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string };
      if (name === 'kneepoint') return { folder, version };
    }
    if (folder === path.dirname(folder)) throw new Error(`No folder above ${from} is Kneepoint's own.`);
  }
}

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly versions: { readonly electron?: string };
  readonly execPath: string;
  readonly platform: string;
}

/**
 * A Node that can run the app's own programs as jobs, which outlive this process. A package contains one next to its archive
 * (`electron-builder.yml`), because Electron's own executable is not allowed to act as Node (`docs/security.md`).
 */
export function nodePath(appFolder: string, self: Process = process): string {
  if (self.env.KNEEPOINT_NODE) return self.env.KNEEPOINT_NODE;
  if (!self.versions.electron) return self.execPath;
  return path.join(path.dirname(appFolder), 'node', self.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Milliseconds for closing. Measured data is committed within this time, or read again from the job's files at the next start. Most of it is for
 * hosts that take long to end the monitors of a session that has just ended.
 */
const LONGEST_MS = 6000;

/** Returns a function that closes and then ends this process. It also runs on Ctrl+C and on termination requests. */
export function endOnSignals(close: () => Promise<void>, report: (error: unknown) => void): () => void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), LONGEST_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        report(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return end;
}

/** The reader of the output may stop reading (`| head`), which must not abort running work. */
export function ignoreClosedPipe(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}

const LARGEST = 5 * 1024 * 1024;

/**
 * Writes diagnostics as one JSON object per line to `<folder>/kneepoint.log`; the previous file is kept as `kneepoint.1.log`. Warnings and errors
 * also go to `echo` (stderr) as a sentence. A log that cannot be written never stops the app; this is reported once.
 */
export function fileLog(folder: string, echo: (line: string) => void): Log {
  const file = path.join(folder, 'kneepoint.log');
  let broken = false;
  const attempt = (act: () => void): void => {
    if (broken) return;
    try {
      act();
    } catch (error) {
      broken = true;
      echo(
        `The log ${file} cannot be written (${error instanceof Error ? error.message : String(error)}); continuing without it.`,
      );
    }
  };
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST)
      renameSync(file, path.join(folder, 'kneepoint.1.log'));
  });

  const write = (level: string, message: string, fields: Record<string, unknown> = {}): void => {
    const entry = redact({ at: new Date().toISOString(), level, pid: process.pid, message, ...fields });
    attempt(() => appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 }));
    if (level !== 'info') echo(`${level}: ${JSON.stringify(redact(message))}`);
  };
  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  };
}

const SECRET_KEY = /pass(word|phrase|wd)?$|secret|token|private_?key|^authorization$|^cookie$/i;
/** `user:password@` in an address, and `password=…` in an option or a connection string. */
const IN_TEXT: readonly [RegExp, string][] = [
  [/(\/\/[^\s/:@]*):[^\s/@]+@/g, '$1:•••@'],
  [/((?:password|passphrase|passwd|pwd|token|secret)["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&"']+)/gi, '$1•••'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, '•••'],
];

/** A copy with probable secrets removed. Errors become message and stack, bytes become their length, cycles are cut. */
function redact(value: unknown, seen: readonly object[] = []): unknown {
  if (typeof value === 'string') return IN_TEXT.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (seen.includes(value)) return '(itself)';
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  const inner = [...seen, value];
  if (Array.isArray(value)) return value.map((entry) => redact(entry, inner));
  const entries = Object.entries(value);
  if (value instanceof Error) entries.push(['message', value.message], ['stack', value.stack]);
  return Object.fromEntries(entries.map(([key, entry]) => [key, SECRET_KEY.test(key) ? '•••' : redact(entry, inner)]));
}

/** The shell, as seen by the engine's process. Names of conversations: `native` (its few calls), `page…` (one per page). */
interface Parent {
  onConversation(listener: (name: string, transport: Transport) => void): void;
  /** From now on, pages can be connected. */
  ready(): void;
  /** Called when the shell has ended, or requests the end of this process. */
  onEnd(listener: () => void): void;
}

/** Electron's utility process: conversations arrive as message ports. */
interface UtilityPort {
  on(event: 'message', listener: (event: { data: unknown; ports: MainPort[] }) => void): void;
  postMessage(message: unknown): void;
}
type MainPort = Parameters<typeof mainPortTransport>[0];

/** The shell that started this process, over either kind of connection. Undefined without a shell. */
export function parentOf(self: NodeJS.Process & { parentPort?: UtilityPort }): Parent | undefined {
  if (self.parentPort) return utilityParent(self.parentPort);
  return self.send ? childParent(self) : undefined;
}

function utilityParent(port: UtilityPort): Parent {
  let conversation: ((name: string, transport: Transport) => void) | undefined;
  let end: (() => void) | undefined;
  return {
    onConversation: (listener) => {
      conversation = listener;
      port.on('message', ({ data, ports }) => {
        if (data === 'end') end?.();
        else if (ports[0] && typeof data === 'string') conversation?.(data, mainPortTransport(ports[0]));
      });
    },
    ready: () => port.postMessage('ready'),
    onEnd: (listener) => {
      end = listener;
    },
  };
}

function childParent(self: NodeJS.Process): Parent {
  const pipe = ipcTransport(self);
  const talk = channels(pipe);
  return {
    onConversation: (listener) => talk.onOpen(listener),
    ready: () => {
      talk.open('ready');
    },
    onEnd: (listener) => pipe.onClose(listener),
  };
}

/** The operating system's keychain, accessed through the shell. Undefined if there is no real one. */
export async function keychainOf(transport: Transport): Promise<SecretKeeper | undefined> {
  const shell = connect(native, transport);
  const { available } = await shell.keychain({});
  if (!available) return undefined;
  return {
    seal: async (text) => (await shell.encrypt({ text })).bytes,
    open: async (bytes) => (await shell.decrypt({ bytes })).text,
  };
}
