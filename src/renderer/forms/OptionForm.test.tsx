import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeCode } from '../testing/code.ts';
import { readFields } from './fields.ts';
import { OptionForm } from './OptionForm.tsx';
import type { FormValues } from './values.ts';

const fields = readFields(
  z.toJSONSchema(
    z.object({
      script: z.enum(['point', 'insert', 'own', 'lua']).default('point').meta({ title: 'Script', group: 'Workload' }),
      threads: z
        .number()
        .int()
        .min(1)
        .default(4)
        .meta({ title: 'Threads', unit: 'threads', group: 'Workload', description: 'Open connections.' }),
      sql: z
        .string()
        .max(2000)
        .default('')
        .meta({ title: 'Custom script', group: 'Workload', multiline: true, when: { option: 'script', in: ['own'] } }),
      lua: z
        .string()
        .default('')
        .meta({
          title: 'Lua script',
          group: 'Workload',
          multiline: true,
          language: 'lua',
          when: { option: 'script', in: ['lua'] },
        }),
      tls: z.boolean().default(false).meta({ title: 'Use TLS', group: 'Connection' }),
      cipher: z
        .string()
        .optional()
        .meta({ title: 'Cipher', group: 'Connection', when: { option: 'tls', in: [true] } }),
    }),
  ) as Record<string, unknown>,
);

let latest: FormValues;

function Harness({
  start = {},
  ...rest
}: {
  start?: FormValues;
  problems?: Record<string, string>;
  instead?: Record<string, string>;
}) {
  const [values, setValues] = useState(start);
  latest = values;
  return (
    <MantineProvider env="test">
      <OptionForm fields={fields} values={values} onChange={setValues} searchable {...rest} />
    </MantineProvider>
  );
}

const threads = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Threads' });
const type = (input: HTMLElement, text: string) => fireEvent.change(input, { target: { value: text } });

beforeEach(() => {
  latest = {};
});
afterEach(cleanup);

describe('the option form', () => {
  test('shows defaults with their units, in groups', () => {
    render(<Harness />);
    expect(threads().value).toBe('4');
    const group = screen.getByRole('region', { name: 'Workload' });
    expect(within(group).getByText('threads')).toBeTruthy();
    expect(screen.getByText('All options have their defaults.')).toBeTruthy();
  });

  test('edits a script in the code editor', async () => {
    render(<Harness start={{ script: 'lua' }} />);
    const editor = await screen.findByRole('textbox', { name: 'Lua script' }, { timeout: 20_000 });
    writeCode(editor, 'function event() end');
    await waitFor(() => expect(latest).toEqual({ script: 'lua', lua: 'function event() end' }));
    writeCode(editor, '');
    await waitFor(() => expect(latest.lua).toBeUndefined());
  });

  test('marks changed options and resets them', () => {
    render(<Harness />);
    type(threads(), '16');
    expect(latest).toEqual({ threads: 16 });
    fireEvent.click(screen.getByRole('button', { name: 'Back to 4: Threads' }));
    expect(latest).toEqual({});
    expect(screen.queryByRole('button', { name: 'Back to 4: Threads' })).toBeNull();
  });

  test('resets an emptied field to its default', () => {
    render(<Harness start={{ threads: 16 }} />);
    type(threads(), '');
    expect(latest).toEqual({});
    fireEvent.blur(threads());
    expect(threads().value).toBe('4');
  });

  test('shows a problem at the field and keeps the typed text', () => {
    render(<Harness />);
    type(threads(), '16x');
    expect(screen.getByRole('alert').textContent).toBe('Enter a whole number.');
    expect(threads().value).toBe('16x');
    type(threads(), '0');
    expect(screen.getByRole('alert').textContent).toBe('At least 1.');
    type(threads(), '8');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('keeps “1.” as typed while the field has the focus', () => {
    render(<Harness />);
    type(threads(), '1.');
    expect(threads().value).toBe('1.');
    fireEvent.blur(threads());
    expect(threads().value).toBe('1');
  });

  test('accepts text of several lines', () => {
    render(<Harness start={{ script: 'own' }} />);
    const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Custom script' });
    expect(area.tagName).toBe('TEXTAREA');
    expect(threads().tagName).toBe('INPUT');
    const text = '\\set id random(1, 100)\n  SELECT :id;\n';
    type(area, text);
    expect(latest).toEqual({ script: 'own', sql: text });
    expect(area.value).toBe(text);
    fireEvent.click(screen.getByRole('button', { name: 'Back to empty: Custom script' }));
    expect(latest).toEqual({ script: 'own' });
  });

  test('shows an option only while it applies', () => {
    render(<Harness />);
    expect(screen.queryByRole('textbox', { name: 'Cipher' })).toBeNull();
    fireEvent.click(screen.getByRole('switch', { name: 'Use TLS' }));
    expect(latest).toEqual({ tls: true });
    expect(screen.getByRole('textbox', { name: 'Cipher' })).toBeTruthy();
  });

  test('finds options by their words, including help', () => {
    render(<Harness start={{ tls: true }} />);
    const search = screen.getByRole('textbox', { name: 'Search options' });
    type(search, 'connections');
    expect(threads()).toBeTruthy();
    expect(screen.queryByRole('switch', { name: 'Use TLS' })).toBeNull();
    expect(screen.getByText('1 option found')).toBeTruthy();
    fireEvent.keyDown(search, { key: 'Escape' });
    expect(screen.getByRole('switch', { name: 'Use TLS' })).toBeTruthy();
    expect(screen.getByText('1 changed from the default')).toBeTruthy();
  });

  test('shows help on hover, and includes it in the description of the field', async () => {
    render(<Harness />);
    const words = (threads().getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join('');
    expect(words).toBe('threadsOpen connections.');
    fireEvent.mouseEnter(screen.getByRole('button', { name: 'About Threads' }));
    expect((await screen.findByRole('tooltip')).textContent).toBe('Open connections.');
  });

  test('shows the value of an option set elsewhere in place of its input', () => {
    render(<Harness instead={{ threads: 'varied: 1, 2, 4' }} />);
    expect(screen.getByText('varied: 1, 2, 4')).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Threads' })).toBeNull();
  });

  test('shows problems found by the engine before those of the schema', () => {
    render(<Harness problems={{ threads: 'The server allows 151 connections.' }} />);
    expect(screen.getByRole('alert').textContent).toBe('The server allows 151 connections.');
  });
});
