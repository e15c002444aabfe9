import { randomBytes } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { ExecResult, Machine } from '../hosts/machine.ts';

/** A line of a script's output that is meant for us: its first word, and the rest. */
export interface Reply {
  word: string;
  rest: string;
}

/** A random value, used once, that marks our lines among the output of login scripts. */
export const newNonce = (): string => randomBytes(12).toString('hex');

/** Variable assignments in sh, each value quoted. */
export const assignments = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${shellQuote(String(value))}`)
    .join('\n');

export interface AskOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  nonce?: string;
  /** Word of the last reply, if there are several. */
  last?: string;
}

/**
 * Runs a script that prints `reply` lines. It may run three times: a shell killed halfway is no answer, and all of our scripts can be
 * repeated. Throws `host-refused` if none replied.
 */
export async function ask(
  machine: Machine,
  script: string,
  values: Record<string, string | number>,
  options: AskOptions = {},
): Promise<Reply[]> {
  const nonce = options.nonce ?? newNonce();
  for (let attempt = 1; ; attempt++) {
    const result = await machine.exec(`${assignments({ nonce, ...values })}\n${script}`, {
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    });
    const replies = parseReplies(nonce, result.stdout);
    const last = replies.at(-1);
    if (last && (options.last === undefined || options.last === last.word)) return replies;
    if (attempt === 3) throw noAnswer(machine.name, result);
  }
}

export function parseReplies(nonce: string, stdout: string): Reply[] {
  const mark = `@@${nonce} `;
  return (
    stdout
      .split('\n')
      // Anything after the last line break is an incomplete line.
      .slice(0, -1)
      .filter((line) => line.includes(mark))
      .map((line) => {
        const text = line.slice(line.indexOf(mark) + mark.length);
        const blank = text.indexOf(' ');
        return blank < 0 ? { word: text, rest: '' } : { word: text.slice(0, blank), rest: text.slice(blank + 1) };
      })
  );
}

export function noAnswer(host: string, result: Pick<ExecResult, 'stdout' | 'stderr'>): KneepointError {
  const words = `${result.stdout}\n${result.stderr}`.trim().slice(0, 300);
  return new KneepointError({
    code: 'host-refused',
    host,
    message: `${host} accepted the connection but did not run Kneepoint’s script.${words ? ` Its output: ${words}` : ''}`,
    safe: 'Jobs on the host are not affected.',
    next: 'Log in to the host manually and check that the account can run /bin/sh.',
  });
}

/** The error for a reply that our own scripts never send. */
export const unexpectedAnswer = (host: string, reply: Reply | undefined): KneepointError =>
  new KneepointError({
    code: 'internal',
    host,
    message: `${host} returned unexpected output: ${reply ? `${reply.word} ${reply.rest}`.slice(0, 300) : 'none'}.`,
    safe: 'Nothing was changed.',
    next: 'Report this with the diagnostics file.',
  });

/** The id names a directory, so it may have only letters, digits and dashes. */
export function checkId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(id)) return id;
  throw new KneepointError({ code: 'bad-request', message: `“${id}” is not a job id: it must be a UUID.` });
}

/** Repeats an action after link losses: five attempts, each as soon as the link is up again. Any other error ends it immediately. */
export async function retrying<Value>(
  machine: Machine,
  signal: AbortSignal | undefined,
  action: () => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    await machine.ready(signal);
    try {
      return await action();
    } catch (error) {
      if (!isLinkLoss(error) || attempt === 5) throw error;
    }
  }
}

export const isLinkLoss = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'host-unreachable';
