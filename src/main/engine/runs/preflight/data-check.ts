import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import { makePlan } from '../../plans/index.ts';
import type { RunsContext } from '../context.ts';
import { requireNoDataWork } from '../data/data-busy.ts';
import { fitOf } from '../data/data-fit.ts';
import { dataSetsIn, writingWords } from '../data/data-sets.ts';
import { dataState, wrongWords } from '../data/data-state.ts';
import { KEPT_AND_USED_UP, notFinished } from '../data/ensure-data.ts';
import { type Preparation, preparationsOf, workloadOf } from '../data/needs.ts';

/** What the data policy makes of the tables that are there now: what will be prepared or replaced, and what is in the way. */
export async function lookAtData(
  context: RunsContext,
  experiment: Experiment,
  target: string,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { cells, trials } = makePlan(experiment, workloadOf(context, experiment));
  const groups = new Set(cells.map(({ data = 0 }) => data));
  requireNoDataWork(context, target);
  const recreate = experiment.workload.data === 'recreate';
  if (groups.size > 1 && !recreate) return [severalData(groups.size)];
  const findings: Finding[] = [];
  for (const group of groups) {
    const needing = cells.filter(({ data = 0 }) => data === group);
    for (const preparation of await preparationsOf(context, experiment, needing)) {
      if (experiment.workload.data === 'keep' && preparation.data?.eachTrial && trials.length > 1)
        findings.push({ code: 'data-mismatch', severity: 'block', ...KEPT_AND_USED_UP });
      findings.push(...(await lookAtOne(context, experiment, target, preparation, signal)));
    }
  }
  return findings;
}

async function lookAtOne(
  context: RunsContext,
  { workload }: Experiment,
  target: string,
  preparation: Preparation,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { data } = preparation;
  if (!data) return [];
  if (workload.data === 'recreate') {
    return [
      {
        code: 'data-replaced',
        severity: 'warn',
        message: `The tables of this workload on ${target} will be dropped and made again: ${data.title}.`,
      },
    ];
  }
  const state = await dataState(context, target, data.tables, { signal });
  const fit = fitOf(context, target, preparation, state);
  if (fit.kind === 'fits') return written(context, target, data.tables);
  if (fit.kind === 'other-shape') {
    return [{ code: 'data-mismatch', severity: 'block', message: fit.message, next: OTHER_DATA }];
  }
  if (workload.data === 'keep') {
    return [
      {
        code: 'data-mismatch',
        severity: 'block',
        message: state.complete
          ? notFinished(target)
          : `The data is not as the workload needs it: ${wrongWords(state)}.`,
        next: 'Choose “create” to prepare it.',
      },
    ];
  }
  if (fit.kind === 'other-rows') {
    return [
      {
        code: 'data-mismatch',
        severity: 'block',
        message: [`There are tables of another size: ${wrongWords(state)}.`, writing(context, target, data.tables)]
          .filter(Boolean)
          .join(' '),
        next: OTHER_DATA,
      },
    ];
  }
  const brokenOff =
    fit.kind !== 'broken-off'
      ? ''
      : ` An earlier making of these tables broke off; ${fit.resumes ? 'it is gone on with' : 'they are removed first'}.`;
  return [
    { code: 'data-prepared', severity: 'note', message: `It will be prepared first: ${data.title}.${brokenOff}` },
  ];
}

const OTHER_DATA = 'Choose “recreate” to replace them, or use another database.';

/** Counts tell whether rows are missing, not whether pages are split and caches warm: whoever wants them as loaded makes them anew. */
function written(context: RunsContext, target: string, tables: readonly { name: string }[]): Finding[] {
  const message = writing(context, target, tables);
  if (message === undefined) return [];
  return [
    {
      code: 'data-written',
      severity: 'note',
      message: `This data is used as it is. ${message}`,
      next: 'Choose “recreate” for tables as they are right after loading.',
    },
  ];
}

function writing(context: RunsContext, target: string, tables: readonly { name: string }[]): string | undefined {
  const words = dataSetsIn(context.store, target, tables).map((set) => writingWords(context, set));
  return words.find((each) => each !== undefined);
}

const severalData = (count: number): Finding => ({
  code: 'data-mismatch',
  severity: 'block',
  message: `The cells need ${count} different data in the same tables, which would have to be replaced between trials.`,
  next: 'Choose “recreate” to allow that: the data is then made before the first trial that needs it, and the order of trials is grouped by it.',
});
