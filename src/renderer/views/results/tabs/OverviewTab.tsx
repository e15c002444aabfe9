import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  canaryChart,
  curveTitle,
  distinctLevels,
  hasWhiskers,
  isVaried,
  sessionCurve,
  whiskerWords,
} from '../../../../shared/chart-models/index.ts';
import { checkOf, gatheredFindings } from '../../../../shared/checks/index.ts';
import { isRecovery } from '../../../../shared/metrics/index.ts';
import { stepLengths } from '../../../../shared/model/experiment.ts';
import { type Finding, severityWords } from '../../../../shared/model/finding.ts';
import { watchedSentence } from '../../../../shared/model/monitored.ts';
import type { CanaryResult, SessionResult } from '../../../../shared/model/result.ts';
import { excludedSentence, hasFigure, repeatsWords, syncSentence } from '../../../../shared/model/result-words.ts';
import type { Run, SessionDetail } from '../../../../shared/model/session.ts';
import { targetsOf } from '../../../../shared/model/session-snapshot.ts';
import { originWords, toolWords, workedSeconds } from '../../../../shared/model/session-words.ts';
import { storageLines } from '../../../../shared/model/storage-words.ts';
import {
  additionalRecoveries,
  basisSentences,
  definitionOf,
  recoverySentences,
  trendFindings,
} from '../../../../shared/stats/index.ts';
import { formatCount, formatDateTime, formatDuration, formatLevels } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useAction, useCall } from '../../../client/index.ts';
import { ExcludeRun, FindingsList } from '../../../domain/index.ts';
import { EmptyState, KeyValueList, Panel, ProblemBanner } from '../../../ui/index.ts';
import { runsOfCell, type StepProperties, shownOf, type TabProperties } from '../useResults.ts';
import { AnswerPanel } from './AnswerPanel.tsx';
import { BaselinePanel } from './BaselinePanel.tsx';
import { CellsTable } from './CellsTable.tsx';
import { ChosenCharts } from './ChosenCharts.tsx';
import { ScalingSentences, useCurveChoices } from './curve-choices.tsx';
import { HostsTab } from './HostsTab.tsx';
import { MomentsPanel } from './moments/MomentsPanel.tsx';
import { ofSeconds } from './ofSeconds.tsx';
import { PlacesPanel } from './PlacesPanel.tsx';
import { ProfilesPanel } from './ProfilesPanel.tsx';
import { StepsPanel } from './StepsPanel.tsx';
import { TimelineTab } from './TimelineTab.tsx';

const Timeline = ofSeconds(TimelineTab);

/** The answer first, then the curve, the cells and important notes. */
export const OverviewTab = ({ result, ...session }: StepProperties) =>
  result.metric === null ? (
    <ObservationOverview {...session} result={result} facts={<Facts {...session} result={result} />} />
  ) : (
    <MeasuredOverview {...session} result={result} />
  );

function MeasuredOverview({ detail, result, state }: TabProperties) {
  const theme = useChartTheme();
  const [, go] = useLocation();
  const runs = useCall('sessions.runs', { id: state.id });
  const { axis, spread, controls } = useCurveChoices(result);
  const model = useMemo(
    () => sessionCurve(result, theme, { axis, spread, only: state.filter }),
    [result, theme, axis, spread, state.filter],
  );
  const shown = useMemo(() => shownOf(result, state.filter), [result, state.filter]);
  const { cells } = shown;
  const excluded = excludedSentence(cells);
  const measured = cells.some((cell) => hasFigure(cell) || cell.generators);
  const findings = [
    ...gatheredFindings([...detail.findings, ...(result.findings ?? [])], runs.data ?? []),
    ...trendFindings(result, detail.session.name),
  ];
  const openRuns = (cell: number): void => go(runsOfCell(state, cell));
  if (!measured) {
    return (
      <Panel>
        {detail.session.state === 'done' && detail.session.message ? (
          <EmptyState title="Nothing was measured">Each run has its own message under Runs.</EmptyState>
        ) : (
          <EmptyState title="No results yet">
            {detail.session.message ?? 'Figures appear after the first trial.'}
          </EmptyState>
        )}
      </Panel>
    );
  }
  // A tool that only watches has only figures of whole runs.
  const isWatchedOnly = isRecovery(result.metric) && result.overTime === undefined;
  const recoveries = isRecovery(result.metric) ? additionalRecoveries(result, runs.data ?? []) : [];
  const measuredSteps = (detail.session.steps ?? []).filter(({ measured }) => measured !== false);
  return (
    <>
      {measuredSteps.length > 1 ? <StepsPanel state={state} shown={result.step ?? 0} /> : null}
      <AnswerPanel
        {...{ result, shown, state }}
        basis={basisOf(detail, result)}
        facts={<Facts detail={detail} result={result} state={state} />}
      >
        {recoveries.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {excluded ? <p>{excluded}</p> : null}
        {findings.length > 0 ? (
          <p>
            <Button variant="subtle" size="compact-sm" onClick={showFindings}>
              {severityWords(findings)}
            </Button>
            <span className="kp-small">{gravest(findings)}</span>
          </p>
        ) : null}
      </AnswerPanel>
      <div className="kp-overview">
        {result.cells.length > 1 ? (
          <Panel>
            <Chart
              model={model}
              height="fill"
              zoomable
              onCell={openRuns}
              title={curveTitle(result)}
              controls={controls}
            />
            {hasWhiskers(shown, spread) ? (
              <div className="kp-small">Whiskers: {whiskerWords(result.metric, spread, result.pick)}.</div>
            ) : null}
            <ScalingSentences result={result} filter={state.filter} />
          </Panel>
        ) : (
          // A single cell has no curve: its seconds are shown instead.
          <div className="kp-column">
            {isWatchedOnly ? (
              <>
                <MomentsPanel sessionId={state.id} />
                <HostsTab detail={detail} result={result} state={state} />
              </>
            ) : (
              <Timeline detail={detail} result={result} state={state} />
            )}
          </div>
        )}
        <Panel title="Cells" note="a click shows the runs of a cell" flush>
          <CellsTable result={result} cells={cells} onCell={openRuns} state={state} />
          {[
            ...basisSentences({ metric: result.metric, cells }),
            definitionOf(result.metric) ?? [],
            syncSentence(result) ?? [],
            excluded ?? [],
            constantSentence(result) ?? [],
          ]
            .flat()
            .map((sentence) => (
              <div className="kp-small kp-table-note" key={sentence}>
                {sentence}
              </div>
            ))}
        </Panel>
      </div>
      <PlacesPanel result={result} state={state} />
      <BaselinePanel result={result} shown={shown} state={state} />
      <ProfilesPanel detail={detail} result={result} runs={runs.data ?? []} />
      <ChosenCharts detail={detail} result={result} state={state} />
      {result.canary ? <CanaryPanel canary={result.canary} metric={result.metric} /> : null}
      <div id={FINDINGS}>
        <Panel title="Findings" note={severityWords(findings)}>
          {findings.length > 0 ? (
            <FindingsList folded findings={findings} actions={(found) => excludeOf(found, runs.data ?? [], state.id)} />
          ) : (
            <span className="kp-dim">No findings.</span>
          )}
        </Panel>
      </div>
    </>
  );
}

/** Maximum number of warnings that the answer names. */
const MOST_NAMED = 2;

/** Titles of the first warnings, the most severe first: how far the answer holds is read with it. */
const gravest = (findings: readonly Finding[]): string =>
  [...new Set(findings.flatMap(({ code, severity }) => (severity === 'note' ? [] : (checkOf(code)?.title ?? []))))]
    .slice(0, MOST_NAMED)
    .join(' · ');

const FINDINGS = 'findings';
/** Not a link: the part of the address behind “#” is the view. */
const showFindings = (): void => document.getElementById(FINDINGS)?.scrollIntoView();

/** Basis of the figures, in one line. */
function basisOf({ session, experiment }: SessionDetail, result: SessionResult): string {
  return [
    `${formatCount(session.cells, 'cell')} × ${repeatsWords(session.repeats, result.cells)}`,
    ...(result.stepName === undefined ? [] : [`step “${result.stepName}”`]),
    measuredWords(lengthsOf(experiment, result), result.warmup),
    formatDateTime(session.startedAt),
  ].join(' · ');
}

/** Button to exclude a run that hardly measured anything, or is far from the others of its cell. */
function excludeOf({ code, runId }: Finding, runs: readonly Run[], sessionId: number): ReactNode {
  const run = runId === undefined ? undefined : runs.find(({ id }) => id === runId);
  if (!run) return null;
  return (
    <>
      {code === SURPRISING ? <RepeatRun sessionId={sessionId} runId={run.id} /> : null}
      <ExcludeRun sessionId={sessionId} run={run} />
    </>
  );
}

const SURPRISING = 'surprising-run';

/** Button for an additional repeat of its cell; the run itself still counts. */
function RepeatRun({ sessionId, runId }: { sessionId: number; runId: number }) {
  const [, go] = useLocation();
  const repeat = useAction('sessions.repeat', { onSuccess: () => go(`/sessions/${sessionId}/live`) });
  return (
    <>
      <Button loading={repeat.isPending} onClick={() => repeat.mutate({ id: sessionId, runIds: [runId] })}>
        Repeat
      </Button>
      {repeat.error ? <ProblemBanner problem={repeat.error.problem} /> : null}
    </>
  );
}

function Facts({ detail, result }: StepProperties) {
  const { session, experiment, toolVersion } = detail;
  const targets = targetsOf(detail).map(({ name, description }) =>
    [name, description?.version].filter(Boolean).join(', '),
  );
  const storage = storageLines(detail.places, targetsOf(detail));
  const length = session.endedAt === undefined ? undefined : workedSeconds(session);
  return (
    <KeyValueList
      pairs={[
        ['Origin', session.origin && originWords(session)],
        ['Tool', `${toolWords(session)} ${toolVersion ?? ''}`],
        [targets.length > 1 ? 'Targets' : 'Target', targets.join('; ') || undefined],
        ['Storage', storage.length > 0 && storage.map((line) => <div key={line}>{line}</div>)],
        ['Generators', session.generators.join(', ')],
        ['Matrix', `${formatCount(session.cells, 'cell')} × ${repeatsWords(session.repeats, result.cells)}`],
        result.metric === null
          ? [
              'Monitored',
              `at most ${formatDuration(experiment.measure.warmup + experiment.measure.duration)} per trial`,
            ]
          : ['Measured', measuredWords(lengthsOf(experiment, result), result.warmup)],
        ['Started', formatDateTime(session.startedAt)],
        ['Length', length === undefined ? undefined : formatDuration(Math.round(length))],
        ['Failed runs', session.trialsFailed > 0 ? String(session.trialsFailed) : undefined],
      ]}
    />
  );
}

const lengthsOf = (experiment: SessionDetail['experiment'], { step = 0 }: SessionResult) =>
  stepLengths(experiment)[step] ?? experiment.measure;

/** The seconds behind the figures: a moved cut removes some of them, or adds some of the warm-up. */
function measuredWords({ warmup, duration }: { warmup: number; duration: number }, cut: number): string {
  const words = `${formatDuration(warmup + duration - cut)} after ${formatDuration(cut)} of warm-up`;
  return cut === warmup ? words : `${words}, not ${formatDuration(warmup)} as planned`;
}

/** Drift of the machines while the cells were measured. */
/** Levels that the table of cells has no columns for, as they are the same in all of them. */
function constantSentence({ factors, cells }: Pick<SessionResult, 'factors' | 'cells'>): string | undefined {
  if (!factors.some(isVaried)) return undefined;
  const words = formatLevels(distinctLevels(factors, cells[0]?.levels ?? {}, { constant: true }));
  return words === '' ? undefined : `All cells: ${words}.`;
}

function CanaryPanel({ canary, metric }: { canary: CanaryResult; metric: string }) {
  const theme = useChartTheme();
  const model = useMemo(() => canaryChart(canary, metric, theme), [canary, metric, theme]);
  const measured = canary.runs.some(({ value }) => value !== undefined);
  return (
    <Panel title="Canary" note="one cell, measured again during the session; not counted as repeats">
      <div className="kp-said">{canary.sentence}</div>
      {measured ? <Chart model={model} height={190} title="Canary over the session" /> : null}
    </Panel>
  );
}

/** Overview of a session without a load: recovery of servers after events, and activity of hosts and servers. */
function ObservationOverview({ facts, ...session }: StepProperties & { facts: ReactNode }) {
  const sources = useCall('monitors.sources', { sessionId: session.state.id });
  const { data: runs = [] } = useCall('sessions.runs', { id: session.state.id });
  const { detail, result } = session;
  const findings = gatheredFindings([...detail.findings, ...(result.findings ?? [])], runs);
  const recoveries = recoverySentences(runs);
  return (
    <>
      <div className="kp-answer">
        {recoveries.map((sentence) => (
          <div key={sentence}>{sentence}</div>
        ))}
        {sources.data ? (
          <div className={recoveries.length > 0 ? 'kp-answer-best' : undefined}>{watchedSentence(sources.data)}</div>
        ) : null}
      </div>
      <div className="kp-observed">
        <div className="kp-column">
          <MomentsPanel sessionId={session.state.id} />
          <HostsTab {...session} />
        </div>
        <div className="kp-overview-side">
          <Panel title="Session">{facts}</Panel>
          <Panel title="Findings" note={findings.length > 0 ? formatCount(findings.length, 'finding') : ''}>
            {findings.length > 0 ? (
              <FindingsList folded findings={findings} />
            ) : (
              <span className="kp-dim">No findings.</span>
            )}
          </Panel>
        </div>
      </div>
    </>
  );
}
