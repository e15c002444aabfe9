import { autocompletion, type Completion, type CompletionSource, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { styleNonce } from '../ui/index.ts';
import type { CodeEditorProperties, Suggestion, Suggestions } from './properties.ts';
import { problemLines } from './yaml-place.ts';

/** Marks a change by the properties, not by typing. */
export const FromOutside = Annotation.define<boolean>();

/**
 * By default, when a selection is typed over or deleted through the menu, the browser joins its lines and keeps their colours in `style`
 * attributes. The content policy refuses those, and each refusal is an error in the console.
 */
const overSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { state } = view;
    const text = inputType === 'insertText' ? data : inputType.startsWith('deleteContent') ? '' : null;
    if (text === null || state.selection.ranges.every(({ empty }) => empty)) return false;
    const userEvent = text === '' ? 'delete.selection' : 'input.type';
    if (!state.readOnly) view.dispatch(state.update(state.replaceSelection(text), { userEvent, scrollIntoView: true }));
    return true;
  },
});

/** Tab is not bound here: it leaves the editor. */
export const basics = (): Extension => [
  EditorView.cspNonce.of(styleNonce()),
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  EditorState.tabSize.of(2),
  syntaxHighlighting(colours),
  look,
  problemLines,
  overSelection,
  keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
];

type Attributes = Pick<CodeEditorProperties, 'label' | 'readOnly' | 'invalid' | 'id' | 'describedBy' | 'placeholder'>;

/** Attributes for screen readers, and whether the editor is writable. */
export const attributesOf = (
  properties: { readonly [Name in keyof Attributes]: Attributes[Name] | undefined },
): Extension => {
  const { label, readOnly = false, invalid = false, id, describedBy, placeholder } = properties;
  return [
    EditorState.readOnly.of(readOnly),
    placeholder ? placeholderText(placeholder) : [],
    EditorView.contentAttributes.of({
      // It is focusable without this too, but accessibility checkers do not know that.
      tabindex: '0',
      ...(label !== undefined && { 'aria-label': label }),
      'aria-invalid': String(invalid),
      'aria-readonly': String(readOnly),
      ...(id !== undefined && { id }),
      ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
    }),
  ];
};

/** Suggestions in addition to those of the language; without any, only those of the language. */
export function withSuggestions(suggest: (before: string) => Suggestions | undefined): Extension {
  // A constant function: a source that changes each time is taken for a new one, and its results are dropped.
  const autocomplete: CompletionSource = ({ state, pos, explicit }) => {
    const found = suggest(state.doc.sliceString(0, pos));
    if (!found || found.options.length === 0 || (found.word === '' && !explicit)) return null;
    return { from: pos - found.word.length, options: found.options.map(completionOf) };
  };
  return [autocompletion({ icons: false }), EditorState.languageData.of(() => [{ autocomplete }])];
}

const completionOf = ({ label, insert = label, detail, info, kind }: Suggestion): Completion => ({
  label,
  apply: insert,
  type: kind,
  ...(detail !== undefined && { detail }),
  ...(info !== undefined && { info }),
});

/** Uses the app's own tokens, so that it follows light and dark. */
const look = EditorView.theme({
  '&': { color: 'var(--kp-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '&:focus-within': { boxShadow: 'inset 0 0 0 1px var(--kp-accent)' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '13px', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--kp-text)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': {
    color: 'var(--kp-text-3)',
    backgroundColor: 'var(--kp-sunken)',
    borderRight: '1px solid var(--kp-line-soft)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-gutter.cm-lineNumbers': { minWidth: '47px' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 10px 0 8px' },
  '.cm-gutterElement.cm-kp-marked': {
    color: 'var(--kp-bad)',
    fontWeight: '700',
    backgroundColor: 'var(--kp-bad-ground)',
  },
  '.cm-line.cm-kp-marked': { backgroundColor: 'var(--kp-bad-ground)' },
  '.cm-placeholder': { color: 'var(--kp-text-3)', whiteSpace: 'pre' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--kp-selected)' },
  '.cm-tooltip': {
    color: 'var(--kp-text)',
    backgroundColor: 'var(--kp-panel)',
    border: '1px solid var(--kp-line)',
    borderRadius: '4px',
    boxShadow: 'var(--mantine-shadow-md)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: '240px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--kp-text)', backgroundColor: 'var(--kp-selected)' },
  '.cm-completionDetail': {
    color: 'var(--kp-text-3)',
    fontFamily: 'var(--mantine-font-family)',
    fontStyle: 'normal',
    marginLeft: '16px',
  },
  '.cm-tooltip.cm-completionInfo': { maxWidth: '360px', padding: '8px', fontSize: '13px', whiteSpace: 'pre-line' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--kp-accent)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--kp-accent)', fontWeight: '600' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--kp-code-literal)' },
  { tag: tags.string, color: 'var(--kp-code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--kp-text-3)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.operator], color: 'var(--kp-text-2)' },
]);
