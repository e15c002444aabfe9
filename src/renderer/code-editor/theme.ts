import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The app's own tokens, so that it follows light and dark by itself. */
export const look = EditorView.theme({
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

export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--kp-accent)' },
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--kp-accent)', fontWeight: '600' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--kp-code-literal)' },
  { tag: tags.string, color: 'var(--kp-code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--kp-text-3)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.operator], color: 'var(--kp-text-2)' },
]);
