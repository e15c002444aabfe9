import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { describeProblem, problemOf } from '../../shared/model/problem.ts';
import { ask, useLink } from '../client/index.ts';

/** Where repeats are added to a session. `cells`: indices, all if absent. */
export function repeatsPlace(id: number, add?: number, cells?: readonly number[]): string {
  const asked = new URLSearchParams({ ...(add && { add: String(add) }), ...(cells && { cells: cells.join(',') }) });
  return `/sessions/${id}/repeats${asked.size > 0 ? `?${asked}` : ''}`;
}

/** The experiment of a session once more. Its document is asked for only when a person wants it. */
export function useAgain() {
  const link = useLink();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const open = async (id: number, step: 'review' | 'workload'): Promise<void> => {
    setBusy(true);
    try {
      const { experimentText: text } = await ask(link, 'sessions.get', { id });
      // The same experiment is not saved twice: it would fill the list with copies. One that is edited is a copy, so that this one stays.
      const documents = step === 'review' ? await ask(link, 'experiments.list', {}) : [];
      const known = documents.find((file) => file.origin === 'saved' && file.text === text);
      const document = known ?? (await ask(link, 'experiments.save', { text }));
      go(`/experiments/${encodeURIComponent(document.id)}/${step}`);
    } catch (thrown) {
      const message = describeProblem(problemOf(thrown));
      notifications.show({ color: 'red', title: 'The experiment was not opened.', message });
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    run: (id: number) => void open(id, 'review'),
    edit: (id: number) => void open(id, 'workload'),
    addRepeats: (id: number) => go(repeatsPlace(id)),
  };
}
