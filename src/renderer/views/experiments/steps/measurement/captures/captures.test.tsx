import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { Capture } from '../../../../../../shared/model/capture.ts';
import type { DocumentProblem, Experiment } from '../../../../../../shared/model/experiment.ts';
import type { TargetKindInfo } from '../../../../../../shared/model/target.ts';
import { ladder, mysqlKind } from '../../../../../testing/documents.ts';
import { testEngine } from '../../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../../testing/render.tsx';
import type { DocumentState } from '../../../document/document.ts';
import { CapturesPanel } from './CapturesPanel.tsx';
import { inForm, named, ofSource, ownCapture, readyFor, withCaptures } from './captures.ts';

afterEach(cleanup);

const STATUS: Capture = { name: 'status', statement: 'SHOW STATUS', as: 'difference', key: ['Variable_name'] };
const KINDS: TargetKindInfo[] = [
  { ...mysqlKind, captures: [{ description: 'Counters.', capture: STATUS }] },
  {
    ...{ ...mysqlKind, kind: 'host', title: 'Host', connects: false },
    captures: [{ description: 'Messages.', capture: { name: 'kernel', command: 'dmesg', at: ['end'] } }],
  },
];
const base: Experiment = { ...ladder, where: { generators: ['this computer'], target: 'shop' } };

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
    <CapturesPanel
      {...{ experiment, state }}
      edit={(change) => {
        document.now = change(document.now);
        setExperiment(document.now);
      }}
    />
  );
}

function show(captures: readonly Capture[], problems: DocumentProblem[] = []): Document {
  const document = { now: withCaptures(base, captures) };
  const { link } = testEngine({ targets: { kinds: () => KINDS } });
  renderWithEngine(link, <Shown document={document} problems={problems} />);
  return document;
}
async function choose(name: string, option: RegExp): Promise<void> {
  fireEvent.click(screen.getByLabelText(name, { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
}

describe('captures of a document', () => {
  it('can be ready-made or custom, have unique names, and can be removed', async () => {
    const document = show([]);
    fireEvent.click(screen.getByRole('button', { name: /^Captures/ }));
    await choose('Add a capture', /^status/);
    await choose('Add a capture', /^status/);
    await choose('Add a capture', /^Custom command/);
    expect(document.now.captures).toEqual([STATUS, { ...STATUS, name: 'status 2' }, ownCapture('command')]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove status' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove status 2' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove command' }));
    expect(document.now).toEqual(base);
  });

  it('update the document as they are filled in', async () => {
    const document = show([{ name: 'x', statement: 'SELECT 1' }]);
    fireEvent.click(screen.getByRole('button', { name: /^Captures/ }));
    await choose('When', /^In a stall or dip/);
    expect(document.now.captures).toEqual([{ name: 'x', statement: 'SELECT 1', at: ['end', 'stall'] }]);
    await choose('Store as', /^Difference/);
    fireEvent.change(screen.getByLabelText('Statements before it'), { target: { value: 'SET a = 1\nSET b = 2' } });
    fireEvent.click(screen.getByLabelText('May write'));
    expect(document.now.captures).toEqual([
      { name: 'x', statement: 'SELECT 1', as: 'difference', first: ['SET a = 1', 'SET b = 2'], writes: true },
    ]);
    await choose('From', /^File$/);
    expect(document.now.captures).toEqual([{ name: 'x', as: 'difference', file: '/var/log/syslog' }]);
  });

  it('show problems at the affected capture', () => {
    show(
      [STATUS, { name: 'y', command: 'ls', host: 'nowhere' }],
      [
        { path: 'captures.1.host', message: 'There is no host named “nowhere”.' },
        { path: 'captures.1', message: 'Something of the whole.' },
      ],
    );
    const y = within(screen.getByRole('group', { name: 'y' }));
    expect(y.getByText('There is no host named “nowhere”.')).toBeTruthy();
    expect(y.getByText('Something of the whole.')).toBeTruthy();
    expect(within(screen.getByRole('group', { name: 'status' })).queryByText(/nowhere/)).toBeNull();
  });
});

describe('a capture', () => {
  it('that is custom is valid for each source', () => {
    for (const source of ['statement', 'command', 'file'] as const)
      expect(Capture.parse(ownCapture(source))).toEqual(ownCapture(source));
    expect(named(ownCapture('file'), [ownCapture('file'), { name: 'file 2', file: '/x' }]).name).toBe('file 3');
  });

  it('drops fields of its former source or form', () => {
    expect(
      ofSource({ name: 'x', statement: 'SELECT 1', as: 'table', at: ['stall'], first: ['SET a = 1'] }, 'command'),
    ).toEqual({
      ...{ name: 'x', command: 'cat /proc/loadavg', at: ['stall'] },
    });
    expect(inForm(STATUS, 'table')).toEqual({ name: 'status', statement: 'SHOW STATUS', as: 'table', at: ['end'] });
    const log: Capture = { name: 'x', file: '/x', at: ['stall'], every: 60 };
    const marked = inForm(log, 'marks');
    expect(marked).toEqual({ name: 'x', file: '/x', as: 'marks', marks: '(?P<mark>ready)' });
    expect(Capture.parse(marked)).toEqual(marked);
    expect(inForm(marked, 'text')).toEqual({ name: 'x', file: '/x', as: 'text' });
    expect(ofSource(marked, 'statement')).toEqual({ name: 'x', statement: 'SELECT 1 AS one' });
    expect(inForm({ name: 'x', command: 'ls', at: ['stall'] }, 'difference')).toEqual({
      name: 'x',
      command: 'ls',
      as: 'difference',
    });
  });
});

it('is offered for the kinds of targets in the document and for hosts; for all kinds without a target', () => {
  const families = (...kinds: string[]) => readyFor(KINDS, kinds).map(({ family }) => family);
  expect(families('postgres')).toEqual(['Host']);
  expect(families('mysql')).toEqual(['MySQL family', 'Host']);
  expect(families()).toEqual(['MySQL family', 'Host']);
});
