import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { ask, callKey, useLink } from '../../client/index.ts';

/** Time to take a deletion back, milliseconds. */
const GRACE_MS = 8000;

interface Removal {
  /** Sessions no longer shown, though they may still come back. */
  leaving: ReadonlySet<number>;
  remove: (sessions: readonly Session[]) => void;
  archive: (sessions: readonly Session[]) => void;
}

/** Archiving and deleting, both to be undone: a deletion is only carried out when its notice has gone. */
export function useRemoval(): Removal {
  const link = useLink();
  const [leaving, setLeaving] = useState<ReadonlySet<number>>(new Set());
  const pending = useRef(new Map<string, readonly Session[]>());

  const refresh = useRefresh();
  const show = (sessions: readonly Session[], back: boolean): void =>
    setLeaving((now) => {
      const next = new Set(now);
      for (const { id } of sessions) back ? next.delete(id) : next.add(id);
      return next;
    });

  const carryOut = async (notice: string): Promise<void> => {
    const sessions = pending.current.get(notice);
    if (!sessions) return;
    pending.current.delete(notice);
    try {
      for (const { id } of sessions) await ask(link, 'sessions.remove', { id });
    } catch (thrown) {
      failed(thrown);
    }
    await refresh();
    show(sessions, true);
  };

  const remove = (sessions: readonly Session[]): void => {
    show(sessions, false);
    const notice = `remove ${sessions.map(({ id }) => id).join(' ')}`;
    pending.current.set(notice, sessions);
    const undo = (): void => {
      pending.current.delete(notice);
      show(sessions, true);
      notifications.hide(notice);
    };
    notifications.show({
      id: notice,
      autoClose: GRACE_MS,
      onClose: () => void carryOut(notice),
      message: <WithUndo words={`${formatCount(sessions.length, 'session')} will be deleted.`} onUndo={undo} />,
    });
  };
  return { leaving, remove, archive: useArchive() };
}

function useArchive(): Removal['archive'] {
  const link = useLink();
  const refresh = useRefresh();
  const setArchived = async (sessions: readonly Session[], archived: boolean): Promise<void> => {
    try {
      for (const { id } of sessions) await ask(link, 'sessions.edit', { id, archived });
    } catch (thrown) {
      failed(thrown);
    }
    await refresh();
  };
  return (sessions: readonly Session[]): void => {
    const notice = `archive ${sessions.map(({ id }) => id).join(' ')}`;
    const undo = (): void => {
      notifications.hide(notice);
      void setArchived(sessions, false);
    };
    void setArchived(sessions, true).then(() =>
      notifications.show({
        id: notice,
        autoClose: GRACE_MS,
        message: <WithUndo words={`${formatCount(sessions.length, 'session')} archived.`} onUndo={undo} />,
      }),
    );
  };
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: callKey('sessions.list') });
}

const failed = (thrown: unknown): void => {
  notifications.show({ color: 'red', title: 'The action failed.', message: describeProblem(problemOf(thrown)) });
};

const WithUndo = ({ words, onUndo }: { words: string; onUndo: () => void }) => (
  <Group justify="space-between" wrap="nowrap">
    <span>{words}</span>
    <Button variant="light" onClick={onUndo}>
      Undo
    </Button>
  </Group>
);
