import type { Readable, Writable } from 'node:stream';
import { KneepointError } from '../../../shared/model/problem.ts';
import { cancelled, throwIfCancelled } from './cancel.ts';
import type { ExecResult, Spawned } from './machine.ts';

const OUTPUT_LIMIT = 4 * 1024 * 1024;
const ERRORS_KEPT = 64 * 1024;
const DEFAULT_LIMIT_MS = 30_000;
/** Time for a spawned script to react to the end of its standard input before it gets TERM. */
const CLOSE_GRACE_MS = 2_000;

/** The only command that ever runs on a host. It works with any login shell (fish, csh), and contains no field. */
export const SHELL_COMMAND = 'exec /bin/sh -s';

/** How a shell ended; `failure` if the link was lost before that was known. */
export interface ShellEnd {
  code?: number;
  signal?: string;
  failure?: KneepointError;
}

/** A running `sh -s`, here or on a host: both kinds of machine are based on this. */
export interface Shell {
  readonly input: Writable;
  readonly output: Readable;
  readonly errors: Readable;
  /** Commands to run before the script, for the reader of `output` to wait for. */
  readonly preamble: string;
  /** Settles once, when the shell or the link is gone. Never rejects; the outputs may still have unread bytes. */
  readonly ended: Promise<ShellEnd>;
  /** Sends TERM to its process group, then disconnects. */
  terminate(): void;
}

/**
 * The script in the form that `sh -s` must receive. The braces make sh read it completely before it runs the first command: a script
 * truncated by a lost link does nothing at all, and a command that reads standard input cannot consume the rest of the script.
 */
const scriptText = (shell: Shell, script: string, input: string): string =>
  `${shell.preamble}{ :\n${script}\nexit\n}${input}\n`;

/** Runs a script to its end, see `Machine.exec`. */
export async function runToEnd(
  host: string,
  shell: Shell,
  script: string,
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ExecResult> {
  const limitMs = options.timeoutMs ?? DEFAULT_LIMIT_MS;
  let fail: (error: KneepointError) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const timer = setTimeout(() => fail(tooSlow(host, limitMs)), limitMs);
  const onAbort = () => fail(cancelled(host));
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) onAbort();
  const stdout = collect(shell.output, () => fail(tooMuch(host)));
  const stderr = collect(shell.errors, () => fail(tooMuch(host)));
  try {
    // Input stays open, because SSH can signal a command only on a channel that is open in both directions.
    if (!options.signal?.aborted) shell.input.write(scriptText(shell, script, ' </dev/null'));
    const end = await Promise.race([shell.ended, failed]);
    if (end.failure) throw end.failure;
    const outputs = await Promise.race([Promise.all([stdout, stderr]), failed]);
    return { ...status(end), stdout: outputs[0], stderr: outputs[1] };
  } catch (error) {
    shell.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

/** Starts a script whose standard input stays open, see `Machine.spawn`. */
export function keepRunning(host: string, shell: Shell, script: string, signal?: AbortSignal): Spawned {
  let errors = Buffer.alloc(0);
  shell.errors.on('data', (chunk: Buffer) => {
    errors = Buffer.concat([errors, chunk]).subarray(-ERRORS_KEPT);
  });
  let closing = false;
  const close = () => {
    if (closing) return;
    closing = true;
    shell.input.end();
    shell.output.resume();
    const timer = setTimeout(() => shell.terminate(), CLOSE_GRACE_MS);
    void shell.ended.then(() => clearTimeout(timer));
  };
  const onAbort = () => {
    closing = true;
    shell.output.resume();
    shell.terminate();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  void shell.ended.then(() => signal?.removeEventListener('abort', onAbort));
  if (!signal?.aborted) shell.input.write(scriptText(shell, script, ''));
  return {
    stdout: readAll(host, shell, { signal, close, closing: () => closing }),
    stderr: () => errors.toString('utf8'),
    done: shell.ended.then(status),
    write: (text) => {
      if (!closing && shell.input.writable) shell.input.write(text);
    },
    close,
  };
}

async function* readAll(
  host: string,
  shell: Shell,
  state: { signal: AbortSignal | undefined; close: () => void; closing: () => boolean },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of shell.output.iterator({ destroyOnReturn: false })) yield chunk;
    const { failure } = await shell.ended;
    throwIfCancelled(host, state.signal);
    if (failure) throw failure;
  } catch (error) {
    throwIfCancelled(host, state.signal);
    // After we closed it, the stream may end at any byte: that is not a lost link.
    if (!state.closing()) throw error;
  } finally {
    state.close();
  }
}

function status(end: ShellEnd): { code?: number; signal?: string } {
  return {
    ...(end.code === undefined ? {} : { code: end.code }),
    ...(end.signal === undefined ? {} : { signal: end.signal }),
  };
}

function collect(stream: Readable, onTooMuch: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > OUTPUT_LIMIT) onTooMuch();
    else chunks.push(chunk);
  });
  return new Promise((resolve) => {
    const whole = () => resolve(Buffer.concat(chunks).toString('utf8'));
    stream.once('end', whole);
    stream.once('close', whole);
  });
}

function tooSlow(host: string, limitMs: number): KneepointError {
  return new KneepointError({
    code: 'host-unreachable',
    host,
    message: `${host} did not finish a command within ${limitMs / 1000} s.`,
    safe: 'Jobs on the host are not affected.',
    next: 'Check the load of the host and the network, then try again.',
  });
}

function tooMuch(host: string): KneepointError {
  return new KneepointError({
    code: 'internal',
    host,
    message: `A command on ${host} printed more than 4 MiB, which is unexpected.`,
    safe: 'Nothing was stored.',
    next: 'Report this with the diagnostics file.',
  });
}
