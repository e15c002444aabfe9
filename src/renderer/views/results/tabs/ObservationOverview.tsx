import type { ReactNode } from 'react';
import type { Finding } from '../../../../shared/model/finding.ts';
import { watchedSentence } from '../../../../shared/model/monitored-words.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { FindingsList } from '../../../domain/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';
import { HostsTab } from './HostsTab.tsx';
import { MomentsPanel } from './moments/MomentsPanel.tsx';

/** Of a session that loaded nothing: there are no figures, and what there is to see are hosts and servers. */
export function ObservationOverview({
  facts,
  findings,
  ...session
}: TabProperties & { facts: ReactNode; findings: readonly Finding[] }) {
  const sources = useCall('monitors.sources', { sessionId: session.state.id });
  return (
    <>
      {sources.data ? <div className="kp-answer">{watchedSentence(sources.data)}</div> : null}
      <div className="kp-overview">
        <div className="kp-column">
          <MomentsPanel sessionId={session.state.id} />
          <HostsTab {...session} />
        </div>
        <div className="kp-overview-side">
          <Panel title="Session">{facts}</Panel>
          <Panel title="Findings" note={findings.length > 0 ? formatCount(findings.length, 'finding') : ''}>
            {findings.length > 0 ? <FindingsList findings={findings} /> : <span className="kp-dim">No findings.</span>}
          </Panel>
        </div>
      </div>
    </>
  );
}
