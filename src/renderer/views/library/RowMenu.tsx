import { Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconArrowRight, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { useAction } from '../../client/index.ts';
import { EXPORTS, RerunItems, useExport, useRerun } from '../../domain/index.ts';
import { MenuAction, RenameDialog, RowMenu } from '../../ui/index.ts';
import { placeOf } from './filter.ts';
import type { SessionChanges } from './useSessionChanges.tsx';

interface Properties {
  session: Session;
  /** The list is the archive. */
  archived: boolean;
  changes: SessionChanges;
}

/** Actions of a session. Separators divide the kinds of actions. */
export function SessionMenu({ session, archived, changes }: Properties) {
  const [, go] = useLocation();
  const files = useExport();
  const again = useRerun();
  const ended = ENDED_SESSION.includes(session.state);
  const [renaming, setRenaming] = useState(false);
  return (
    <>
      {renaming ? <Rename session={session} onClose={() => setRenaming(false)} /> : null}
      <RowMenu name={session.name} width={280} busy={files.busy || again.busy}>
        {session.damaged ? null : (
          <>
            <MenuAction
              label={ended ? 'Open results' : 'Open live view'}
              icon={IconArrowRight}
              onClick={() => go(placeOf(session))}
            />
            <MenuAction label="Rename" icon={IconPencil} onClick={() => setRenaming(true)} />
            <Menu.Divider />
            <RerunItems session={session} again={again} />
            <Menu.Divider />
            {EXPORTS.map(([format, label, _, Icon]) => (
              <MenuAction
                key={format}
                label={label}
                icon={Icon}
                onClick={() => files.start([{ sessionId: session.id }], format)}
              />
            ))}
            <Menu.Divider />
          </>
        )}
        <MenuAction
          label={archived ? 'Unarchive' : 'Archive'}
          icon={archived ? IconArchiveOff : IconArchive}
          disabled={!ended}
          onClick={() => changes.archive([session], !archived)}
        />
        <MenuAction label="Remove" icon={IconTrash} disabled={!ended} onClick={() => changes.remove([session])} />
      </RowMenu>
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
