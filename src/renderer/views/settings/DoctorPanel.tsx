import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useCall } from '../../client/index.ts';
import { Panel, ProblemBanner, TableSkeleton } from '../../ui/index.ts';
import classes from './settings.module.css';

/** What the app finds when it looks at itself and at this computer. */
export function DoctorPanel() {
  const doctor = useCall('app.doctor', {});
  return (
    <Panel
      title="Doctor"
      note="What Kneepoint needs on this computer"
      flush
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={14} />}
          disabled={doctor.isFetching}
          onClick={() => void doctor.refetch()}
        >
          Check again
        </Button>
      }
    >
      {doctor.error && <ProblemBanner problem={doctor.error.problem} />}
      {!doctor.data && !doctor.error && <TableSkeleton rows={5} />}
      <ul className={classes.doctor}>
        {doctor.data?.map(({ topic, ok, message, next }) => {
          const Icon = ok ? IconCircleCheck : IconAlertTriangle;
          return (
            <li key={`${topic} ${message}`}>
              <Icon
                size={18}
                stroke={1.8}
                color={ok ? 'var(--kp-ok)' : 'var(--kp-warn)'}
                aria-label={ok ? 'fine' : 'needs attention'}
              />
              <strong>{topic}</strong>
              <span>
                {message} {next && <em>{next}</em>}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
