import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { ChartChoice } from '../../../../../../shared/model/chart.ts';
import type { DocumentProblem, Experiment } from '../../../../../../shared/model/experiment.ts';
import { ladder, loadTool } from '../../../../../testing/documents.ts';
import { testEngine } from '../../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../../testing/render.tsx';
import type { DocumentState } from '../../../document/document.ts';
import { ChartsPanel } from './ChartsPanel.tsx';
import { metricIn, titleIn, withCharts } from './charts.ts';

vi.setConfig({ testTimeout: 60_000 });
afterEach(cleanup);

interface Document {
  now: Experiment;
}

function Shown({ document, problems }: { document: Document; problems: DocumentProblem[] }) {
  const [experiment, setExperiment] = useState(document.now);
  const state: DocumentState = {
    ...{ text: '', experiment, checked: { problems, experiment }, readable: true, textBehind: false, busy: false },
    ...{ problem: undefined, canUndo: false, canRedo: false },
  };
  return (
    <ChartsPanel
      {...{ experiment, state, tools: [loadTool] }}
      edit={(change) => {
        document.now = change(document.now);
        setExperiment(document.now);
      }}
    />
  );
}

function show(charts: readonly ChartChoice[], problems: DocumentProblem[] = []): Document {
  const document = { now: withCharts(ladder, charts) };
  renderWithEngine(testEngine({ sessions: { list: () => [] } }).link, <Shown {...{ document, problems }} />);
  return document;
}
const dialog = async () => within(await screen.findByRole('dialog'));

it('adds, edits and removes charts of the document', async () => {
  const document = show([]);
  fireEvent.click(screen.getByRole('button', { name: /^Charts none/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Add a chart' }));
  let form = await dialog();
  expect(form.getByRole('textbox', { name: 'Title' })).toHaveProperty('placeholder', 'Transactions by second');
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  expect(document.now.charts).toEqual([{ kind: 'dots' }]);

  fireEvent.click(await screen.findByRole('button', { name: 'Edit Transactions by second' }));
  form = await dialog();
  fireEvent.click(form.getByRole('radio', { name: 'Density' }));
  fireEvent.change(form.getByRole('textbox', { name: 'Title' }), { target: { value: 'Hills' } });
  fireEvent.click(form.getByRole('switch', { name: 'Log axis' }));
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(document.now.charts).toEqual([{ kind: 'density', title: 'Hills', log: true }]);

  fireEvent.click(await screen.findByRole('button', { name: 'Remove Hills' }));
  expect(document.now).toEqual(ladder);
});

it('draws a line at a level only of a numeric factor', async () => {
  const document = show([{ kind: 'dots', x: 'threads', markers: [{ name: 'CPUs', level: 2 }] }]);
  fireEvent.click(screen.getByRole('button', { name: /^Charts/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Edit Transactions by second' }));
  const form = await dialog();
  fireEvent.click(form.getByRole('combobox', { name: 'Axis of line 1' }));
  expect(await screen.findByRole('option', { name: 'Level of threads', hidden: true })).toBeDefined();
  fireEvent.change(form.getByRole('textbox', { name: 'Place of line 1' }), { target: { value: '4' } });
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(document.now.charts).toEqual([{ kind: 'dots', x: 'threads', markers: [{ name: 'CPUs', level: 4 }] }]);
});

it('is expanded if a chart has a problem, and shows it at the chart', () => {
  const message = 'There is no factor named “thread”.';
  show([{ kind: 'curve' }, { kind: 'dots', title: 'Every second', x: 'thread' }], [{ path: 'charts.1.x', message }]);
  const line = screen.getByText('Every second').closest('li');
  expect(line?.textContent).toContain(message);
  expect(screen.getByRole('button', { name: /^Charts/ }).getAttribute('aria-expanded')).toBe('true');
});

it('uses the primary measure of the document, if any', () => {
  const derived = [{ name: 'traffic', is: 'read_mib_s + write_mib_s' }];
  const document: Experiment = { ...ladder, derived, primary: 'traffic' };
  expect(titleIn({ kind: 'curve' }, document, [])).toBe('Traffic by threads');
  expect(metricIn({ metric: 'latency_p95_ms' }, document, [])).toBe('latency_p95_ms');
  expect(titleIn({ kind: 'histogram' }, ladder, [])).toBe('Histogram');
});
