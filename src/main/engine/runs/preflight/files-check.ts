import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { Machine } from '../../hosts/machine.ts';
import { makePlan } from '../../plans/index.ts';
import type { RunsContext } from '../context.ts';
import { workloadOf } from '../data/needs.ts';
import { fileFitOf, writtenWords } from '../files/ensure-files.ts';
import { covers, fileSetsIn } from '../files/file-sets.ts';
import { type FileState, fileState, wrongWords } from '../files/file-state.ts';
import { type FilePreparation, filePreparationsOf, haveFiles } from '../files/needs.ts';
import { toolOf } from '../steps.ts';

/** Whether there is anything to look at: known without the target, which may not be there. */
export function hasFiles({ tools }: RunsContext, experiment: Experiment): boolean {
  const tool = toolOf({ tools }, experiment.workload.tool);
  return haveFiles(tool, experiment, makePlan(experiment, { tool, kind: 'host' }).cells);
}

/** What the data policy makes of the files that are there now: what will be laid out or replaced, and what is in the way. */
export async function lookAtFiles(
  context: RunsContext,
  experiment: Experiment,
  machine: Machine,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { cells } = makePlan(experiment, workloadOf(context, experiment));
  const findings: Finding[] = [];
  for (const preparation of await filePreparationsOf(context, experiment, cells)) {
    const { need } = preparation;
    const state = await fileState(machine, need.directory, need.files, signal);
    findings.push(...judge(context, experiment, machine.name, preparation, state));
  }
  return findings;
}

function judge(
  context: RunsContext,
  { workload }: Experiment,
  host: string,
  preparation: FilePreparation,
  state: FileState,
): Finding[] {
  const { title, directory } = preparation.need;
  const what = `${title}, in ${directory} on ${host}`;
  if (workload.data === 'recreate')
    return state.empty
      ? [{ code: 'data-prepared', severity: 'note', message: `They will be laid out first: ${what}.` }]
      : [
          {
            code: 'data-replaced',
            severity: 'warn',
            message: `The files of this workload will be removed and laid out again: ${what}.`,
          },
        ];
  const fit = fileFitOf(context, host, preparation, state);
  if (fit === 'fits') {
    const set = fileSetsIn(context.store, host, preparation.need).find((each) => covers(each, preparation.need));
    const words = set && writtenWords(context, set);
    return words
      ? [{ code: 'data-written', severity: 'note', message: `The files are used as they are: ${what}. ${words}` }]
      : [];
  }
  if (fit === 'short' || workload.data === 'keep')
    return [
      {
        code: 'data-mismatch',
        severity: 'block',
        message: `The files in ${directory} on ${host} are not what this workload needs: ${fit === 'broken-off' ? 'their making broke off' : wrongWords(state)}.`,
        next:
          fit === 'short'
            ? 'Choose “recreate” to replace them, or name another directory.'
            : 'Choose “create” to lay them out.',
      },
    ];
  const brokenOff = fit === 'broken-off' ? ' An earlier making of them broke off; they are removed first.' : '';
  return [{ code: 'data-prepared', severity: 'note', message: `They will be laid out first: ${what}.${brokenOff}` }];
}
