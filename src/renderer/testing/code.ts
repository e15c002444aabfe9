import { EditorView } from '@codemirror/view';

function viewOf(area: HTMLElement): EditorView {
  const view = EditorView.findFromDOM(area);
  if (!view) throw new Error('This is no code editor.');
  return view;
}

/** The text of a code editor, given its element with role `textbox`. */
export const codeIn = (area: HTMLElement): string => viewOf(area).state.doc.toString();

/** Replaces its text, as typing would. */
export function writeCode(area: HTMLElement, text: string): void {
  const view = viewOf(area);
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Selects all text. */
export function selectCode(area: HTMLElement): void {
  const view = viewOf(area);
  view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
}

/** Start of the selection. */
export const selectionIn = (area: HTMLElement): number => viewOf(area).state.selection.main.from;
