import { IconKey } from '@tabler/icons-react';
import type { Obstacle } from '../client/index.ts';
import { CodeBlock, EmptyState } from '../ui/index.ts';

const MORE = 'npm run -s kneepoint -- link';

/** Reasons why a tab has no access to the engine, with the remedy. */
export const OBSTACLES: Readonly<Record<Obstacle, { message: string; next: string }>> = {
  'no-link': {
    message: 'This tab has no access to Kneepoint.',
    next: `Open the link that Kneepoint printed. It works once; “${MORE}” prints another.`,
  },
  'link-used': {
    message: 'This link was already used, or belongs to an earlier start of Kneepoint.',
    next: `Open the latest printed link, or print another with “${MORE}”.`,
  },
  restarted: {
    message: 'Kneepoint was restarted and printed a new link. This tab belongs to the earlier start.',
    next: `Open the new link; “${MORE}” prints another.`,
  },
  unreachable: {
    message: 'Kneepoint does not respond.',
    next: 'If it was closed, start it again and open the link that it prints. This tab reconnects automatically.',
  },
};

/** Replaces the app in a tab that never had access. */
export function NoAccess({ obstacle }: { obstacle: Obstacle }) {
  const { message } = OBSTACLES[obstacle];
  return (
    <main className="kp-no-access">
      <EmptyState icon={<IconKey size={32} stroke={1.4} aria-hidden="true" />} title={message}>
        {obstacle === 'unreachable'
          ? OBSTACLES.unreachable.next
          : 'Open the latest link that Kneepoint printed. A link works once. To print another, run this command in the folder of Kneepoint:'}
      </EmptyState>
      {obstacle === 'unreachable' ? null : <CodeBlock text={MORE} />}
    </main>
  );
}
