import { Button, Menu } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { Session } from '../../../../shared/model/session.ts';
import { systemWords } from '../../../../shared/model/session-labels.ts';
import { formatDateTime } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';

const MOST = 12;

/** The other sessions, those of the same tool first; the one chosen is the baseline. `warmup`: the cut that the page shows; undefined: as planned. */
export function CompareMenu({ session, warmup }: { session: Session; warmup: number | undefined }) {
  const cut = warmup === undefined ? '' : `&warmup=${warmup}`;
  const [, go] = useLocation();
  const list = useCall('sessions.list', {});
  const others = (list.data ?? [])
    .filter((other) => other.id !== session.id && (other.best !== undefined || other.figuresFollow))
    .sort((one, other) => Number(other.tool === session.tool) - Number(one.tool === session.tool));
  return (
    <Menu position="bottom-end" width={340}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={16} />}
          disabled={others.length === 0 && session.cells < 2}
        >
          Compare
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {session.cells > 1 ? (
          <Menu.Item onClick={() => go(`/compare?baseline=${session.id}&other=${session.id}${cut}`)}>
            Its own cells, against a level
          </Menu.Item>
        ) : null}
        {others.length > 0 ? <Menu.Label>Compare with this baseline</Menu.Label> : null}
        {others.slice(0, MOST).map((other) => (
          <Menu.Item key={other.id} onClick={() => go(`/compare?baseline=${other.id}&other=${session.id}${cut}`)}>
            {other.name}
            <div className="kp-small">
              {formatDateTime(other.createdAt)} · {systemWords(other)}
            </div>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
