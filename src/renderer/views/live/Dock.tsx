import { Tabs } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { gatheredFindings } from '../../../shared/checks/index.ts';
import { namedLevels } from '../../../shared/model/factor.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Run, SessionDetail } from '../../../shared/model/session.ts';
import { factRows } from '../../../shared/model/session-words.ts';
import { formatTimeOfDay } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { FactsTable, FindingsList, RawOutput, RunsTable } from '../../domain/index.ts';
import type { LiveState, LogView } from './stream/live-store.ts';

interface DockProperties {
  detail: SessionDetail;
  state: LiveState;
  run: Run | undefined;
}

/** Bottom drawer: log, alerts, trials, raw output. */
export function Dock({ detail, state, run }: DockProperties) {
  const result = useCall('results.session', { sessionId: detail.session.id });
  const [tab, setTab] = useState<string | null>('log');
  const runs = [...state.runs.values()];
  const set = run?.facts ? run : undefined;
  // Equal findings are shown for the newest trial that has them.
  const alerts = gatheredFindings(
    detail.findings,
    [...runs].reverse().map((each) => ({ ...each, findings: findingsOf(each) })),
  );
  return (
    <section className="kp-panel" aria-label="Log, alerts, trials and output">
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="log">Log</Tabs.Tab>
          <Tabs.Tab value="alerts">
            Alerts <Count>{alerts.length}</Count>
          </Tabs.Tab>
          <Tabs.Tab value="settings" disabled={!set}>
            Settings
          </Tabs.Tab>
          <Tabs.Tab value="trials">Trials</Tabs.Tab>
          <Tabs.Tab value="raw" disabled={!run}>
            Raw output
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log">
          <LogList entries={state.log} />
        </Tabs.Panel>
        <Tabs.Panel value="alerts" p="md">
          {alerts.length > 0 ? <FindingsList findings={alerts} /> : <span className="kp-dim">No alerts so far.</span>}
        </Tabs.Panel>
        {set ? (
          <Tabs.Panel value="settings">
            <FactsTable rows={factRows([set])} />
          </Tabs.Panel>
        ) : null}
        <Tabs.Panel value="trials">
          <RunsTable
            runs={runs.filter((entry) => entry.state !== 'pending')}
            factors={result.data?.factors ?? namedLevels(detail.experiment.factors)}
            metric={detail.session.primaryMetric}
            maxHeight={360}
          />
        </Tabs.Panel>
        <Tabs.Panel value="raw" p="md">
          {run ? <RawOutput key={run.id} run={run} following={run.endedAt === undefined} maxHeight={320} /> : null}
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

const Count = ({ children }: { children: ReactNode }) => <span className="kp-count kp-figures">{children}</span>;

const findingsOf = (run: Run): Finding[] =>
  run.findings
    .filter((finding) => finding.severity !== 'note')
    .map((finding) => ({ ...finding, message: `Trial ${run.trial + 1}: ${finding.message}` }));

/** Height of a single-line entry, in pixels; long ones take as much as they need. */
const ROW = 24;

/** The session's log; stays at its end unless the user has scrolled up. */
function LogList({ entries }: { entries: LogView }) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const count = entries.length;
  useEffect(() => {
    if (atEnd.current && count > 0) rows.scrollToIndex(count - 1);
  }, [count, rows]);
  const remember = (): void => {
    const box = place.current;
    if (box) atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 2 * ROW;
  };
  if (count === 0) return <div className="kp-table-empty">Nothing has been logged yet.</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard, as axe requires.
    <div className="kp-log" ref={place} onScroll={remember} role="log" aria-label="Log" tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((item) => {
          const entry = entries.at(item.index);
          return entry ? (
            <div
              key={entry.id}
              ref={rows.measureElement}
              data-index={item.index}
              className="kp-log-line"
              data-level={entry.level}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <time>{formatTimeOfDay(entry.at)}</time>
              <span className="kp-log-level">{entry.level}</span>
              <span className="kp-log-words">{entry.message}</span>
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}
