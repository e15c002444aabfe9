import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowRight, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { useAction } from '../../client/index.ts';
import { EXPORTS, RerunItems, useExport, useRerun } from '../../domain/index.ts';
import { RenameDialog } from '../../ui/index.ts';
import { placeOf } from './filter.ts';
import type { SessionChanges } from './useSessionChanges.tsx';

interface Properties {
  session: Session;
  /** The list is the archive. */
  archived: boolean;
  changes: SessionChanges;
}

/** Actions of a session. Separators divide the kinds of actions. */
export function RowMenu({ session, archived, changes }: Properties) {
  const [, go] = useLocation();
  const files = useExport();
  const again = useRerun();
  const ended = ENDED_SESSION.includes(session.state);
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      {renaming ? <Rename session={session} onClose={() => setRenaming(false)} /> : null}
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${session.name}`} loading={files.busy || again.busy}>
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {session.damaged ? null : (
            <>
              <Menu.Item leftSection={<IconArrowRight size={16} stroke={1.6} />} onClick={() => go(placeOf(session))}>
                {ended ? 'Open results' : 'Open live view'}
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil size={16} stroke={1.6} />} onClick={() => setRenaming(true)}>
                Rename
              </Menu.Item>
              <Menu.Divider />
              <RerunItems session={session} again={again} />
              <Menu.Divider />
              {EXPORTS.map(([format, label, _, Icon]) => (
                <Menu.Item
                  key={format}
                  leftSection={<Icon size={16} stroke={1.6} />}
                  onClick={() => files.start([{ sessionId: session.id }], format)}
                >
                  {label}
                </Menu.Item>
              ))}
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            leftSection={archived ? <IconArchiveOff size={16} stroke={1.6} /> : <IconArchive size={16} stroke={1.6} />}
            disabled={!ended}
            onClick={() => changes.archive([session], !archived)}
          >
            {archived ? 'Unarchive' : 'Archive'}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} stroke={1.6} />}
            disabled={!ended}
            onClick={() => changes.remove([session])}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function Rename({ session, onClose }: { session: Session; onClose(): void }) {
  const edit = useAction('sessions.edit', { onSuccess: onClose });
  return (
    <RenameDialog
      title="Rename session"
      name={session.name}
      busy={edit.isPending}
      problem={edit.error?.problem}
      onRename={(name) => edit.mutate({ id: session.id, name })}
      onClose={onClose}
    />
  );
}
