import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { cleanup, createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { codeIn, selectCode, selectionIn, writeCode } from '../testing/code.ts';
import { renderPiece } from '../testing/render.tsx';
import { CodeEditor } from './CodeEditor.tsx';
import { basics } from './extensions.ts';
import type { CodeEditorProperties } from './properties.ts';

// The editor's code is fetched when it is first shown, which takes time on a busy machine.
afterEach(cleanup);

const TEXT = 'kneepoint: 1\nname: Mine\nmeasure: {}\n';
const area = () => screen.findByRole('textbox', { name: 'Document' });

function Harness(properties: Partial<CodeEditorProperties>) {
  const [text, setText] = useState(TEXT);
  return (
    <>
      <button type="button" onClick={() => setText(TEXT.replace('Mine', 'Yours'))}>
        From outside
      </button>
      <output>{text}</output>
      <CodeEditor label="Document" language="yaml" text={text} onChange={setText} {...properties} />
    </>
  );
}

it('reports typed text, and shows text from outside without reporting it', async () => {
  renderPiece(<Harness />);
  const editor = await area();
  writeCode(editor, 'name: Other\n');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('name: Other\n'));
  fireEvent.click(screen.getByRole('button', { name: 'From outside' }));
  await waitFor(() => expect(codeIn(editor)).toBe(TEXT.replace('Mine', 'Yours')));
  expect(screen.getByRole('status').textContent).toBe(TEXT.replace('Mine', 'Yours'));
});

it('marks lines with problems, with their messages', async () => {
  const problems = [
    { line: 2, message: 'The name is taken.' },
    { line: 2, message: 'It is too long.' },
    { line: 99, message: 'Something is missing.' },
  ];
  renderPiece(<Harness problems={problems} invalid />);
  expect((await area()).getAttribute('aria-invalid')).toBe('true');
  expect((await screen.findByTitle('The name is taken. It is too long.')).textContent).toBe('name: Mine');
  expect(screen.getByTitle('Something is missing.').textContent).toBe('');
});

it('scrolls to a line', async () => {
  renderPiece(<Harness goTo={{ line: 3 }} />);
  expect(selectionIn(await area())).toBe(TEXT.indexOf('measure'));
});

it('replaces a selection itself, so that the browser adds no styles to the page', async () => {
  const input = (inputType: string, data: string | null): InputEvent =>
    new InputEvent('beforeinput', { inputType, data, bubbles: true, cancelable: true });
  renderPiece(<Harness />);
  const editor = await area();
  expect(fireEvent(editor, input('insertText', 'x'))).toBe(true);
  expect(codeIn(editor)).toBe(TEXT);
  for (const [inputType, data, left] of [
    ['insertText', 'x', 'x'],
    ['deleteContentBackward', null, ''],
  ] as const) {
    selectCode(editor);
    expect(fireEvent(editor, input(inputType, data))).toBe(false);
    expect(codeIn(editor)).toBe(left);
    expect(screen.getByRole('status').textContent).toBe(left);
  }
  cleanup();
  renderPiece(<Harness readOnly />);
  const readOnly = await area();
  selectCode(readOnly);
  expect(fireEvent(readOnly, input('insertText', 'x'))).toBe(false);
  expect(codeIn(readOnly)).toBe(TEXT);
});

it('releases the focus with Tab', async () => {
  renderPiece(<Harness />);
  const editor = await area();
  const event = createEvent.keyDown(editor, { key: 'Tab', code: 'Tab', keyCode: 9 });
  fireEvent(editor, event);
  expect(event.defaultPrevented).toBe(false);
  expect(codeIn(editor)).toBe(TEXT);
});

it('cannot be edited while read-only', async () => {
  renderPiece(<Harness readOnly />);
  expect((await area()).getAttribute('aria-readonly')).toBe('true');
});

const meta = document.createElement('meta');
afterEach(() => meta.remove());

const nonceOfEditor = (): string => EditorState.create({ extensions: basics() }).facet(EditorView.cspNonce);

it('passes the nonce of the page to its styles', () => {
  expect(nonceOfEditor()).toBe('');
  meta.setAttribute('property', 'csp-nonce');
  meta.setAttribute('nonce', 'abc123');
  document.head.append(meta);
  expect(nonceOfEditor()).toBe('abc123');
});
