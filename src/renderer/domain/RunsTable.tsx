import { type FactorLevels, isVaried, painterOf } from '../../shared/chart-models/index.ts';
import { metricOf } from '../../shared/metrics/index.ts';
import { exclusionWords } from '../../shared/model/repeats.ts';
import type { ExitStatus, Run } from '../../shared/model/session.ts';
import { factName, factValue, runWords } from '../../shared/model/session-words.ts';
import { formatDuration, formatLevel, formatNumber, formatTimeOfDay } from '../../shared/util/format.ts';
import { Swatch } from '../charts/index.ts';
import { type Column, CopyText, DataTable, Status } from '../ui/index.ts';

interface RunsProperties {
  runs: readonly Run[];
  factors: readonly FactorLevels[];
  /** Metric to show; null: none. */
  metric: string | null;
  /** Figures of this metric behind the results, by run. Absent: only those in the tool's own summary. */
  figures?: ReadonlyMap<number, number>;
  onRun?: (run: Run) => void;
  /** Run whose details are shown below. */
  current?: number | undefined;
  maxHeight?: number | string;
  /** Whether a trial is a canary, not a repeat of its cell. */
  isCanary?: (run: Run) => boolean;
}

/** How the tool ended, in words. */
export const exitWords = (exit: ExitStatus | undefined): string =>
  exit === undefined ? '–' : (exit.unknown ?? (exit.signal ? `signal ${exit.signal}` : `code ${exit.code}`));

const length = (run: Run): number | undefined =>
  run.startedAt === undefined || run.endedAt === undefined
    ? undefined
    : Math.round((run.endedAt - run.startedAt) / 1000);

/** Maximum facts that fit in a line. */
const MOST_FACTS = 2;

/** Values read back from hosts and servers, in one line. */
function factsOf({ facts = [] }: Run): string {
  const shown = facts.slice(0, MOST_FACTS).map((fact) => `${fact.what} ${factValue(fact.found)}`);
  const more = facts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const READ_BACK: Column<Run> = {
  id: 'facts',
  header: 'Read back',
  hint: 'Hosts and servers, right before the tool started',
  minor: true,
  value: factsOf,
  cell: (run) => (
    <span title={run.facts?.map((fact) => `${factName(fact)}: ${factValue(fact.found)}`).join('\n')}>
      {factsOf(run) || '–'}
    </span>
  ),
};

/** The reason of an exclusion comes before the findings. */
function findingsOf(run: Run, runs: readonly Run[]): string {
  const noticed = run.message ?? run.findings.map((finding) => finding.message).join(' ');
  return [exclusionWords(run, runs) ?? '', noticed].filter(Boolean).join(' ');
}

const NO_CANARY = (): boolean => false;

function columnsOf({ runs, factors, metric, figures, isCanary = NO_CANARY }: RunsProperties): Column<Run>[] {
  const paint = painterOf(factors);
  return [
    { id: 'trial', header: 'Trial', align: 'right', value: (run) => run.trial + 1 },
    ...(runs.some(({ stepName }) => stepName !== undefined)
      ? [{ id: 'step', header: 'Step', value: ({ step = 0 }: Run) => step, cell: ({ stepName }: Run) => stepName }]
      : []),
    ...factors.filter(isVaried).map(
      ({ name }, index): Column<Run> => ({
        id: `factor ${name}`,
        header: name,
        value: (run) => levelValue(run, name),
        cell: (run) => (
          <>
            {index === 0 ? <Swatch paint={paint(run.levels)} /> : null}
            {formatLevel(run.levels[name])}
          </>
        ),
      }),
    ),
    {
      id: 'repeat',
      header: 'Repeat',
      align: 'right',
      value: (run) => run.repeat + 1,
      cell: (run) => (isCanary(run) ? 'canary' : run.repeat + 1),
    },
    {
      id: 'state',
      header: 'State',
      value: (run) => run.state,
      cell: (run) => (
        <Status tone={runWords(run).tone} title={run.message ?? ''}>
          {runWords(run).word}
        </Status>
      ),
    },
    { id: 'exit', header: 'Exit', minor: true, value: (run) => exitWords(run.exit) },
    ...(metric === null ? [] : figureColumns(metric, runs, figures)),
    {
      id: 'seconds',
      header: 'Seconds',
      align: 'right',
      value: (run) => run.seconds,
      cell: (run) => formatNumber(run.seconds),
    },
    { id: 'started', header: 'Started', value: (run) => run.startedAt, cell: (run) => formatTimeOfDay(run.startedAt) },
    {
      id: 'length',
      header: 'Length',
      minor: true,
      align: 'right',
      value: length,
      cell: (run) => formatDuration(length(run)),
    },
    {
      id: 'seed',
      header: 'Seed',
      hint: 'Seed of the tool’s random values',
      minor: true,
      align: 'right',
      value: (run) => run.seed,
      cell: (run) => run.seed ?? '–',
    },
    ...(runs.some(({ facts }) => facts) ? [READ_BACK] : []),
    {
      id: 'findings',
      header: 'Findings',
      grow: true,
      value: (run) => findingsOf(run, runs),
      cell: (run) => {
        const words = findingsOf(run, runs);
        return <span title={words}>{words}</span>;
      },
    },
    {
      id: 'command',
      header: 'Command',
      align: 'right',
      cell: (run) => (run.command ? <CopyText text={run.command} label="Copy the command line" /> : '–'),
    },
  ];
}

/** The figure behind the results, and the tool's own, which measures calculated from the seconds do not have. */
function figureColumns(metric: string, runs: readonly Run[], figures?: ReadonlyMap<number, number>): Column<Run>[] {
  const { label, unit, digits } = metricOf(metric);
  const column = (id: string, what: string, hint: string, of: (run: Run) => number | undefined): Column<Run> => ({
    ...{ id, header: `${what} (${unit})`, hint, align: 'right', value: of },
    cell: (run) => formatNumber(of(run), digits),
  });
  const summary = column(
    'summary',
    `${label}, reported by tool`,
    'Final figure reported by the tool, including warm-up',
    (run) => run.summary[metric],
  );
  if (!figures) return [summary];
  const figure = column('figure', label, 'Figure of this run in the results, after the warm-up cut', (run) =>
    figures.get(run.id),
  );
  return runs.some(({ summary: own }) => own[metric] !== undefined) ? [figure, summary] : [figure];
}

const levelValue = (run: Run, name: string): string | number | undefined => {
  const level = run.levels[name];
  return typeof level === 'boolean' ? String(level) : level;
};

/** Every trial as executed. */
export function RunsTable(properties: RunsProperties) {
  const { runs, onRun, current, maxHeight } = properties;
  return (
    <DataTable
      label="Runs"
      columns={columnsOf(properties)}
      rows={runs}
      rowId={(run) => String(run.id)}
      sort={{ id: 'trial', descending: false }}
      current={current === undefined ? undefined : String(current)}
      empty="No trial has been executed yet."
      {...(onRun ? { onRowClick: onRun } : {})}
      {...(maxHeight ? { maxHeight } : {})}
    />
  );
}
