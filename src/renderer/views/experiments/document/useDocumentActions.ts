import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import { type Problem, problemOf } from '../../../../shared/model/problem.ts';
import { ask, callKey, useLink } from '../../../client/index.ts';
import { dropDraft } from './drafts.ts';
import { type Allowed, devicesAllowed } from './useAllowed.ts';
import type { OpenDocument } from './useDocument.ts';

/** `id`: last part of a document's address; its slashes are kept. */
export const addressOf = (id: string, step: string): string =>
  `/experiments/${id.split('/').map(encodeURIComponent).join('/')}/${step}`;

/** Saves the text as it is, including problems; a template becomes a saved document. */
export function useSave(
  file: ExperimentFile | undefined,
  open: OpenDocument,
  id: string,
  step: string | undefined,
  onProblem: (problem: Problem | undefined) => void,
) {
  const link = useLink();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    onProblem(undefined);
    try {
      const text = await open.document.settle();
      const own = file?.origin === 'saved' ? { id: file.id } : {};
      const saved = await ask(link, 'experiments.save', { ...own, text });
      queries.setQueryData<ExperimentFile[]>(callKey('experiments.list', {}), (list) => [
        ...(list ?? []).filter((entry) => entry.id !== saved.id),
        saved,
      ]);
      open.markSaved(text);
      if (saved.id !== id) {
        dropDraft(id);
        go(addressOf(saved.id, step ?? 'workload'), { replace: true });
      }
    } catch (error) {
      onProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { run, busy };
}

/** Starts the current document, and opens the live page. */
export function useStart(
  file: ExperimentFile | undefined,
  id: string,
  open: OpenDocument,
  allowed: Allowed | undefined,
  onProblem: (problem: Problem | undefined) => void,
) {
  const link = useLink();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    onProblem(undefined);
    try {
      const text = await open.document.settle();
      const session = await ask(link, 'sessions.start', { text, destroy: [...devicesAllowed(allowed, text)] });
      // The session has the document: it is no longer a draft of a new one.
      if (file?.origin !== 'saved') dropDraft(id);
      go(`/sessions/${session.id}/live`);
    } catch (error) {
      onProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { run, busy };
}
