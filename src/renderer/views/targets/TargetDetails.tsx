import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Target, TargetPart } from '../../../shared/model/target.ts';
import type { TargetDetails as Details } from '../../../shared/model/target-details.ts';
import { formatDateTime } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { VaultUnlock } from '../../domain/problems.tsx';
import { SettingsTable } from '../../domain/SettingsTable.tsx';
import { BlockSkeleton, Panel, ProblemBanner } from '../../ui/index.ts';
import { CountersTable } from './CountersTable.tsx';
import { DataTables } from './DataTables.tsx';
import { SessionsTable } from './SessionsTable.tsx';
import classes from './targets.module.css';

/** One part of what a saved target tells, read when it is first looked at and again on demand. */
export function TargetDetails({ target, part }: { target: Target; part: TargetPart }) {
  const reading = useCall('targets.inspectSpec', { id: target.id, spec: target.spec });
  const again = (): void => void reading.refetch();
  const problem = reading.error?.problem ?? (reading.data?.result === 'failed' ? reading.data.problem : undefined);
  if (problem?.code === 'vault-locked') return <VaultUnlock problem={problem} onUnlocked={again} />;
  if (problem) {
    return (
      <ProblemBanner
        problem={problem}
        actions={
          <Button variant="default" loading={reading.isFetching} onClick={again}>
            Try again
          </Button>
        }
      />
    );
  }
  if (reading.data?.result !== 'ok') {
    return (
      <Panel label="Querying the server">
        <BlockSkeleton height={420} />
      </Panel>
    );
  }
  const { details } = reading.data;
  const moment = (
    <div className={classes.moment}>
      <span className="kp-small kp-dim">as of {formatDateTime(details.readAt)}</span>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.6} />}
        loading={reading.isFetching}
        onClick={again}
      >
        Read again
      </Button>
    </div>
  );
  return <Part part={part} details={details} moment={moment} />;
}

function Part({ part, details, moment }: { part: TargetPart; details: Details; moment: ReactNode }) {
  switch (part) {
    case 'settings':
      return <SettingsTable settings={details.settings ?? []} moment={moment} />;
    case 'sizes':
      return <DataTables sizes={details.sizes ?? { databases: [], tables: [], tablesLeftOut: 0 }} moment={moment} />;
    case 'sessions':
      return <SessionsTable sessions={details.sessions ?? []} moment={moment} />;
    case 'counters':
      return <CountersTable counters={details.counters ?? {}} moment={moment} />;
  }
}
