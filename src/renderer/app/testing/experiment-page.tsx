import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { codeIn } from '../../testing/code.ts';
import { documentEngine, fileOf, ladder } from '../../testing/documents.ts';
import { testEngine } from '../../testing/engine.ts';
import { showView } from './view.tsx';

export type Topics = Parameters<typeof testEngine>[0];

export function show(place: string, more: Topics = {}) {
  const documents = documentEngine([
    fileOf('ladder', 'template', ladder),
    fileOf('3', 'saved', { ...ladder, name: 'Mine' }),
  ]);
  const engine = testEngine({ ...more, experiments: { ...documents.experiments, ...more.experiments } });
  showView(engine.link, place);
  return { ...documents, send: engine.send };
}

export const plan = () => screen.getByRole('complementary', { name: 'Plan' });
export const planShows = (words: string) => waitFor(() => expect(plan().textContent).toContain(words));
export const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });
export const yaml = async () => screen.findByRole('textbox', { name: 'Document as YAML' });
/** The document in the text view. */
export async function written(): Promise<Experiment> {
  fireEvent.click(screen.getByRole('radio', { name: 'YAML' }));
  const area = await yaml();
  await waitFor(() => expect(area.getAttribute('aria-readonly')).toBe('false'));
  return JSON.parse(codeIn(area));
}
