import { Button, Menu } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { useAction, useCall } from '../../../client/index.ts';

/** The experiment of a session once more: as it was, on its way to the start, or as a copy to edit. */
export function AgainMenu({ detail }: { detail: SessionDetail }) {
  const [, go] = useLocation();
  const { experimentText: text } = detail;
  const documents = useCall('experiments.list', {});
  const save = useAction('experiments.save');
  // The same experiment is not saved twice: it would fill the list with copies.
  const known = documents.data?.find((file) => file.origin === 'saved' && file.text === text);
  const open = (id: string, step: string): void => go(`/experiments/${encodeURIComponent(id)}/${step}`);
  const copy = (step: string): void => save.mutate({ text }, { onSuccess: ({ id }) => open(id, step) });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconRepeat size={16} />} disabled={!text} loading={save.isPending}>
          Run again
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => (known ? open(known.id, 'review') : copy('review'))}>
          Run again
          <div className="kp-small">Checks the same experiment; Start makes a new session</div>
        </Menu.Item>
        <Menu.Item onClick={() => copy('workload')}>
          Edit and run again
          <div className="kp-small">Opens a copy of the experiment</div>
        </Menu.Item>
        {save.error ? <Menu.Label>{save.error.problem.message}</Menu.Label> : null}
      </Menu.Dropdown>
    </Menu>
  );
}
