import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPiece } from '../testing/render.tsx';
import { CodeEditor } from './CodeEditor.tsx';

// By itself: the styles of an editor are put into the page once.
it('gives its styles the nonce of the page', async () => {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.setAttribute('nonce', 'abc123');
  document.head.append(meta);
  renderPiece(<CodeEditor label="Document" language="yaml" text="" onChange={() => undefined} />);
  await screen.findByRole('textbox', { name: 'Document' }, { timeout: 20_000 });
  const own = [...document.querySelectorAll('style')].filter((style) => style.textContent?.includes('.cm-'));
  expect(own.map((style) => style.getAttribute('nonce'))).toEqual(['abc123']);
}, 60_000);
