import { StandardSQL, sql } from '@codemirror/lang-sql';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage } from '@codemirror/language';
import { lua } from '@codemirror/legacy-modes/mode/lua';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { attributesOf, basics, FromOutside, withSuggestions } from './extensions.ts';
import type { CodeEditorProperties } from './properties.ts';
import { showProblems } from './yaml-place.ts';

/** CodeMirror, kept in sync with its properties. */
export function LoadedEditor(properties: CodeEditorProperties) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const attributes = useMemo(() => new Compartment(), []);
  const latest = useRef(properties);
  useEffect(() => {
    latest.current = properties;
  });
  const { language } = properties;
  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({ parent: place.current, state: stateOf(language, latest, attributes) });
    view.current = editor;
    return () => editor.destroy();
  }, [language, attributes]);
  useSynchronised(view, attributes, properties);
  return <div ref={place} />;
}

function stateOf(
  language: CodeEditorProperties['language'],
  latest: { readonly current: CodeEditorProperties },
  attributes: Compartment,
): EditorState {
  return EditorState.create({
    doc: latest.current.text,
    extensions: [
      basics(),
      languageOf(language),
      withSuggestions((before) => latest.current.suggest?.(before)),
      attributes.of(attributesOf(latest.current)),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        if (docChanged && !transactions.some((transaction) => transaction.annotation(FromOutside)))
          latest.current.onChange(state.doc.toString());
      }),
    ],
  });
}

function useSynchronised(
  view: RefObject<EditorView | undefined>,
  attributes: Compartment,
  properties: CodeEditorProperties,
): void {
  const { text, problems, goTo, label, readOnly, invalid, id, describedBy, placeholder } = properties;
  useEffect(() => {
    const change = view.current && replacement(view.current.state.doc.toString(), text);
    if (change) view.current?.dispatch({ changes: change, annotations: FromOutside.of(true) });
  }, [view, text]);
  useEffect(() => {
    const effect = attributes.reconfigure(attributesOf({ label, readOnly, invalid, id, describedBy, placeholder }));
    view.current?.dispatch({ effects: effect });
  }, [view, attributes, label, readOnly, invalid, id, describedBy, placeholder]);
  useEffect(() => {
    view.current?.dispatch({ effects: showProblems.of(problems ?? []) });
  }, [view, problems]);
  useEffect(() => {
    if (view.current && goTo) select(view.current, goTo.line);
  }, [view, goTo]);
}

function select(view: EditorView, number: number): void {
  const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
  view.dispatch({
    selection: { anchor: line.from, head: line.to },
    effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
  });
  view.focus();
}

const LANGUAGES: Readonly<Record<CodeEditorProperties['language'], () => Extension>> = {
  yaml,
  sql: () => sql({ dialect: StandardSQL, upperCaseKeywords: true }),
  lua: () => StreamLanguage.define(lua),
};

const languageOf = (language: CodeEditorProperties['language']): Extension => LANGUAGES[language]();

/** The single change that turns one text into another, so that the cursor and the surrounding text stay; undefined if they are equal. */
export function replacement(before: string, after: string): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
