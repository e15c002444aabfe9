import './results.css';
import { Button, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { damageWords, type SampleDamage } from '../../../shared/model/damage.ts';
import { ChartSubject } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { MeasuresDialog } from '../../domain/measures/Measures.tsx';
import { BlockSkeleton, Page, ProblemBanner, useCrumbs, useKeptScroll, useKeys } from '../../ui/index.ts';
import { ControlBar } from './ControlBar.tsx';
import { Head } from './head/Head.tsx';
import { CostTab } from './tabs/CostTab.tsx';
import { CurveTab } from './tabs/CurveTab.tsx';
import { DistributionTab } from './tabs/DistributionTab.tsx';
import { EfficiencyTab } from './tabs/EfficiencyTab.tsx';
import { HostsTab } from './tabs/HostsTab.tsx';
import { OverviewTab } from './tabs/OverviewTab.tsx';
import { ofSeconds } from './tabs/ofSeconds.tsx';
import { PivotTab } from './tabs/PivotTab.tsx';
import { RawTab } from './tabs/RawTab.tsx';
import { RunsTab } from './tabs/RunsTab.tsx';
import { SetupTab } from './tabs/SetupTab.tsx';
import { TimelineTab } from './tabs/TimelineTab.tsx';
import { useReparse } from './useReparse.ts';
import { type StepProperties, type TabProperties, useResults } from './useResults.ts';

type TabOf<Properties> = readonly [value: string, label: string, Tab: (properties: Properties) => ReactNode];

const TABS: readonly TabOf<TabProperties>[] = [
  ['overview', 'Overview', OverviewTab],
  ['curve', 'Curve', CurveTab],
  ['pivot', 'Pivot', PivotTab],
  ['timeline', 'Timeline', ofSeconds(TimelineTab)],
  ['hosts', 'Hosts', HostsTab],
  ['distribution', 'Distribution', ofSeconds(DistributionTab)],
  ['efficiency', 'Efficiency', EfficiencyTab],
  ['runs', 'Runs', RunsTab],
  ['setup', 'Set-up', SetupTab],
  ['cost', 'Cost', ofSeconds(CostTab)],
  ['raw', 'Raw', RawTab],
];
/** Tabs of a session without a load. */
const OF_OBSERVATION: readonly TabOf<StepProperties>[] = [
  ['overview', 'Overview', OverviewTab],
  ['hosts', 'Hosts', HostsTab],
  ['runs', 'Runs', RunsTab],
  ['setup', 'Set-up', SetupTab],
  ['raw', 'Raw', RawTab],
];
/** Tabs whose figures depend on metric, warm-up cut and filters. */
const MEASURED = ['overview', 'curve', 'pivot', 'timeline', 'distribution', 'efficiency', 'cost'];

/** Results of a session. Each session has its own page: choices of one are not carried into the next. */
export function ResultsView() {
  const { id, tab = 'overview' } = useParams<'/sessions/:id/results/:tab?'>();
  return <SessionResults key={id} id={Number(id)} tab={tab} />;
}

function SessionResults({ id, tab }: { id: number; tab: string }) {
  const [, go] = useLocation();
  const state = useResults(id);
  const name = state.detail.data?.session.name;
  useCrumbs(name ? [{ label: name, to: `/sessions/${id}/results` }, { label: 'Results' }] : []);
  const watchesOnly = state.detail.data?.session.primaryMetric === null;
  const place = useKeptScroll(tab);
  const tabs = watchesOnly ? OF_OBSERVATION : TABS;
  const list = useCall('sessions.list', {});
  const turn = (by: -1 | 1) => (): void => {
    const all = (list.data ?? []).filter(({ damaged }) => !damaged);
    const next = all[all.findIndex((session) => session.id === id) + by];
    if (next) go(`/sessions/${next.id}/results/${tab}`);
  };
  useKeys({
    ...Object.fromEntries(
      tabs
        .slice(0, 9)
        .map(([value], index) => [String(index + 1), () => go(`/sessions/${id}/results/${value}${state.search}`)]),
    ),
    '[': turn(-1),
    ']': turn(1),
  });
  return (
    <Page>
      <Head state={state} />
      {state.detail.error ? null : (
        <Tabs
          value={tab}
          onChange={(value) => value && go(`/sessions/${id}/results/${value}${state.search}`)}
          keepMounted={false}
        >
          <Tabs.List>
            {tabs.map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {state.detail.error ? (
        <ProblemBanner problem={state.detail.error.problem} actions={<Link href="/">All sessions</Link>} />
      ) : (
        <div className="kp-results-tab" role="tabpanel" ref={place}>
          {MEASURED.includes(tab) && !watchesOnly ? <ControlBar state={state} hasCharts={tab === 'overview'} /> : null}
          {state.result.error ? <ProblemBanner problem={state.result.error.problem} /> : null}
          {state.result.data?.damage ? <DamageBanner sessionId={id} damage={state.result.data.damage} /> : null}
          {state.detail.data && state.result.data ? (
            <ChartSubject value={state.result.data.memory}>
              <OpenTab tab={tab} detail={state.detail.data} result={state.result.data} state={state} />
              <MeasuresDialog
                detail={state.detail.data}
                metrics={[...state.result.data.metrics, ...(state.result.data.runFigures ?? [])]}
                initial={state.measure}
                onClose={() => state.setMeasure(undefined)}
                onMetric={state.setMetric}
              />
            </ChartSubject>
          ) : state.result.error ? null : (
            <BlockSkeleton height={420} />
          )}
        </div>
      )}
    </Page>
  );
}

function OpenTab({ tab, result, ...session }: StepProperties & { tab: string }) {
  const [, , Watched] = OF_OBSERVATION.find(([value]) => value === tab) ?? [];
  const [, , Measured] = TABS.find(([value]) => value === tab) ?? [];
  if (result.metric !== null)
    return Measured ? <Measured {...session} result={result} /> : <OverviewTab {...session} result={result} />;
  return Watched ? <Watched {...session} result={result} /> : <OverviewTab {...session} result={result} />;
}

interface DamageProperties {
  sessionId: number;
  damage: readonly SampleDamage[];
}

/** Unreadable stored samples: figures are calculated without their runs. */
function DamageBanner({ sessionId, damage }: DamageProperties) {
  const { busy, problem, start } = useReparse(sessionId);
  return (
    <>
      {problem ? <ProblemBanner problem={problem} /> : null}
      <ProblemBanner
        tone="warn"
        problem={{
          message: damage.map(damageWords).join(' '),
          safe: 'No figures are computed from these runs; tool output and all other data can be read and exported.',
          next: 'Re-parse that output to rebuild their samples.',
        }}
        actions={
          <Button
            variant="default"
            loading={busy}
            onClick={() => start([...new Set(damage.map(({ runId }) => runId))])}
          >
            Re-parse raw output
          </Button>
        }
      />
    </>
  );
}
