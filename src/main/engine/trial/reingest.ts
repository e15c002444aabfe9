import { kindOf } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import { OPEN_RUN } from '../../../shared/model/states.ts';
import { decodeLine, moveRun, parserOf, takeLines } from '../runs/index.ts';
import type { RunJob, RunRow, Store } from '../store/store.ts';
import type { ParsedSample, ParseEvents, ParseOutcome, Parser } from '../tools/tool.ts';
import { rejudge } from '../watching/index.ts';
import type { TrialContext } from './context.ts';
import { MAX_UNPARSED } from './recorder.ts';
import { scenarioEffects } from './scenario-acts.ts';
import { runSizes } from './sizes.ts';
import { mergeLatencies, mergeSummaries, noteCheckpoints } from './summaries.ts';
import { reasonFirst, unparsedFinding } from './verdict.ts';
import { noteZero, type OutputStream, SamplePlaces, zeroOfJob } from './zero.ts';

const PIECE = 1 << 20;
/** Number of samples that are stored at a time. */
const BATCH = 2000;

type Context = Pick<TrialContext, 'store' | 'clock' | 'tools' | 'judge' | 'judgings'>;

interface Reread {
  findings: Finding[];
  unparsed: string[];
  outcome: ParseOutcome;
  /** The tool's second 0, if its output shows it. */
  zero: RunJob['zero'];
}

/**
 * Reads the stored raw output of a run again and rebuilds its samples, final figures and findings: after a parser was fixed, or if samples are
 * damaged. Stores all of it or nothing; findings from hosts and servers follow. A run that ended by itself is judged again; one that a user ended, or
 * that was lost, keeps its state. Throws conflict while the run is being recorded, and if it has no output: no output explains a refused launch.
 * `signal` ends the judging: a run without a judgement is judged after the next start.
 */
export async function reingest(context: Context, run: RunRow, signal?: AbortSignal): Promise<RunRow> {
  if (OPEN_RUN.includes(run.state) || run.state === 'pending') throw notEnded(run);
  const { store, clock } = context;
  if (!hasOutput(store, run)) throw noOutput(run);
  const count = Math.max(1, run.jobs.length);
  const result = store.atomically(() => {
    store.samples.clearSamples(run.id);
    const parts = Array.from({ length: count }, (_, index) => {
      const exit = run.jobs[index]?.exit ?? run.exit ?? {};
      return reread(store, run.id, index, parserOf(context, run, { index, count }), exit);
    });
    store.samples.seal(run.id);
    const { sessionId } = run;
    const message = `Trial ${run.trial + 1} was re-parsed from its raw output: ${store.samples.count(run.id, 0)} samples.`;
    store.events.add({ sessionId, runId: run.id, kind: 'log', at: clock.now(), level: 'info', message });
    const outcomes = parts.map(({ outcome }) => outcome);
    noteCheckpoints(context, run, outcomes);
    run.jobs.forEach((job, index) => {
      const { zero } = parts[index] ?? {};
      if (zero) noteZero(store, run, index, { ...job, zero });
    });
    store.latencies.set(run.id, mergeLatencies(outcomes));
    // It is based on the previous samples.
    store.judgements.forget(run.id);
    return judged(context, run, parts);
  });
  return rejudge(context, result, signal);
}

/** Whether any of its tools has printed anything. */
export const hasOutput = ({ samples }: Store, { id }: RunRow): boolean =>
  samples
    .generators(id)
    .some((generator) => samples.rawSize(id, generator, 'stdout') + samples.rawSize(id, generator, 'stderr') > 0);

function judged(context: Context, run: RunRow, parts: readonly Reread[]): RunRow {
  const failed = parts.find(({ outcome }) => !outcome.ok);
  const caused = run.findings.some((finding) => kindOf(finding).by === 'supervisor');
  /** The reason of its end is known from elsewhere: the tool's own reason adds nothing. */
  const explained = caused || run.state === 'skipped' || run.state === 'stopped';
  const change = {
    summary: {
      ...(parts.length === 1 ? parts[0]?.outcome.summary : mergeSummaries(parts.map(({ outcome }) => outcome))),
      ...runSizes(context.store, run),
    },
    findings: [
      ...run.findings.filter((finding) => !DERIVED_BY.includes(kindOf(finding).by)),
      ...scenarioEffects(context, run),
      ...parts.flatMap((part, index) =>
        findingsOf(part, run.jobs.length > 1 ? run.jobs[index]?.host : undefined, explained),
      ),
    ],
    jobs: run.jobs.map(({ zero: _, ...job }, index): RunJob => {
      const part = parts[index];
      return {
        ...job,
        ...(run.jobs.length > 1 && { summary: part?.outcome.summary ?? {} }),
        ...(part?.zero && { zero: part.zero }),
      };
    }),
  };
  if (run.state !== 'done' && run.state !== 'failed') return context.store.runs.update(run.id, change);
  // The output does not show the evidence against it.
  const refuted = run.findings.some((each) => each.severity === 'error' && kindOf(each).by === 'proof');
  if (!failed && refuted) return context.store.runs.update(run.id, change);
  if (!failed) return moveRun(context, run.id, 'finish', { ...change, partial: false, message: null });
  const { reason } = failed.outcome;
  const message = reason && !caused ? [reason.message, reason.next].filter(Boolean).join(' ') : run.message;
  return moveRun(context, run.id, 'fail', { ...change, partial: true, message });
}

const findingsOf = ({ findings, unparsed, outcome }: Reread, host: string | undefined, explained: boolean): Finding[] =>
  [...reasonFirst(explained ? undefined : outcome.reason, findings), ...unparsedFinding(unparsed)].map((finding) =>
    host === undefined ? finding : { ...finding, message: `${host}: ${finding.message}` },
  );

/** Findings of these are replaced by those found in the output and in the monitoring; others stay. */
const DERIVED_BY: readonly ReturnType<typeof kindOf>['by'][] = ['output', 'watching'];

function reread(
  store: Store,
  runId: number,
  generator: number,
  makeParser: (events: ParseEvents) => Parser,
  exit: ExitStatus,
): Reread {
  const findings: Finding[] = [];
  const unparsed: string[] = [];
  const places = new SamplePlaces();
  let line: { stream: OutputStream; end: number } | undefined;
  let samples: ParsedSample[] = [];
  const keep = (): void => {
    const offset = store.samples.offset(runId, generator, 'stdout');
    const batch = { runId, generator, stream: 'stdout', offset, bytes: new Uint8Array(0), samples } as const;
    if (samples.length > 0) store.samples.ingest(batch);
    samples = [];
  };
  const parser = makeParser({
    sample: (sample) => {
      samples.push(sample);
      if (line) places.note(line.stream, { t: sample.t, end: line.end });
      if (samples.length >= BATCH) keep();
    },
    finding: (finding) => findings.push(finding),
    unparsed: (line) => {
      if (unparsed.length < MAX_UNPARSED) unparsed.push(line);
    },
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    const total = store.samples.rawSize(runId, generator, stream);
    let rest: Uint8Array = new Uint8Array(0);
    for (let offset = 0; offset < total; offset += PIECE) {
      const bytes = Buffer.concat([rest, store.samples.raw(runId, generator, stream, offset, PIECE)]);
      const from = offset - rest.length;
      const used = takeLines(bytes, (text, cut, end) => {
        line = { stream, end: from + end };
        parser.line(text, stream, cut);
      });
      rest = bytes.subarray(used);
    }
    line = undefined;
    if (rest.length > 0) parser.line(decodeLine(rest), stream, true);
  }
  const outcome = parser.end(exit);
  keep();
  return { findings, unparsed, outcome, zero: zeroOfJob(store, runId, generator, places) };
}

const noOutput = (run: RunRow): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Trial ${run.trial + 1} of session ${run.sessionId} has no raw output: its tool printed nothing, or was never started.`,
    session: run.sessionId,
    run: run.id,
    safe: 'Nothing was changed.',
  });

const notEnded = (run: RunRow): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Trial ${run.trial + 1} of session ${run.sessionId} has not ended: its output is still being recorded, or has not started.`,
    session: run.sessionId,
    run: run.id,
    safe: 'Nothing was changed.',
    next: 'Wait until the trial has ended.',
  });
