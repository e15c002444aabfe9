import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { ask, callKey, inSequence, useLink } from '../../client/index.ts';

/** Time to undo a change, milliseconds. */
const GRACE_MS = 8000;

/**
 * Stored with the results of the engine, so that it outlives the view: a user who leaves and returns within the time sees the same list.
 */
const REMOVING_KEY = ['library', 'leaving'] as const;
const NONE: readonly number[] = [];

export interface SessionChanges {
  /** Hidden sessions that may still return. */
  removing: readonly number[];
  remove: (sessions: readonly Session[]) => void;
  archive: (sessions: readonly Session[], archived: boolean) => void;
  /** Sets the tags of each session to the result of `tagsOf`. */
  tag: (sessions: readonly Session[], tagsOf: (session: Session) => readonly string[]) => void;
}

/**
 * Changes of listed sessions, all of which can be undone. A deletion is only executed when its notice has gone: until then nothing has
 * happened, and nothing is lost if the app ends.
 */
export function useSessionChanges(): SessionChanges {
  const link = useLink();
  const queries = useQueryClient();
  const pending = useRef(new Map<string, readonly Session[]>());
  const { data: removing = NONE } = useQuery<readonly number[]>({
    queryKey: REMOVING_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const setRemoving = (change: (ids: readonly number[]) => readonly number[]): void =>
    void queries.setQueryData<readonly number[]>(REMOVING_KEY, (ids = NONE) => change(ids));
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: callKey('sessions.list') });

  /** One after another; those before a refused one are done. */
  const each = async (
    what: string,
    sessions: readonly Session[],
    change: (session: Session) => Promise<unknown>,
  ): Promise<boolean> => {
    try {
      await inSequence([what, 'session'], sessions, change);
      return true;
    } catch (thrown) {
      failed(thrown);
      return false;
    } finally {
      await refresh();
    }
  };

  const remove = (sessions: readonly Session[]): void => {
    const ids = sessions.map(({ id }) => id);
    const notice = `remove ${ids.join(' ')}`;
    const show = (): void => setRemoving((now) => now.filter((id) => !ids.includes(id)));
    setRemoving((now) => [...now, ...ids]);
    pending.current.set(notice, sessions);
    notifications.show({
      id: notice,
      autoClose: GRACE_MS,
      onClose: () => {
        if (pending.current.delete(notice))
          void each('Removing sessions', sessions, ({ id }) => ask(link, 'sessions.remove', { id })).then(show);
      },
      message: (
        <WithUndo
          words={`${formatCount(sessions.length, 'session')} will be removed when this notice closes.`}
          onUndo={() => {
            pending.current.delete(notice);
            show();
            notifications.hide(notice);
          }}
        />
      ),
    });
  };

  /** A change that is applied immediately, and undone by its opposite. */
  const change = (what: string, sessions: readonly Session[], to: Edit, back: Edit): void => {
    const edit = (edited: Edit) =>
      each('Changing sessions', sessions, (session) =>
        ask(link, 'sessions.edit', { id: session.id, ...edited(session) }),
      );
    const notice = `${what} ${sessions.map(({ id }) => id).join(' ')}`;
    void edit(to).then((done) => {
      if (!done) return;
      notifications.show({
        id: notice,
        autoClose: GRACE_MS,
        message: (
          <WithUndo
            words={`${formatCount(sessions.length, 'session')} ${what}.`}
            onUndo={() => {
              notifications.hide(notice);
              void edit(back);
            }}
          />
        ),
      });
    });
  };
  return {
    removing,
    remove,
    archive: (sessions, archived) =>
      change(
        archived ? 'archived' : 'unarchived',
        sessions,
        () => ({ archived }),
        () => ({ archived: !archived }),
      ),
    tag: (sessions, tagsOf) =>
      change(
        'tagged',
        sessions,
        (session) => ({ tags: [...tagsOf(session)] }),
        ({ tags }) => ({ tags: [...tags] }),
      ),
  };
}

type Edit = (session: Session) => { archived?: boolean; tags?: string[] };

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
