import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import {
  ALL_KINDS,
  type DataFit,
  fitOf,
  hasFiles,
  inspect,
  type KnownPreparation,
  kindOf,
  type Need,
  preparationsOf,
  requireNoDataWork,
  type Seen,
  setsIn,
  writingWords,
  wrongWords,
} from '../data/index.ts';
import { allStepsOf, dataStepOf, makePlan, placesIn, type ResolvedCell, type Step, stepsOf } from '../plans/index.ts';
import { workloadOf } from '../runs/index.ts';
import type { StartFinding } from './check.ts';
import { checkSpace } from './space.ts';
import type { PreflightContext, PreflightState } from './state.ts';

/** Title of the line for an experiment with files, known without its target, which may not exist. Undefined if it has none. */
export const dataTitle = ({ tool, steps }: PreflightState): string | undefined =>
  steps.some((step) => hasFiles(tool, step)) ? 'Test files on the generator' : undefined;

/** Result of the data policy for the existing data: data to be prepared or replaced, and obstacles. */
export async function checkData(
  context: PreflightContext,
  known: PreflightState,
  signal: AbortSignal,
): Promise<{ findings: StartFinding[]; seen: ReadonlyMap<string, Seen> }> {
  const { experiment } = known;
  const seen = new Map(known.seen);
  const { cells } = makePlan(experiment, workloadOf(context, experiment));
  const groups = new Set(cells.map(({ data = 0 }) => data));
  const used = placesIn(allStepsOf(known.cells));
  for (const { kind, placesIn } of ALL_KINDS)
    for (const place of placesIn(used)) requireNoDataWork(context, { kind, place });
  const findings: StartFinding[] = [];
  for (const group of groups) {
    const needing = cells.filter(({ data = 0 }) => data === group);
    const made: Need[] = [];
    const replaced: Need[] = [];
    for (const { need, ...preparation } of await preparationsOf(context, experiment, madeFor(needing))) {
      if (!need) continue;
      const found = await checkNeed(context, experiment, { ...preparation, need }, signal);
      findings.push(...found.findings);
      if (found.seen) seen.set(preparation.key, found.seen);
      if (found.room === 'new') made.push(missingOf(need, seen.get(preparation.key)));
      if (found.room === 'replaced') replaced.push(need);
    }
    findings.push(
      ...(await checkSpace(context, known, { needs: made, replaces: false }, signal)),
      ...(await checkSpace(context, known, { needs: replaced, replaces: true }, signal)),
    );
  }
  return { findings, seen };
}

/** Workload steps that data is made for: if trials prepare their own, the steps that do so. */
function madeFor(cells: readonly ResolvedCell[]): Step[] {
  const prepared = allStepsOf(cells).flatMap((step) => dataStepOf(step) ?? []);
  return prepared.length > 0 ? prepared : stepsOf(cells);
}

/** Existing parts take no additional space. */
const missingOf = (need: Need, seen: Seen | undefined): Need => ({
  ...need,
  parts: seen && kindOf(need).addsParts ? seen.parts.filter((part) => !kindOf(need).fits(part)) : need.parts,
});

/** Findings about needed data. `room`: new data, or data that replaces other data. */
interface DataCheckResult {
  readonly findings: Finding[];
  readonly seen?: Seen;
  readonly room?: 'new' | 'replaced';
}

async function checkNeed(
  context: PreflightContext,
  experiment: Experiment,
  { need, tool }: KnownPreparation,
  signal: AbortSignal,
): Promise<DataCheckResult> {
  const policy = experiment.workload.data;
  const { words, isCheapToInspect } = kindOf(need);
  const replaced = {
    findings: [{ code: 'data-replaced', severity: 'warn', message: words.replaced(need) }],
    room: 'replaced',
  } satisfies DataCheckResult;
  if (policy === 'recreate' && !isCheapToInspect) return replaced;
  const seen = await inspect(context, need, signal);
  if (policy === 'recreate') return { ...(seen.empty ? prepared(words.prepared(need)) : replaced), seen };
  return { ...judge(context, need, policy, seen, fitOf(context, tool.id, need, seen)), seen };
}

function judge(
  context: PreflightContext,
  need: Need,
  policy: Experiment['workload']['data'],
  seen: Seen,
  fit: DataFit,
): DataCheckResult {
  const kind = kindOf(need);
  const { words } = kind;
  const written = writing(context, need);
  if (fit.kind === 'fits')
    // A check shows whether something is missing, not whether pages are split and caches warm.
    return {
      findings:
        written === undefined
          ? []
          : [
              {
                code: 'data-written',
                severity: 'note',
                message: `${words.usedAsIs(need)} ${written}`,
                next: words.choose.fresh,
              },
            ],
    };
  if (fit.kind === 'other-shape') return mismatch(fit.message, words.choose.replace);
  const wrong = wrongWords(kind, seen);
  if (fit.kind === 'other-size')
    return mismatch([words.otherSize(need, wrong), written].filter(Boolean).join(' '), words.choose.replace);
  if (policy === 'keep')
    return mismatch(seen.complete ? words.notFinished(need) : `${words.wrong(need)}: ${wrong}.`, words.choose.create);
  const brokenOff = fit.kind === 'broken-off' ? ` ${words.brokenOff(fit.resumes)}` : '';
  return prepared(`${words.prepared(need)}${brokenOff}`);
}

const prepared = (message: string): DataCheckResult => ({
  findings: [{ code: 'data-prepared', severity: 'note', message }],
  room: 'new',
});

const mismatch = (message: string, next: string): DataCheckResult => ({
  findings: [{ code: 'data-mismatch', severity: 'block', message, next }],
});

function writing(context: PreflightContext, need: Need): string | undefined {
  const words = setsIn(context.store, need).map((set) => writingWords(context, set));
  return words.find((each) => each !== undefined);
}
