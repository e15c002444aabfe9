import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Experiment } from '../../shared/model/experiment.ts';
import { NO_FACTOR_UNDER_TEST } from '../../shared/model/finding.ts';
import { documentEngine, fileOf, ladder } from '../testing/documents.ts';
import { sampleSession } from '../testing/engine.ts';
import { planShows, show, type Topics, type, written, writtenInYaml } from './testing/experiment-page.tsx';

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('the matrix', () => {
  const level = () => screen.findByRole('textbox', { name: 'Add a level to threads' });
  const cell = (words: string) => screen.getByRole('gridcell', { name: new RegExp(`^${words}:`) });

  const change = async (factor: string, what: string) => {
    fireEvent.click(await screen.findByRole('button', { name: `Change factor ${factor}` }));
    fireEvent.click(await screen.findByRole('menuitem', { name: what }));
  };

  it('accepts valid levels, and explains why one is invalid', async () => {
    show('/experiments/3/matrix');
    type(await level(), '8, 16x');
    fireEvent.keyDown(await level(), { key: 'Enter' });
    expect(screen.getByText('16x: Enter a whole number.')).toBeDefined();
    await planShows('8cells');
    fireEvent.click(screen.getByRole('button', { name: 'Remove level 1' }));
    await planShows('6cells');
    expect((await written()).factors[1]?.levels).toEqual([2, 4, 8]);
  });

  it('excludes a cell and a row, includes a cell again, and undoes all of it', async () => {
    show('/experiments/3/matrix');
    fireEvent.click(await screen.findByRole('gridcell', { name: /^mode off · threads 4:/ }));
    await planShows('5cells');
    expect(cell('mode off · threads 4').getAttribute('aria-label')).toContain('excluded');
    fireEvent.click(screen.getByTitle('mode off: all of its cells'));
    await planShows('3cells');
    fireEvent.click(cell('mode off · threads 1'));
    await planShows('4cells');
    expect((await writtenInYaml()).exclude).toEqual([
      { mode: 'off', threads: 2 },
      { mode: 'off', threads: 4 },
    ]);
    fireEvent.click(screen.getByRole('radio', { name: 'Steps' }));
    fireEvent.click(await screen.findByRole('link', { name: /Matrix/ }));
    await screen.findByRole('grid');
    for (const cells of ['3cells', '5cells', '6cells']) {
      fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
      await planShows(cells);
    }
    fireEvent.click(screen.getByRole('button', { name: 'Redo' }));
    await planShows('5cells');
  });

  it('marks an area with the keyboard, and limits the plan to it', async () => {
    show('/experiments/3/matrix');
    const grid = await screen.findByRole('grid', { name: 'Cells of the matrix' });
    fireEvent.keyDown(grid, { key: 'ArrowRight' });
    fireEvent.keyDown(grid, { key: 'ArrowDown', shiftKey: true });
    expect(screen.getByText('2 cells marked')).toBeDefined();
    fireEvent.keyDown(grid, { key: ' ' });
    await planShows('4cells');
    fireEvent.keyDown(grid, { key: ' ' });
    await planShows('6cells');
    fireEvent.click(screen.getByRole('button', { name: 'Measure only these' }));
    expect((await written()).only).toEqual([{ threads: 2 }]);
  });

  it('fills in a ladder, moves and removes factors', async () => {
    show('/experiments/3/matrix');
    fireEvent.click(await screen.findByRole('button', { name: 'Fill in levels of threads' }));
    type(await screen.findByRole('textbox', { name: 'To' }), '16');
    fireEvent.click(screen.getByRole('button', { name: 'Use these 5 levels' }));
    await planShows('10cells');
    await change('threads', 'Move left');
    await change('mode', 'Remove');
    await planShows('5cells');
    expect((await written()).factors).toEqual([{ name: 'threads', kind: 'option', levels: [1, 2, 4, 8, 16] }]);
  });

  it('adds a factor from the search, and clears the search', async () => {
    show('/experiments/3/matrix');
    await screen.findByRole('grid');
    await change('mode', 'Remove');
    const search = screen.getByRole<HTMLInputElement>('combobox', { name: 'What do you want to vary?' });
    search.focus();
    type(search, 'mod');
    expect(search.value).toBe('mod');
    fireEvent.click(await screen.findByRole('option', { name: /\(mode\)/ }));
    await waitFor(() => expect(search.value).toBe(''));
    // Nothing is varied before a level is chosen.
    const asked = within(await screen.findByRole('region', { name: 'New factor mode' }));
    expect(screen.queryByRole('listitem', { name: 'Factor mode' })).toBeNull();
    const levels = asked.getByRole('group', { name: 'Suggested levels of mode' });
    expect([...levels.querySelectorAll('input')].map(({ checked }) => checked)).not.toContain(true);
    const add = asked.getByRole('button', { name: 'Add factor' });
    expect(add).toHaveProperty('disabled', true);
    fireEvent.click(within(levels).getByRole('checkbox', { name: /^full/ }));
    fireEvent.click(within(levels).getByRole('checkbox', { name: /^off/ }));
    fireEvent.click(add);
    expect(await screen.findByRole('listitem', { name: 'Factor mode' })).toBeDefined();
    expect((await written()).factors.find(({ name }) => name === 'mode')?.levels).toEqual(['off', 'full']);
  });

  it('renames a factor without changing what it varies', async () => {
    show('/experiments/3/matrix');
    const name = await screen.findByRole('textbox', { name: 'Name of factor mode' });
    type(name, 'durability');
    fireEvent.blur(name);
    expect(await screen.findByRole('listitem', { name: 'Factor durability' })).toBeDefined();
    expect((await written()).factors[0]).toEqual({
      name: 'durability',
      kind: 'option',
      option: 'mode',
      levels: ['off', 'full'],
    });
  });

  it('moves and changes one level', async () => {
    show('/experiments/3/matrix');
    fireEvent.keyDown(await screen.findByRole('button', { name: 'Level 1' }), { key: 'ArrowDown', altKey: true });
    fireEvent.click(screen.getByRole('button', { name: 'Level 4' }));
    const value = await screen.findByRole('textbox', { name: 'Value' });
    type(value, '2');
    expect(screen.getByText('This level already exists.')).toBeDefined();
    type(value, '16');
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    expect((await written()).factors[1]?.levels).toEqual([2, 1, 16]);
  });

  it('compares with a baseline level, which stays the baseline with a new value', async () => {
    show('/experiments/3/matrix');
    fireEvent.click(await screen.findByRole('button', { name: 'Level 4' }));
    fireEvent.click(await screen.findByRole('button', { name: /^Baseline: / }));
    fireEvent.click(await screen.findByRole('button', { name: 'Not the baseline' }));
    fireEvent.click(await screen.findByRole('button', { name: /^Baseline: / }));
    type(await screen.findByRole('textbox', { name: 'Value' }), '16');
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    await screen.findByRole('button', { name: /^Level 16 ?baseline$/ });
    expect((await written()).factors[1]).toMatchObject({ levels: [1, 2, 16], baseline: 16 });
  });

  it('varies a factor only at a level of another one, and one factor at a time', async () => {
    show('/experiments/3/matrix');
    fireEvent.click(await screen.findByRole('button', { name: 'Condition of threads: in every cell' }));
    fireEvent.click(await screen.findByRole('checkbox', { name: 'full' }));
    expect(await screen.findByRole('gridcell', { name: 'mode off: cell 1' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Remove: threads: only where mode = full' }));
    fireEvent.click(screen.getByRole('radio', { name: 'One factor at a time' }));
    await waitFor(() => expect(screen.getAllByRole('gridcell')).toHaveLength(4));
    expect(await written()).toMatchObject({ design: 'one-at-a-time', factors: ladder.factors });
  });
});

describe('the factor under test', () => {
  it('must be chosen before a start if several factors qualify', async () => {
    const question = {
      code: NO_FACTOR_UNDER_TEST,
      severity: 'note' as const,
      message: 'No factor is under test. Choose one: “mode” or “threads”.',
    };
    const engine = documentEngine([]).experiments;
    const check: NonNullable<Topics['experiments']>['check'] = async (input, call) => {
      const known = await engine.check?.(input, call);
      if (!known?.plan) throw new Error('It has a plan.');
      const names = known.experiment?.factors?.map(({ name }) => name) ?? [];
      const isOpen = names.length > 1 && !known.experiment?.factors?.some(({ tested }) => tested);
      return { ...known, testable: names, plan: { ...known.plan, findings: isOpen ? [question] : [] } };
    };
    show('/experiments/3/matrix', { experiments: { check } });
    const asked = within(await screen.findByRole('radiogroup', { name: /under test/ }));
    expect(screen.getByRole('link', { name: /Matrix.*1 problem/ })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
    fireEvent.click(asked.getByRole('radio', { name: 'mode' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false));
    expect((await writtenInYaml()).factors.map(({ tested }) => tested)).toEqual([true, undefined]);
    fireEvent.click(screen.getByRole('radio', { name: 'Steps' }));
    fireEvent.click(await screen.findByRole('link', { name: /Matrix/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Change factor threads' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByRole('radiogroup', { name: /under test/ })).toBeNull());
  });
});

describe('the cells of a measured matrix', () => {
  it('show the results of a chosen session', async () => {
    const cells = [1, 2, 4].map((threads, cell) => {
      const levels = { mode: 'off', threads };
      return { cell, levels, runs: [], value: threads * 1000, means: [], errors: 0, partial: false };
    });
    const session = () => ({ sessionId: 1, metric: 'tps', metrics: ['tps'], factors: [], warmup: 0, cells });
    show('/experiments/3/matrix', {
      sessions: { list: () => [sampleSession({ experiment: 'Mine' }), sampleSession({ id: 2, experiment: 'Other' })] },
      results: { session },
    });
    fireEvent.click(await screen.findByRole('combobox', { name: 'Cell values' }));
    const options = await screen.findAllByRole('option', { name: /Thread ladder/ });
    expect(options).toHaveLength(1);
    fireEvent.click(options[0] as HTMLElement);
    const fastest = await screen.findByRole('gridcell', { name: 'mode off · threads 4: cell 3, 4,000' });
    expect(fastest.textContent).toBe('4,000');
    expect(fastest.getAttribute('data-result')).toBe('8');
    expect(screen.getByRole('gridcell', { name: /^mode off · threads 1:/ }).getAttribute('data-result')).toBe('0');
    expect(screen.getByRole('gridcell', { name: 'mode full · threads 4: cell 6' }).textContent).toBe('–');
    expect(screen.getByRole('list', { name: 'Key' }).textContent).toContain('in tps');
  });
});

describe('a factor of another kind', () => {
  const spec = { name: 'db', kind: 'mysql', via: null, config: {} };
  const saved = { id: 4, spec, hasSecret: false, createdAt: 0 };
  const settings = [
    { name: 'sync_binlog', value: '1', default: '1', change: 'dynamic' as const },
    {
      name: 'innodb_log_file_size',
      value: '100663296',
      unit: 'bytes',
      default: '100663296',
      change: 'restart' as const,
      takes: { least: '4194304', most: '1073741824' },
    },
  ];
  const targets: Topics['targets'] = {
    list: () => [saved, { ...saved, id: 5, spec: { ...spec, name: 'fork' } }],
    inspectSpec: () => ({ result: 'ok', details: { settings, readAt: 0 } }),
  };
  const onDb: Experiment = { ...ladder, name: 'On db', where: { ...ladder.where, target: 'db' }, factors: [] };
  const experiments: Topics['experiments'] = { list: () => [fileOf('9', 'saved', onDb)] };
  const find = async (words: string) => {
    const search = await screen.findByRole('combobox', { name: 'What do you want to vary?' });
    fireEvent.click(search);
    type(search, words);
  };
  const add = async (what: string) => {
    await find(what);
    fireEvent.click(await screen.findByRole('option', { name: new RegExp(`^${what}`) }));
  };

  it('finds a server setting by part of its name, suggests levels around its value, and takes its name', async () => {
    show('/experiments/9/matrix', { targets, experiments });
    await find('log size');
    const option = await screen.findByRole('option', { name: /^innodb_log_file_size/ });
    expect(option.textContent).toContain('now 96.0 MiB');
    fireEvent.click(option);
    const asked = within(await screen.findByRole('region', { name: 'New factor innodb_log_file_size' }));
    const names = asked.getAllByRole('checkbox').map((chip) => chip.parentElement?.textContent);
    expect(names).toContain('100663296 (now)');
    expect(names).toContain('201326592');
    type(asked.getByRole('textbox', { name: 'Levels of innodb_log_file_size' }), '128M');
    fireEvent.click(asked.getByRole('checkbox', { name: /now/ }));
    fireEvent.click(asked.getByRole('button', { name: 'Add factor' }));
    await planShows('2cells');
    expect((await written()).factors).toEqual([
      {
        name: 'innodb_log_file_size',
        kind: 'server-setting',
        setting: 'innodb_log_file_size',
        levels: [100_663_296, '128M'],
      },
    ]);
  });

  it('accepts the name of a setting without a connection to the server', async () => {
    show('/experiments/9/matrix', {
      targets: {
        ...targets,
        inspectSpec: () => ({ result: 'failed', problem: { code: 'target-unreachable', message: 'No answer.' } }),
      },
      experiments,
    });
    await find('innodb_flush_log_at_trx_commit');
    fireEvent.click(await screen.findByRole('option', { name: /Server setting “innodb_flush_log_at_trx_commit”/ }));
    const field = await screen.findByRole('textbox', { name: 'Levels of innodb_flush_log_at_trx_commit' });
    type(field, '1');
    fireEvent.submit(field);
    expect((await written()).factors[0]).toMatchObject({ name: 'innodb_flush_log_at_trx_commit', levels: [1] });
  });

  it('starts an empty set of server settings, suggests levels, and names both after their settings', async () => {
    show('/experiments/9/matrix', { targets, experiments });
    await add('Several server settings');
    const panel = within(await screen.findByRole('dialog', { name: 'Vary settings' }));
    expect(await panel.findByText('2 settings')).toBeDefined();
    const add2 = panel.getByRole('button', { name: 'Add factor' });
    expect(add2).toHaveProperty('disabled', true);
    const field = panel.getByRole('combobox', { name: 'Add to settings' });
    fireEvent.focus(field);
    type(field, 'log size');
    const option = await screen.findByRole('option', { name: /innodb_log_file_size/ });
    expect(option.textContent).toContain('now 96.0 MiB · default 96.0 MiB · 4.00 MiB to 1.00 GiB · needs a restart');
    fireEvent.click(option);
    const suggested = within(await panel.findByRole('group', { name: 'Suggested levels' }));
    expect(suggested.getAllByRole('button').map(({ textContent }) => textContent)).toContain('201326592');
    fireEvent.click(suggested.getByRole('button', { name: 'as found' }));
    fireEvent.click(panel.getByRole('button', { name: 'Level' }));
    const value = await panel.findByRole('combobox', { name: 'innodb_log_file_size of level' });
    expect(value.getAttribute('placeholder')).toBe('as found: 96.0 MiB');
    type(value, '1G');
    type(field, 'sync_binlog');
    fireEvent.submit(field);
    type(await panel.findByRole('combobox', { name: 'sync_binlog of 1G / as found' }), '0');
    const name = panel.getByRole('textbox', { name: 'Name of level as found' });
    type(name, 'before');
    fireEvent.blur(name);
    fireEvent.click(add2);
    await planShows('2cells');
    expect(await screen.findByText('restart')).toBeDefined();
    expect((await written()).factors).toEqual([
      {
        name: 'innodb_log_file_size and sync_binlog',
        kind: 'server-setting',
        levels: [
          { name: 'before', set: { innodb_log_file_size: null, sync_binlog: null } },
          { name: '1G / 0', set: { innodb_log_file_size: '1G', sync_binlog: 0 } },
        ],
      },
    ]);
  });

  it('uses saved targets as levels', async () => {
    show('/experiments/9/matrix', { targets, experiments });
    await add('Target');
    const asked = within(await screen.findByRole('region', { name: 'New factor target' }));
    for (const chip of asked.getAllByRole('checkbox')) fireEvent.click(chip);
    fireEvent.click(asked.getByRole('button', { name: 'Add factor' }));
    await planShows('2cells');
    expect((await written()).factors).toEqual([{ name: 'target', kind: 'target', levels: ['db', 'fork'] }]);
  });

  it('sets tool options in workloads named after them, and leaves nothing when cancelled', async () => {
    show('/experiments/9/matrix', { targets, experiments });
    const open = async () => {
      await add('Workload');
      return within(await screen.findByRole('dialog', { name: 'Vary workload' }));
    };
    const dropped = await open();
    fireEvent.click(dropped.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('No factors yet')).toBeDefined();
    const panel = await open();
    const field = panel.getByRole('combobox', { name: 'Add to options' });
    type(field, 'threads');
    fireEvent.submit(field);
    const suggested = within(await panel.findByRole('group', { name: 'Suggested levels' }));
    for (const level of ['1', '8']) fireEvent.click(suggested.getByRole('button', { name: level }));
    type(field, 'mode');
    fireEvent.submit(field);
    await panel.findByRole('textbox', { name: 'Name of level 8 / off' });
    fireEvent.click(panel.getByRole('button', { name: 'Add factor' }));
    await planShows('2cells');
    expect((await written()).factors).toEqual([
      {
        name: 'threads and mode',
        kind: 'workload',
        levels: [
          { name: '1 / off', options: { threads: 1, mode: 'off' } },
          { name: '8 / off', options: { threads: 8, mode: 'off' } },
        ],
      },
    ]);
  });

  it('is unchanged by changes to another factor', async () => {
    const factor = {
      name: 'durability',
      kind: 'server-setting',
      on: 'fork',
      levels: [
        { name: 'safe', set: { sync_binlog: 1 } },
        { name: 'relaxed', set: { sync_binlog: 0 } },
      ],
    };
    const both = { ...onDb, factors: [factor, ...ladder.factors] };
    show('/experiments/9/matrix', { targets, experiments: { list: () => [fileOf('9', 'saved', both)] } });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove level 4' }));
    fireEvent.click(screen.getByRole('button', { name: /^Level safe/ }));
    type(await screen.findByRole('textbox', { name: 'Name' }), 'durable');
    fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
    expect((await written()).factors).toEqual([
      { ...factor, levels: [{ ...factor.levels[0], name: 'durable' }, factor.levels[1]] },
      ladder.factors[0],
      { ...ladder.factors[1], levels: [1, 2] },
    ]);
  });
});
