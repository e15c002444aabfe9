import { randomBytes } from 'node:crypto';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Machine } from '../machine.ts';
import { isWhole, parseFacts } from './parse.ts';
import { CLOCK_SCRIPT, factsScript } from './script.ts';
import type { ProbedTool } from './tools.ts';

const FACTS_LIMIT_MS = 60_000;
const CLOCK_EXCHANGES = 3;

/** Reads what a machine is and which tools it has. Nothing is written there. Throws what `Machine.exec` throws. */
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
      message: `${machine.name} broke off while it was asked about itself.`,
      safe: 'What was known of it is kept.',
      next: 'Test the host again.',
    });
  }
  const clock = await readClock(machine, cancel);
  return {
    ...parseFacts(stdout, nonce, tools),
    ...(clock ? { clockOffsetMs: clock.offsetMs } : {}),
    readAt: Date.now(),
  };
}

/** Our clock minus the host's, milliseconds; true within half of `roundTripMs`. */
export interface ClockReading {
  offsetMs: number;
  roundTripMs: number;
}

/** Asks the host for its time a few times and believes the quickest answer. Undefined when it does not tell. */
export async function readClock(
  machine: Machine,
  cancel: { signal?: AbortSignal } = {},
): Promise<ClockReading | undefined> {
  let best: ClockReading | undefined;
  for (let exchange = 0; exchange < CLOCK_EXCHANGES; exchange += 1) {
    const sentAt = Date.now();
    const begin = performance.now();
    const { stdout } = await machine.exec(CLOCK_SCRIPT, cancel);
    const roundTripMs = performance.now() - begin;
    const hostMs = hostTime(stdout);
    if (hostMs === undefined) return undefined;
    if (!best || roundTripMs < best.roundTripMs) best = { offsetMs: sentAt + roundTripMs / 2 - hostMs, roundTripMs };
  }
  return best;
}

/** Epoch milliseconds. Where `date` knows no %N (BusyBox, macOS) the middle of the second is meant. */
export function hostTime(text: string): number | undefined {
  const [, seconds, fraction] = /^(\d{9,11})(?:\.(\d{9}))?/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return Number(seconds) * 1000 + (fraction === undefined ? 500 : Number(fraction) / 1e6);
}
