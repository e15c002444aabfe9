import type { ReactNode } from 'react';
import type { Finding } from '../../../../shared/model/finding.ts';
import { watchedSentence } from '../../../../shared/model/monitored-words.ts';
import type { Run } from '../../../../shared/model/session.ts';
import { recoverySentences } from '../../../../shared/stats/index.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { FindingsList } from '../../../domain/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';
import { HostsTab } from './HostsTab.tsx';
import { MomentsPanel } from './moments/MomentsPanel.tsx';

/** Of a session that loaded nothing: when servers were back after what was done to them, and what hosts and servers did. */
export function ObservationOverview({
  facts,
  findings,
  runs,
  ...session
}: TabProperties & { facts: ReactNode; findings: readonly Finding[]; runs: readonly Run[] }) {
  const sources = useCall('monitors.sources', { sessionId: session.state.id });
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
