import { EditorView } from '@codemirror/view';

function viewOf(area: HTMLElement): EditorView {
  const view = EditorView.findFromDOM(area);
  if (!view) throw new Error('This is no code editor.');
  return view;
}

/** The text in a code editor, given what has its role `textbox`. */
export const codeIn = (area: HTMLElement): string => viewOf(area).state.doc.toString();

/** Puts another text in its place, as typing would. */
export function writeCode(area: HTMLElement, text: string): void {
  const view = viewOf(area);
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

/** Selects all of it. */
export function selectCode(area: HTMLElement): void {
  const view = viewOf(area);
  view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
}

/** Where the selection begins. */
export const selectionIn = (area: HTMLElement): number => viewOf(area).state.selection.main.from;
