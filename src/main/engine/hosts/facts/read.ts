import { randomBytes } from 'node:crypto';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../machine.ts';
import { isWhole, type ProbedTool, parseFacts } from './parse.ts';
import { CLOCK_SCRIPT, factsScript } from './script.ts';

const FACTS_LIMIT_MS = 60_000;
const CLOCK_EXCHANGES = 8;
const CLOCK_LIMIT_MS = 30_000;

/** Reads the facts of a machine and its tools. Writes nothing there. Throws what `Machine.exec` throws. */
export async function readFacts(
  machine: Machine,
  tools: readonly ProbedTool[],
  signal?: AbortSignal,
): Promise<HostFacts> {
  const cancel = signal ? { signal } : {};
  const nonce = randomBytes(8).toString('hex');
  const probes = tools.flatMap((tool) => (tool.probe ? [tool.probe] : []));
  const { stdout } = await machine.exec(factsScript(nonce, probes), { ...cancel, timeoutMs: FACTS_LIMIT_MS });
  if (!isWhole(stdout, nonce)) {
    throw new KneepointError({
      code: 'host-refused',
      host: machine.name,
      message: `${machine.name} stopped responding while its facts were read.`,
      safe: 'Earlier facts are stored.',
      next: 'Test the host again.',
    });
  }
  const clock = await readClock(machine, cancel);
  return {
    ...parseFacts(stdout, nonce, tools),
    ...(clock ? { clockOffsetMs: clock.offsetMs, clockRoundTripMs: clock.roundTripMs } : {}),
    readAt: Date.now(),
  };
}

/** This computer's clock minus the host's, milliseconds; accurate to half of `roundTripMs`. */
export interface ClockReading {
  offsetMs: number;
  roundTripMs: number;
  /**
   * Time of the host's boot on this computer's clock, epoch milliseconds. Derived from the uptime, which cannot be set; accurate to half of
   * `roundTripMs` plus the uptime's resolution of hundredths of a second. Undefined if the host does not report its uptime.
   */
  bootMs?: number;
}

/**
 * Asks the host for its time several times through one open shell, and uses the fastest response: no exchange waits for a channel or shell
 * to start, which would count as a clock difference. Undefined if the host does not report its time. Throws what `Machine.spawn` throws,
 * and `host-unreachable` if the host does not respond in time.
 */
export async function readClock(
  machine: Machine,
  cancel: { signal?: AbortSignal } = {},
): Promise<ClockReading | undefined> {
  const shell = await machine.spawn(CLOCK_SCRIPT, cancel);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    shell.close();
  }, CLOCK_LIMIT_MS);
  let best: ClockReading | undefined;
  let asked: { at: number; begin: number } | undefined;
  let remaining = CLOCK_EXCHANGES;
  try {
    for await (const line of linesOf(shell.stdout)) {
      const answered = performance.now();
      const hostMs = hostTime(line);
      if (hostMs === undefined) break;
      // The first line only shows that the shell is up.
      if (asked) {
        const roundTripMs = answered - asked.begin;
        if (!best || roundTripMs < best.roundTripMs) {
          const middle = asked.at + roundTripMs / 2;
          const uptime = hostUptime(line);
          best = {
            offsetMs: middle - hostMs,
            roundTripMs,
            ...(uptime !== undefined && { bootMs: middle - uptime * 1000 }),
          };
        }
      }
      if (remaining === 0) break;
      remaining -= 1;
      asked = { at: Date.now(), begin: performance.now() };
      shell.write('\n');
    }
  } finally {
    clearTimeout(timer);
    shell.close();
  }
  if (late && !best) throw silent(machine.name);
  return best;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const silent = (host: string): KneepointError =>
  new KneepointError({
    code: 'host-unreachable',
    host,
    message: `${host} did not report its time within ${CLOCK_LIMIT_MS / 1000} seconds.`,
    safe: 'Nothing was changed there.',
    next: 'Test the host.',
  });

/** Epoch milliseconds. If `date` does not support %N (BusyBox, macOS), the middle of the second. */
export function hostTime(text: string): number | undefined {
  const [, seconds, fraction] = /^(\d{9,11})(?:\.(\d{9}))?/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return Number(seconds) * 1000 + (fraction === undefined ? 500 : Number(fraction) / 1e6);
}

/** Seconds since the host's boot, printed after its time. */
export function hostUptime(text: string): number | undefined {
  const [, uptime] = / (\d+\.\d+)\s*$/.exec(text) ?? [];
  return uptime === undefined ? undefined : Number(uptime);
}
