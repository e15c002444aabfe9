import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, it } from 'vitest';
import { basics } from './extensions.ts';

const meta = document.createElement('meta');
afterEach(() => meta.remove());

const nonceOfEditor = (): string => EditorState.create({ extensions: basics() }).facet(EditorView.cspNonce);

it('an editor gives its styles the nonce of the page', () => {
  expect(nonceOfEditor()).toBe('');
  meta.setAttribute('property', 'csp-nonce');
  meta.setAttribute('nonce', 'abc123');
  document.head.append(meta);
  expect(nonceOfEditor()).toBe('abc123');
});
