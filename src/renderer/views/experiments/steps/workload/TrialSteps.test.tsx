import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { DocumentProblem, Experiment } from '../../../../../shared/model/experiment.ts';
import type { DataUse } from '../../../../../shared/model/step.ts';
import { readFields } from '../../../../forms/index.ts';
import { ladder } from '../../../../testing/documents.ts';
import { testEngine } from '../../../../testing/engine.ts';
import { renderWithEngine } from '../../../../testing/render.tsx';
import type { DocumentState } from '../../document/document.ts';
import { TrialSteps, withSteps } from './TrialSteps.tsx';

afterEach(cleanup);

const fields = readFields({
  type: 'object',
  properties: {
    script: { type: 'string', enum: ['point', 'update'], default: 'point', title: 'Script' },
    tables: { type: 'integer', default: 1, title: 'Tables' },
  },
});

interface Shows {
  document: { now: Experiment };
  problems: DocumentProblem[];
  dataUses?: DataUse[] | undefined;
}

function Shown({ document, problems, dataUses }: Shows) {
  const [experiment, setExperiment] = useState(document.now);
  const state: DocumentState = {
    ...{
      text: '',
      experiment,
      checked: { problems, experiment, dataUses },
      readable: true,
      textBehind: false,
      busy: false,
    },
    ...{ problem: undefined, canUndo: false, canRedo: false },
  };
  const edit = (change: (now: Experiment) => Experiment): void => {
    document.now = change(document.now);
    setExperiment(document.now);
  };
  return <TrialSteps {...{ experiment, state, edit, fields }} />;
}

function show(
  steps: Experiment['steps'] = [],
  problems: DocumentProblem[] = [],
  dataUses?: DataUse[],
): { now: Experiment } {
  const document = { now: withSteps({ ...ladder, workload: { ...ladder.workload, options: { tables: 8 } } }, steps) };
  renderWithEngine(testEngine({}).link, <Shown {...{ document, problems, dataUses }} />);
  return document;
}
const READS = { name: 'reads', options: {} };
const WRITES = { name: 'writes', options: { script: 'update' }, duration: 30 };
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
const lineOf = (number: number): HTMLElement => screen.getByRole('button', { name: new RegExp(`^Step ${number}: `) });
const choose = (number: number): void => void fireEvent.click(lineOf(number));
async function add(kind: string): Promise<void> {
  press('Add a step');
  fireEvent.click(await screen.findByRole('menuitem', { name: kind }));
}

it('starts with two steps, and becomes a plain document without them', async () => {
  const document = show();
  press('Steps of a trial none: each trial runs the workload once');
  await add('Run the workload');
  expect(document.now).toMatchObject({ kneepoint: 2, steps: [{ name: 'step 1' }, { name: 'step 2' }] });
  press('Remove step 2');
  press('Remove step 1');
  expect(document.now.kneepoint).toBe(1);
  expect(document.now).not.toHaveProperty('steps');
});

it('moves and duplicates steps, with a unique name for a copy', () => {
  const document = show([READS, WRITES]);
  choose(2);
  press('Move step 2 up');
  expect(document.now.steps).toEqual([WRITES, READS]);
  press('Duplicate step 1');
  const copy = { ...WRITES, name: 'writes 2' };
  expect(document.now.steps).toEqual([WRITES, copy, READS]);
  fireEvent.keyDown(lineOf(3), { key: 'ArrowUp', altKey: true });
  expect(document.now.steps).toEqual([WRITES, READS, copy]);
  const [first, , third] = screen.getAllByRole('listitem') as HTMLElement[];
  fireEvent.dragStart(third as HTMLElement);
  fireEvent.dragOver(first as HTMLElement);
  fireEvent.drop(first as HTMLElement);
  expect(document.now.steps).toEqual([copy, WRITES, READS]);
  expect(lineOf(1).getAttribute('aria-current')).toBe('step');
});

it('describes each step on a line: action, duration, purpose', () => {
  show([
    { name: 'quiet', options: {}, do: 'wait', until: { status: 'Threads_running', below: 2 } },
    { ...READS, gate: { above: 9 } },
    { ...WRITES, warmup: 10 },
    { name: 'again', options: {}, same: 'reads' },
    { name: 'index', options: {}, do: 'statement', statement: ['CREATE INDEX k', 'ANALYZE t'] },
  ]);
  expect(
    screen
      .getAllByRole('listitem')
      .map((line) => [...line.querySelectorAll('button > *')].map((part) => part.textContent)),
  ).toEqual([
    ['1quiet≤ 5 min', 'until Threads_running is below 2 · not measured'],
    ['2reads35 s', 'options of the workload · gate: figure above 9'],
    ['3writes40 s', 'script update'],
    ['4again35 s', 'again: reads · gate: figure above 9'],
    ['5indexuntil done', 'CREATE INDEX k and 1 more statement · not measured'],
  ]);
});

it('adds each kind of step at the end', async () => {
  const document = show([READS]);
  await add('Wait');
  await add('Repeat a step or group');
  expect(document.now.steps?.slice(1)).toEqual([
    { name: 'step 1', options: {}, do: 'wait', until: { dirty: 64 } },
    { name: 'step 2', options: {}, same: 'step 1' },
  ]);
  expect(screen.getByRole('region', { name: 'Step 3' })).toBeDefined();
});

it('has a note for each step, and none if it is emptied', () => {
  const document = show([READS, WRITES]);
  const note = () => screen.getByRole('textbox', { name: 'Note of step 1' });
  fireEvent.change(note(), { target: { value: 'On a warm cache' } });
  expect(document.now.steps?.[0]?.note).toBe('On a warm cache');
  fireEvent.change(note(), { target: { value: '' } });
  expect(document.now.steps?.[0]).not.toHaveProperty('note');
});

it('sets durations and whether a step is measured', () => {
  const document = show([READS, WRITES]);
  fireEvent.change(screen.getByRole('textbox', { name: 'Duration of step 1, seconds' }), { target: { value: '90' } });
  fireEvent.click(screen.getByRole('checkbox', { name: 'Measured' }));
  choose(2);
  fireEvent.change(screen.getByRole('textbox', { name: 'Duration of step 2, seconds' }), { target: { value: '' } });
  expect(document.now.steps).toEqual([
    { ...READS, duration: 90, measured: false },
    { name: 'writes', options: { script: 'update' } },
  ]);
});

it('sets an option of one step, starting from the value of the workload', async () => {
  const document = show([READS, WRITES]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Set an option in step 1' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Tables (tables)' }));
  expect(document.now.steps?.[0]?.options).toEqual({ tables: 8 });
});

it('changes a step to wait for a condition', async () => {
  const document = show([READS, WRITES]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 1' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Wait' }));
  expect(document.now.steps?.[0]).toEqual({ name: 'reads', options: {}, do: 'wait', until: { dirty: 64 } });
  fireEvent.click(screen.getByRole('combobox', { name: 'Condition of step 1' }));
  fireEvent.click(await screen.findByRole('option', { name: 'a server status' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Status' }), { target: { value: 'Threads_running' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'At most of step 1, seconds' }), { target: { value: '90' } });
  fireEvent.click(screen.getByRole('combobox', { name: 'When step 1 takes longer' }));
  fireEvent.click(await screen.findByRole('option', { name: 'the trial continues, flagged' }));
  expect(document.now.steps?.[0]).toEqual({
    ...{ name: 'reads', options: {}, do: 'wait', until: { status: 'Threads_running', below: 1 } },
    ...{ 'at-most': 90, else: 'measure' },
  });
});

it('changes a step to send statements or run a command', async () => {
  const document = show([READS, WRITES]);
  const kind = async (number: number, name: string): Promise<void> => {
    fireEvent.click(screen.getByRole('combobox', { name: `Kind of step ${number}` }));
    fireEvent.click(await screen.findByRole('option', { name }));
  };
  await kind(1, 'Send a statement');
  const type = (name: string, value: string): void =>
    void fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } });
  type('Statement of step 1', 'CREATE INDEX k ON t (k)');
  expect(document.now.steps?.[0]?.statement).toBe('CREATE INDEX k ON t (k)');
  press('Add a statement');
  type('Statement 2 of step 1', 'ANALYZE TABLE t');
  expect(document.now.steps?.[0]?.statement).toEqual(['CREATE INDEX k ON t (k)', 'ANALYZE TABLE t']);
  press('Remove statement 1 of step 1');
  expect(document.now.steps?.[0]).toEqual({
    name: 'reads',
    options: {},
    do: 'statement',
    statement: 'ANALYZE TABLE t',
  });
  choose(2);
  await kind(2, 'Run a command');
  type('Command', 'blkdiscard /dev/sdb');
  type('Overwritten devices', '/dev/sdb');
  const hosts = (): HTMLElement => screen.getByRole('textbox', { name: 'Host' });
  fireEvent.change(hosts(), { target: { value: 'db1' } });
  expect(document.now.steps?.[1]?.on).toBe('db1');
  fireEvent.change(hosts(), { target: { value: '' } });
  expect(document.now.steps?.[1]).toEqual({
    ...{ name: 'writes', options: {}, do: 'run' },
    ...{ command: 'blkdiscard /dev/sdb', overwrites: '/dev/sdb' },
  });
});

it('repeats an earlier step, and adds and removes a gate', async () => {
  const document = show([READS, WRITES]);
  press('Add a gate to step 1');
  fireEvent.change(screen.getByRole('textbox', { name: 'Above' }), { target: { value: '90' } });
  expect(document.now.steps?.[0]?.gate).toEqual({ above: 90 });
  choose(2);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 2' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Repeat a step or group' }));
  expect(document.now.steps?.[1]).toEqual({ name: 'writes', options: {}, same: 'reads' });
  press('Add a gate to step 2');
  fireEvent.change(screen.getByRole('textbox', { name: 'Ratio to' }), { target: { value: 'reads' } });
  expect(document.now.steps?.[1]?.gate).toEqual({ of: 'reads' });
  choose(1);
  fireEvent.change(screen.getByRole('textbox', { name: 'Above' }), { target: { value: '' } });
  expect(document.now.steps?.[0]).not.toHaveProperty('gate');
});

it('changes a step to a group of steps', async () => {
  const document = show([{ ...WRITES, gate: { above: 90 } }, READS]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 1' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Group of steps' }));
  press('Add a step to the group');
  fireEvent.change(screen.getByRole('textbox', { name: 'Name of step 1.2' }), { target: { value: 'updates' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Duration of step 1.2, seconds' }), { target: { value: '9' } });
  const group = { ...WRITES, gate: { above: 90 } };
  const [first, updates] = [
    { name: 'step 1', options: {} },
    { name: 'updates', options: {}, duration: 9 },
  ];
  expect(document.now.steps).toEqual([{ ...group, each: [first, updates] }, READS]);
  press('Move step 1.2 up');
  expect(document.now.steps?.[0]?.each).toEqual([updates, first]);
  expect(screen.getAllByRole('button', { name: /^Step \d/ }).map((line) => line.getAttribute('aria-label'))).toEqual([
    ...['Step 1: writes', 'Step 1.1: updates', 'Step 1.2: step 1', 'Step 2: reads'],
  ]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 1.1' }));
  expect(screen.queryAllByRole('option', { name: 'Group of steps' })).toHaveLength(0);
  press('Remove step 1.1');
  expect(screen.getByRole('button', { name: 'Remove step 1.1' })).toHaveProperty('disabled', true);
  choose(2);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 2' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Repeat a step or group' }));
  expect(document.now.steps?.[1]).toEqual({ name: 'reads', options: {}, same: 'writes' });
});

it('changes a step to parallel steps with start times, one repeating an earlier step', async () => {
  const document = show([READS, { ...WRITES, name: 'both' }]);
  choose(2);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 2' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Parallel steps' }));
  expect(lineOf(2).textContent).toBe('2both35 s2 steps at the same time, script update');
  expect(screen.queryByRole('combobox', { name: 'Vary an option within step 2' })).toBeNull();
  choose(2.1);
  fireEvent.click(screen.getByRole('combobox', { name: 'Kind of step 2.1' }));
  expect(screen.queryAllByRole('option', { name: /^(Group of steps|Parallel steps|Wait)$/ })).toHaveLength(0);
  fireEvent.click(await screen.findByRole('option', { name: 'Repeat a step or group' }));
  choose(2.2);
  fireEvent.change(screen.getByRole('textbox', { name: 'Starts after of step 2.2, seconds' }), {
    target: { value: '20' },
  });
  const [first, second] = [
    { name: 'step 1', options: {}, same: 'reads' },
    { name: 'step 2', options: {}, from: 20 },
  ];
  expect(document.now.steps?.[1]).toEqual({ ...WRITES, name: 'both', parallel: [first, second] });
  expect(lineOf(2.1).textContent).toContain('as reads, which ran alone');
  expect(lineOf(2.2).textContent).toContain('from 20 s');
  expect(screen.getByRole('button', { name: 'Remove step 2.2' })).toHaveProperty('disabled', true);
  choose(2);
  press('Add a step to the group');
  expect(document.now.steps?.[1]?.parallel).toHaveLength(3);
});

it('varies an option within the trial', async () => {
  const document = show([READS, WRITES]);
  fireEvent.click(screen.getByRole('combobox', { name: 'Vary an option within step 1' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Tables (tables)' }));
  expect(document.now.steps?.[0]?.factors).toEqual([{ name: 'tables', levels: [8] }]);
  const levels = screen.getByRole('textbox', { name: 'Levels of tables in step 1' });
  fireEvent.change(levels, { target: { value: '1, 2,' } });
  expect(levels).toHaveProperty('value', '1, 2,');
  expect(document.now.steps?.[0]?.factors).toEqual([{ name: 'tables', levels: [1, 2] }]);
  expect(lineOf(1).textContent).toBe('1reads1 min 10 stables 1, 2');
  press('Do not vary tables in step 1');
  expect(document.now.steps?.[0]).toEqual(READS);
});

it('drags steps within a group, and a group as a whole', () => {
  const group = { name: 'group', options: {}, each: [READS, WRITES] };
  const document = show([group, { name: 'last', options: {} }]);
  const drag = (from: number, to: number): void => {
    const lines = screen.getAllByRole('listitem');
    fireEvent.dragStart(lines[from] as HTMLElement);
    fireEvent.dragOver(lines[to] as HTMLElement);
    fireEvent.drop(lines[to] as HTMLElement);
  };
  drag(2, 1);
  expect(document.now.steps?.[0]?.each).toEqual([WRITES, READS]);
  drag(1, 3);
  expect(document.now.steps?.map(({ name }) => name)).toEqual(['group', 'last']);
  drag(3, 2);
  expect(document.now.steps?.map(({ name }) => name)).toEqual(['last', 'group']);
});

it('describes a group and its steps', () => {
  show(
    [
      { ...WRITES, measured: false, each: [READS, { name: 'own', options: { tables: 2 }, duration: 5 }] },
      { name: 'again', options: {}, same: 'writes' },
    ],
    [{ path: 'steps.0.each.1.name', message: 'Wrong.' }],
  );
  expect(
    screen
      .getAllByRole('listitem')
      .map((line) => [...line.querySelectorAll('button > *')].map((part) => part.textContent)),
  ).toEqual([
    ['1writes45 s', '2 steps, script update · not measured'],
    ['1.1reads35 s', 'options of the group · not measured'],
    ['1.2own10 s', 'tables 2 · not measured'],
    ['2again45 s', 'again: writes · not measured'],
  ]);
  expect(screen.getByRole('button', { name: 'Step 1: writes' })).toBeDefined();
  press('Step 1.2: own, has a problem');
  expect(within(screen.getByRole('region', { name: 'Step 1.2' })).getByText('Wrong.')).toBeDefined();
});

it('shows a problem in its step, and on the line of the step', () => {
  show([READS, WRITES], [{ path: 'steps.1.name', message: 'Two steps are named “writes”.' }]);
  expect(screen.queryByText('Two steps are named “writes”.')).toBeNull();
  press('Step 2: writes, has a problem');
  expect(
    within(screen.getByRole('region', { name: 'Step 2' })).getByText('Two steps are named “writes”.'),
  ).toBeDefined();
});

it('prepares or removes data with separate options, which cannot be varied', async () => {
  const document = show([READS]);
  await add('Prepare the data');
  expect(document.now.steps?.at(-1)).toEqual({ name: 'step 1', do: 'prepare', options: {} });
  expect(lineOf(2).textContent).toContain('Prepare the data · not measured');
  expect(screen.queryByLabelText('Vary an option within step 2')).toBeNull();
  fireEvent.click(screen.getByRole('combobox', { name: 'Set an option in step 2' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Tables (tables)' }));
  fireEvent.click(screen.getByRole('checkbox', { name: /measured/i }));
  expect(document.now.steps?.at(-1)).toEqual({
    ...{ name: 'step 1', do: 'prepare', options: { tables: 8 }, measured: true },
  });
  expect(lineOf(2).textContent).toContain('Prepare the data, tables 8');
});

it('runs an unmeasured step until it is steady, with a maximum duration', () => {
  const document = show([{ ...READS, measured: false }, WRITES]);
  choose(1);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Until steady' }));
  const steady = { rounds: 5, of: 60, within: 20, slope: 10 };
  expect(document.now.steps?.[0]).toEqual({ ...READS, measured: false, duration: 3600, steady });
  expect(lineOf(1).textContent).toContain(
    'until the means of 5 rounds of 1 min are within 20 %, with a slope of at most 10 %',
  );
  expect(lineOf(1).textContent).toContain('≤ 1 h');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Measured' }));
  expect(document.now.steps?.[0]).toEqual({ ...READS, duration: 3600 });
  expect(screen.queryByRole('checkbox', { name: 'Until steady' })).toBeNull();
});

it('draws what each step does with the data, and which step has changed it', () => {
  show(
    [
      { name: 'load', options: {}, do: 'prepare' },
      READS,
      { name: 'quiet', options: {}, do: 'wait', for: 60 },
      { name: 'both', options: {}, each: [WRITES, { ...READS, factors: [{ name: 'tables', levels: [1, 2] }] }] },
      { name: 'again', options: {}, same: 'reads' },
      { name: 'end', options: {}, do: 'cleanup' },
    ],
    [],
    ['prepares', 'reads', 'none', 'changes', 'reads', 'reads', 'reads', 'removes'],
  );
  const marks = screen.getAllByRole('listitem').map((line) => {
    const { before, after, use } = line.querySelector<HTMLElement>('[data-use]')?.dataset ?? {};
    return [before, use, after, line.querySelector('[role="img"]')?.getAttribute('aria-label')];
  });
  expect(marks).toEqual([
    ['none', 'prepares', 'prepared', 'prepares data'],
    ['prepared', 'reads', 'prepared', 'reads data'],
    ['prepared', 'none', 'prepared', undefined],
    ['prepared', 'none', 'prepared', undefined],
    ['prepared', 'changes', 'changed', 'changes data'],
    ['changed', 'reads', 'changed', 'reads data that “both / writes” left'],
    ['changed', 'reads', 'changed', 'reads data that “both / writes” left'],
    ['changed', 'removes', 'none', 'removes data'],
  ]);
  cleanup();
  show([READS, WRITES], [], ['none', 'none']);
  expect(document.querySelector('[data-use]')).toBeNull();
});
