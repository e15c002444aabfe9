import { type Capture, formOf } from '../../../shared/model/capture.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { allStepsOf, type Step } from '../plans/index.ts';
import { atServer } from '../runs/index.ts';
import { commandHost } from '../trial/index.ts';
import type { PreflightContext, PreflightState } from './state.ts';

const PATIENCE_MS = 20_000;

type Place = Pick<Step, 'target' | 'generators'>;

/**
 * Tries each read-only statement, and checks hosts and files. An impossible capture does not block a start, but a missing privilege should
 * be known before a night of measuring.
 */
export async function lookAtCaptures(
  context: PreflightContext,
  { cells }: Pick<PreflightState, 'cells'>,
  captures: readonly Capture[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const places = new Map<string, Place>();
  for (const { target, generators } of allStepsOf(cells))
    places.set(
      JSON.stringify([target, generators]),
      atServer(context, { generators, ...(target !== undefined && { target }) }),
    );
  const looks = [...places.values()].map((place) => lookAt(context, place, captures, signal));
  const found = (await Promise.all(looks)).flat();
  return [...new Map(found.map((finding) => [finding.message, finding])).values()];
}

/** Sequentially, over one connection. */
async function lookAt(
  context: PreflightContext,
  place: Place,
  captures: readonly Capture[],
  ends: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([ends, patience]);
  const session = captures.some(({ statement }) => statement !== undefined)
    ? await context.targets.open(place.target ?? '', signal).catch(() => undefined)
    : undefined;
  try {
    for (const capture of captures) {
      const { statement, first, writes } = capture;
      try {
        if (statement === undefined) await lookOnHost(context, place, capture, signal);
        else if (session?.readTable && !writes) await session.readTable(statement, { first, writes: false });
      } catch (error) {
        ends.throwIfAborted();
        findings.push(failed(context, capture, error));
        if (patience.aborted) break;
      }
    }
    return findings;
  } finally {
    await session?.close().catch(() => undefined);
  }
}

/** Commands are not run: they may do anything. */
async function lookOnHost(
  context: PreflightContext,
  place: Place,
  { file, host }: Capture,
  signal: AbortSignal,
): Promise<void> {
  const machine = context.machines.get(host ?? commandHost(context, place));
  if (file === undefined) return;
  const { code } = await machine.exec(`[ -r ${shellQuote(file)} ]`, { signal });
  if (code !== 0) throw new Error(`${file} on ${machine.name} cannot be read, or is not there yet.`);
}

const failed = ({ redact }: Pick<PreflightContext, 'redact'>, capture: Capture, error: unknown): Finding => ({
  code: 'capture-failed',
  severity: 'warn',
  message: redact(`Capture “${capture.name}” (${formOf(capture)}) cannot be taken now: ${wordsOf(error)}`),
  next: 'The session can start without it; the reason is then stored instead.',
});

const wordsOf = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : describeProblem(problemOf(error));
