import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useLinkStatus } from '../client/index.ts';
import { ProblemBanner } from '../ui/index.ts';
import { OBSTACLES } from './NoAccess.tsx';

/** Says that the engine is gone, and later that it is back: nothing measured depends on this page. */
export function LinkBanner() {
  const { state, times, obstacle } = useLinkStatus();
  const [read, setRead] = useState(1);
  if (state === 'lost') {
    return (
      <div className="kp-link-banner">
        <ProblemBanner
          tone="warn"
          problem={{
            message: 'The connection to the engine is lost.',
            safe: 'Trials on the hosts continue, and nothing measured is lost.',
            next: 'Reconnecting…',
            ...(obstacle ? OBSTACLES[obstacle] : {}),
          }}
        />
      </div>
    );
  }
  if (state !== 'up' || times <= read) return null;
  return (
    <div className="kp-link-banner">
      <ProblemBanner
        tone="ok"
        problem={{ message: 'The engine restarted. Nothing measured is lost.' }}
        actions={
          <ActionIcon aria-label="Dismiss" onClick={() => setRead(times)}>
            <IconX size={16} />
          </ActionIcon>
        }
      />
    </div>
  );
}
