import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import type { LinkState } from '../../../../shared/model/host.ts';
import { formatClock, formatDuration } from '../../../../shared/util/format.ts';
import { VaultUnlock } from '../../../domain/problems.tsx';
import { Panel, ProblemBanner, useNow } from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { ChangedKey } from './ChangedKey.tsx';
import { FirstContact } from './FirstContact.tsx';
import type { RunningTest } from './useHostTest.ts';

interface Properties {
  test: RunningTest;
  /** The connection's own reports while the test runs. */
  link: LinkState | undefined;
  /** Words for a success: what was done, and where the facts are. */
  success: { done: string; next: string };
}

/** Progress and result of a test. Never accepts a key by itself. */
export function TestPanel({ test, link, success }: Properties) {
  if (test.since !== undefined) return <Progress since={test.since} link={link} />;
  const { result } = test;
  switch (result?.result) {
    case undefined:
      return null;
    case 'ok':
      return (
        <ProblemBanner
          tone="ok"
          problem={{
            message: `${success.done}; one round trip takes ${formatDuration(result.roundTripMs / 1000)}.`,
            next: success.next,
          }}
        />
      );
    case 'key-unknown':
      return <FirstContact hostKey={result.key} onTrusted={test.run} onCancel={test.clear} />;
    case 'key-changed':
      return <ChangedKey seen={result.key} known={result.known} onForgotten={test.run} />;
    case 'failed':
      if (result.problem.code === 'vault-locked') return <VaultUnlock problem={result.problem} onUnlocked={test.run} />;
      return (
        <ProblemBanner
          problem={result.problem}
          actions={
            <Button variant="default" onClick={test.run}>
              Try again
            </Button>
          }
        />
      );
  }
}

function Progress({ since, link }: { since: number; link: LinkState | undefined }) {
  const now = useNow(500);
  const up = link?.state === 'up';
  const steps = [
    { words: 'Reach the address, compare the key, log in', state: up ? 'done' : 'busy' },
    { words: 'Read system, disks, networks and clock; look for tools', state: up ? 'busy' : 'waiting' },
  ];
  return (
    <Panel title="Test" note={formatClock((now - since) / 1000)}>
      <ol className={classes.progress} aria-live="polite">
        {steps.map(({ words, state }) => {
          const Icon = state === 'done' ? IconCircleCheck : state === 'busy' ? IconLoader2 : IconCircle;
          return (
            <li key={words} data-state={state}>
              <Icon size={18} stroke={1.8} aria-hidden="true" />
              {words}
            </li>
          );
        })}
      </ol>
      {link?.message && <p className="kp-dim">{link.message}</p>}
    </Panel>
  );
}
