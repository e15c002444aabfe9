import { setImmediate } from 'node:timers/promises';
import type { PreflightLine } from '../../../shared/contract/experiments.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';
import { asSentence, formatCount, formatNumber } from '../../../shared/util/format.ts';
import { factsSnapshot } from '../facts/index.ts';
import { allStepsOf, placesIn, resolveCells, workSteps } from '../plans/index.ts';
import { generatorsOf, type Occupancy, toolOf } from '../runs/index.ts';
import { blocking, type Check, type CheckResult, type StartFinding } from './check.ts';
import { checkingText } from './check-text.ts';
import { checksFor } from './checks.ts';
import type { CheckedStart, PreflightContext, PreflightState } from './state.ts';

type State = PreflightLine['state'];

/** Document to start. `destroy`: devices that may be overwritten, each typed as `HOST:DEVICE`. */
interface StartRequest {
  text: string;
  destroy: readonly string[];
  /** Ids of checks to leave out. */
  without?: readonly string[];
}

/**
 * Runs all checks of a start in order, and yields the whole list at each change. Returns the facts it has learned; undefined if the
 * document has problems or if it was interrupted.
 */
export async function* preflight(
  context: PreflightContext,
  sessions: Occupancy,
  { text, destroy, without = [] }: StartRequest,
  signal: AbortSignal,
): AsyncGenerator<PreflightLine[], CheckedStart | undefined> {
  const reading = readForPreflight(context, text, destroy);
  let read = await reading.next();
  for (; !read.done; read = await reading.next()) {
    yield [read.value];
    if (signal.aborted) return undefined;
  }
  const document = read.value;
  if ('line' in document) {
    yield [document.line];
    return undefined;
  }
  let known = document.start;
  const confirmed: string[] = [];
  const checks = checksFor(context, sessions, known).filter(({ id }) => !without.includes(id));
  const lines: PreflightLine[] = [
    { id: 'document', title: 'Document', state: 'ok', evidence: planWords(known) },
    ...checks.map(({ id, title }) => ({ id, title, state: 'waiting' as const })),
  ];
  yield structuredClone(lines);
  for (const check of checks) {
    if (signal.aborted) return undefined;
    const line = lines.find(({ id }) => id === check.id) as PreflightLine;
    if (lines.some((other) => other.id === check.after && (other.state === 'block' || other.state === 'skipped'))) {
      line.state = 'skipped';
      line.finding = {
        code: 'not-looked',
        severity: 'note',
        message: 'Skipped, because an earlier check failed.',
      };
      continue;
    }
    line.state = 'running';
    yield structuredClone(lines);
    const { findings = [], evidence = [], learnt } = await runSafely(check, known, signal);
    const asked = findings.flatMap((finding) => finding.confirm ?? finding.confirmed ?? []);
    known = { ...known, ...learnt, askedFor: new Set([...known.askedFor, ...asked]) };
    confirmed.push(...findings.flatMap((finding) => finding.confirmed ?? []));
    const [worst, ...others] = [...findings].sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
    const noted = worst ? noticed(worst) : { state: 'ok' as const };
    Object.assign(line, noted);
    if (evidence.length > 0 && noted.state !== 'block') line.evidence = evidence.join(' · ');
    others.forEach((finding, at) => {
      const id = `${check.id}-${at + 2}-${finding.code}`;
      lines.splice(lines.indexOf(line) + 1 + at, 0, { id, title: check.title, ...noticed(finding) });
    });
    yield structuredClone(lines);
  }
  const warnings = lines.flatMap(({ finding }) => (finding?.severity === 'warn' ? [finding] : []));
  return startStateOf(context, known, { findings: warnings, confirmed: [...new Set(confirmed)] });
}

const WEIGHT: Readonly<Record<Finding['severity'], number>> = { block: 0, error: 1, warn: 2, note: 3 };

function startStateOf(
  context: PreflightContext,
  { granted, seen, tool, generators, targets }: PreflightState,
  confirmed: Pick<CheckedStart, 'findings' | 'confirmed'>,
): CheckedStart {
  const hosts = generators.flatMap(({ machine, facts }) => (facts ? [{ name: machine.name, facts }] : []));
  const described = targets.flatMap(({ facts }) => facts ?? []);
  const isWhole = hosts.length === generators.length && described.length === targets.length;
  return {
    ...confirmed,
    granted,
    seen,
    at: context.clock.monotonic(),
    ...(isWhole && { facts: factsSnapshot(context, [tool], hosts, described) }),
  };
}

const noticed = ({ confirm, confirmed: _, fix, ...finding }: StartFinding): Omit<PreflightLine, 'id' | 'title'> => ({
  state: stateOf(finding),
  finding: { ...finding, message: asSentence(finding.message) },
  ...(confirm !== undefined && { confirm }),
  ...(fix && { fix }),
});

function planWords({ experiment, cells: { length } }: PreflightState): string {
  return `${formatCount(length, 'cell')}, ${formatCount(length * experiment.measure.repeats, 'trial')}`;
}

/** Milliseconds after which the check of a document gives way to other work, and yields how far it is. */
const TURN_MS = 100;

async function* readForPreflight(
  context: PreflightContext,
  text: string,
  destroy: readonly string[],
): AsyncGenerator<PreflightLine, { line: PreflightLine } | { start: PreflightState }> {
  const { clock } = context;
  const work = checkingText(context, text);
  let turn = clock.monotonic();
  let step = work.next();
  for (; !step.done; step = work.next()) {
    if (clock.monotonic() - turn < TURN_MS) continue;
    const { what, unit, done, of } = step.value;
    const evidence = `${unit} ${formatNumber(done)} of ${formatNumber(of)}`;
    yield { id: 'document', title: what, state: 'running', evidence };
    await setImmediate();
    turn = clock.monotonic();
  }
  const checked = step.value;
  const problem = checked.problems[0];
  if (problem || !checked.experiment) {
    const where = problem?.line === undefined ? '' : ` (line ${problem.line})`;
    const finding: Finding = {
      code: 'experiment-invalid',
      severity: 'block',
      message: `${problem?.message ?? 'The document cannot be read.'}${where}`,
    };
    return { line: { id: 'document', title: 'Document', state: 'block', finding } };
  }
  const { experiment } = checked;
  try {
    const tool = toolOf(context, experiment.workload.tool);
    const cells = resolveCells(experiment, tool);
    const steps = workSteps(cells);
    const { generators, targets } = placesIn(allStepsOf(cells));
    return {
      start: {
        experiment,
        tool,
        cells,
        steps,
        generators: generatorsOf(context, { generators }),
        targets: targets.map((name) => ({ name })),
        typed: destroy,
        askedFor: new Set(),
        granted: [],
        seen: new Map(),
      },
    };
  } catch (error) {
    return { line: { id: 'generator', title: 'Generator', ...noticed(blocking(error)) } };
  }
}

async function runSafely(check: Check, known: PreflightState, signal: AbortSignal): Promise<CheckResult> {
  try {
    return await check.run(known, signal);
  } catch (error) {
    return { findings: [blocking(error, check.of)] };
  }
}

const stateOf = (finding: Finding): State => (finding.severity === 'error' ? 'block' : finding.severity);

/** Runs the preflight to its end and returns the facts it has learned. Throws `preflight-refused` with the blocks. */
export async function requirePreflight(
  context: PreflightContext,
  sessions: Occupancy,
  request: StartRequest,
  { signal, progress }: Pick<CallContext, 'signal'> & Partial<CallContext>,
): Promise<CheckedStart> {
  let lines: PreflightLine[] = [];
  const checks = preflight(context, sessions, request, signal);
  let step = await checks.next();
  for (; !step.done; step = await checks.next()) {
    lines = step.value;
    const at = lines.findIndex(({ state }) => state === 'running');
    if (at >= 0) await progress?.({ what: 'Checking before the start', unit: 'check', done: at + 1, of: lines.length });
  }
  if (signal.aborted) {
    throw new KneepointError({
      code: 'cancelled',
      message: 'The start was cancelled while the preflight ran.',
      safe: 'Nothing was started.',
    });
  }
  const blocks = lines.filter((line) => line.state === 'block');
  if (blocks.length === 0 && step.value) return step.value;
  throw new KneepointError({
    code: 'preflight-refused',
    message: blocks.map((line) => line.finding?.message ?? line.title).join(' '),
    safe: 'Nothing was started.',
    next:
      blocks
        .map((line) => line.finding?.next)
        .filter(Boolean)
        .join(' ') || 'Correct the problem, then start again.',
    details: blocks,
  });
}
