import type { ReactNode } from 'react';
import { gatheredFindings } from '../../../../shared/checks/index.ts';
import { watchedSentence } from '../../../../shared/model/monitored-words.ts';
import { recoverySentences } from '../../../../shared/stats/index.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { FindingsList } from '../../../domain/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { StepProperties } from '../useResults.ts';
import { HostsTab } from './HostsTab.tsx';
import { MomentsPanel } from './moments/MomentsPanel.tsx';

/** Of a session that loaded nothing: when servers were back after what was done to them, and what hosts and servers did. */
export function ObservationOverview({ facts, ...session }: StepProperties & { facts: ReactNode }) {
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
