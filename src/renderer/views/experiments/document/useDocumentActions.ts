import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import { type NamedPlace, placesNamed } from '../../../../shared/model/places.ts';
import { type Problem, problemOf } from '../../../../shared/model/problem.ts';
import { ask, callKey, useCall, useLink } from '../../../client/index.ts';
import { type DocumentState, ExperimentDocument } from './document.ts';
import { draftOf, dropDraft, keepDraft } from './drafts.ts';
import { type Allowed, devicesAllowed } from './steps.ts';

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
      // A list that was never requested would lack all others.
      queries.setQueryData<ExperimentFile[]>(
        callKey('experiments.list', {}),
        (list) => list && [...list.filter((entry) => entry.id !== saved.id), saved],
      );
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

export interface OpenDocument {
  document: ExperimentDocument;
  state: DocumentState;
  /** Whether there are unsaved changes. */
  changed: boolean;
  /** Whether these are stored as a draft. */
  kept: boolean;
  /** Whether it was opened with changes of an earlier visit. */
  fromDraft: boolean;
  /** Reverts to the stored text. */
  discard(): void;
  /** Marks the current content as stored. */
  markSaved(text: string): void;
}

/** Stored content of an id: a text, or only an initial experiment. */
export type Origin = { text: string } | { experiment: Experiment };

/** Opens a document for editing; unsaved changes are stored under `id` until they are saved or discarded. */
export function useDocument(id: string, origin: Origin): OpenDocument {
  const link = useLink();
  const [opened] = useState(() => {
    const draft = draftOf(id);
    const document = new ExperimentDocument(draft === undefined ? origin : { text: draft }, {
      check: (text, signal) => ask(link, 'experiments.check', { text }, signal),
      format: async (experiment, base, signal) =>
        (await ask(link, 'experiments.format', { experiment, ...(base !== '' && { base }) }, signal)).text,
    });
    return { document, fromDraft: draft !== undefined };
  });
  const { document } = opened;
  const [fromDraft, setFromDraft] = useState(opened.fromDraft);
  const [saved, setSaved] = useState('text' in origin ? origin.text : '');
  const state = useSyncExternalStore(document.onChanged, document.state);
  const changed = state.text !== '' && state.text !== saved;
  useEffect(() => () => document.close(), [document]);
  // An untouched blank document is no draft.
  const kept = changed && (state.canUndo || fromDraft || 'text' in origin);
  const name = state.experiment?.name ?? id;
  useEffect(() => {
    if (kept) keepDraft({ id, name, text: state.text });
    else dropDraft(id);
  }, [id, kept, name, state.text]);
  return {
    document,
    state,
    changed,
    kept,
    fromDraft,
    discard: () => {
      setFromDraft(false);
      if ('text' in origin || saved !== '') document.setText(saved);
      else if ('experiment' in origin) document.edit(() => origin.experiment);
    },
    markSaved: (text) => {
      setFromDraft(false);
      setSaved(text);
    },
  };
}

/** Hosts and targets in the document that are not saved, as far as saved ones are loaded. */
export function useMissingPlaces(experiment: Experiment | undefined): NamedPlace[] {
  const hosts = useCall('hosts.list', {}).data;
  const targets = useCall('targets.list', {}).data;
  if (!experiment) return [];
  return placesNamed(experiment).filter(({ place, name }) => {
    const known = place === 'host' ? hosts : targets;
    return known !== undefined && !known.some(({ spec }) => spec.name === name);
  });
}
