import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentProblem, Experiment } from '../../../../../../shared/model/experiment.ts';
import type { FactorKindInfo } from '../../../../../../shared/model/factor.ts';
import type { ScenarioEvent } from '../../../../../../shared/model/scenario.ts';
import { ladder } from '../../../../../testing/documents.ts';
import { testEngine } from '../../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../../testing/render.tsx';
import type { DocumentState } from '../../../document/document.ts';
import { draftOf, eventOf, newEvent, withEvents } from './drafts.ts';
import { EventsPanel } from './EventsPanel.tsx';

afterEach(cleanup);

const HOST_SETTING: FactorKindInfo = {
  ...{
    kind: 'host-setting',
    title: 'Host setting',
    description: '',
    changes: 'host',
    takes: '',
    undone: '',
    example: '',
  },
  schema: { type: 'object', properties: { setting: { type: 'string', enum: ['sysctl', 'read-ahead', 'commands'] } } },
};
const base: Experiment = { ...ladder, where: { generators: ['this computer'], target: 'shop' } };

interface Document {
  now: Experiment;
  invalid: number;
}

function Shown({ document, problems }: { document: Document; problems: DocumentProblem[] }) {
  const [experiment, setExperiment] = useState(document.now);
  const state: DocumentState = {
    ...{ text: '', experiment, checked: { problems, experiment }, readable: true, textBehind: false, busy: false },
    ...{ problem: undefined, canUndo: false, canRedo: false },
  };
  return (
    <EventsPanel
      {...{ experiment, state }}
      edit={(change) => {
        document.now = change(document.now);
        setExperiment(document.now);
      }}
      onInvalid={(count) => {
        document.invalid = count;
      }}
    />
  );
}

/** The panel for a document that applies its edits; `now` is the current document. */
function show(events: readonly ScenarioEvent[], problems: DocumentProblem[] = [], experiment = base): Document {
  const document: Document = { now: withEvents(experiment, events), invalid: 0 };
  const { link } = testEngine({ experiments: { factorKinds: () => [HOST_SETTING] } });
  renderWithEngine(link, <Shown document={document} problems={problems} />);
  return document;
}
const type = (name: string, text: string): void => {
  fireEvent.change(screen.getByLabelText(name, { selector: 'input, textarea' }), { target: { value: text } });
};
async function choose(name: string, option: string): Promise<void> {
  fireEvent.click(screen.getByLabelText(name, { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: option, hidden: true }));
}

describe('events of a trial', () => {
  it('update the document as they are added, filled in and removed', async () => {
    const document = show([]);
    fireEvent.click(screen.getByRole('button', { name: 'Events of a trial none' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add an event' }));
    expect(document.now.measure.events).toEqual([{ at: 15, do: 'restart' }]);
    type('Second of event 1', '2m');
    expect(document.now.measure.events).toEqual([{ at: 120, do: 'restart' }]);
    await choose('What event 1 does', 'Kill the server (SIGKILL)');
    expect(document.now.measure.events).toEqual([{ at: 120, do: 'kill' }]);
    fireEvent.click(screen.getByRole('button', { name: 'Remove event 1' }));
    expect(document.now).toEqual(base);
    expect(window.document.activeElement).toBe(screen.getByRole('button', { name: 'Add an event' }));
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('keep their stored form until a changed kind is complete, and name what is missing', async () => {
    const document = show([{ at: 10, do: 'kill' }]);
    await choose('What event 1 does', 'Change a host setting');
    await choose('Setting of event 1', 'sysctl');
    type('Object of the setting of event 1', 'vm.swappiness');
    expect(document.now.measure.events).toEqual([{ at: 10, do: 'kill' }]);
    fireEvent.blur(screen.getByLabelText('Value of event 1'));
    expect(screen.getByText('Enter a value.')).toBeTruthy();
    expect(document.invalid).toBe(1);
    type('Value of event 1', '10');
    await choose('Host of event 1', 'The generators');
    expect(document.now.measure.events).toEqual([
      { at: 10, do: 'host-setting', setting: 'sysctl', of: 'vm.swappiness', value: 10, on: 'generators' },
    ]);
    expect(document.invalid).toBe(0);
    expect(screen.queryByRole('option', { name: 'commands', hidden: true })).toBeNull();
  });

  it('show problems in their own row', () => {
    show(
      [
        { at: 1, do: 'restart' },
        { at: 500, do: 'run', command: 'ls', host: 'nowhere' },
      ],
      [
        { path: 'measure.events.1.at', message: 'Second 500 is never due.' },
        { path: 'measure.events.1.host', message: 'There is no host named “nowhere”.' },
      ],
    );
    const [, first, second] = screen.getAllByRole('row').map((row) => within(row));
    expect(first?.queryByText(/never due|no host/)).toBeNull();
    expect(second?.getByText('Second 500 is never due.')).toBeTruthy();
    expect(second?.getByText('There is no host named “nowhere”.')).toBeTruthy();
  });
});

it('shows the name of the target, unless a factor selects it', async () => {
  show([{ at: 1, do: 'restart' }]);
  expect(screen.getByText('shop')).toBeTruthy();
  cleanup();
  const targets: Experiment['factors'] = [{ name: 'server', kind: 'target', levels: ['shop', 'other'] }];
  show([{ at: 1, do: 'restart' }], [], { ...base, factors: targets });
  expect(screen.queryByText('shop')).toBeNull();
  expect(screen.getByText('the target of the trial')).toBeTruthy();
});

describe('the draft of an event', () => {
  const EVENTS: readonly ScenarioEvent[] = [
    { at: 0.5, do: 'restart' },
    { at: 5, do: 'statement', statement: 'FLUSH TABLES' },
    { at: 5, do: 'run', command: 'sync\nsync', host: 'db1' },
    { at: 5, do: 'server-setting', setting: 'work_mem', value: '8MB', on: 'other' },
    { at: 5, do: 'server-setting', setting: 'jit', value: true },
    { at: 5, do: 'host-setting', setting: 'sysctl', of: 'vm.swappiness', value: 1 },
  ];
  it.each(EVENTS)('converts back to its event: $do $value', (event) =>
    expect(eventOf(draftOf(event))).toEqual({ event }),
  );

  it('names what is missing or invalid', () => {
    expect(eventOf({ do: 'statement', at: 'soon' })).toEqual({
      wrong: { at: 'A number of seconds, or a time such as 5m.', statement: 'Enter a statement.' },
    });
    expect(eventOf({ do: 'run', at: '11d', command: 'x'.repeat(10_001) })).toEqual({
      wrong: { at: 'At most 864000.', command: 'At most 10000 characters.' },
    });
  });

  it('is valid for a new event, with and without a target', () => {
    expect(newEvent(base)).toEqual({ at: 15, do: 'restart' });
    expect(newEvent(ladder)).toEqual({ at: 15, do: 'run', command: 'sync' });
    expect(newEvent(withEvents(base, [{ at: 15, do: 'kill' }])).at).toBe(25);
  });
});
