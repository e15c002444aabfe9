import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import { ask, useLink } from '../../../client/index.ts';
import { type DocumentState, ExperimentDocument } from './document.ts';
import { draftOf, dropDraft, keepDraft } from './drafts.ts';

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
