import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { codeIn } from '../../testing/code.ts';
import { documentEngine, fileOf, ladder } from '../../testing/documents.ts';
import { testEngine } from '../../testing/engine.ts';
import { showView } from './view.tsx';

export type Topics = Parameters<typeof testEngine>[0];

/** The last document that the page had checked. */
let checked = '';

export function show(place: string, more: Topics = {}) {
  const documents = documentEngine([
    fileOf('ladder', 'template', ladder),
    fileOf('3', 'saved', { ...ladder, name: 'Mine' }),
  ]);
  const experiments = { ...documents.experiments, ...more.experiments };
  const { check } = experiments;
  const noting: NonNullable<typeof check> = (input, call) => {
    checked = input.text;
    if (!check) throw new Error('This engine checks nothing.');
    return check(input, call);
  };
  const engine = testEngine({ ...more, experiments: { ...experiments, check: noting } });
  showView(engine.link, place);
  return { ...documents, send: engine.send };
}

export const plan = () => screen.getByRole('complementary', { name: 'Plan' });
export const planShows = (words: string) => waitFor(() => expect(plan().textContent).toContain(words));
export const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
export const yaml = async () => screen.findByRole('textbox', { name: 'Document as YAML' });
/** The document after all changes, as the page has it checked, and would start or save it. */
export async function written(): Promise<Experiment> {
  await waitFor(() => expect(plan().getAttribute('aria-busy')).toBe('false'));
  return JSON.parse(checked);
}
/** The document in the text view, which stays open: a code editor takes as long as the rest of a test. */
export async function writtenInYaml(): Promise<Experiment> {
  fireEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  const area = await yaml();
  await waitFor(() => expect(area.getAttribute('aria-readonly')).toBe('false'));
  return JSON.parse(codeIn(area));
}
