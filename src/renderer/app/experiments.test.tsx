import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PreflightLine } from '../../shared/contract/experiments.ts';
import type { Experiment } from '../../shared/model/experiment.ts';
import type { Host } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import { codeIn, selectionIn, writeCode } from '../testing/code.ts';
import { documentEngine, fileOf, ladder, mysqlKind, textOf } from '../testing/documents.ts';
import { sampleSession } from '../testing/engine.ts';
import { plan, planShows, show, type Topics, type, written, writtenInYaml, yaml } from './testing/experiment-page.tsx';

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

describe('the list of experiments', () => {
  it('separates templates from own documents, and opens one', async () => {
    show('/experiments');
    const own = await screen.findByRole('table', { name: 'Your experiments' });
    expect(within(own).getByRole('link', { name: 'Mine' })).toBeDefined();
    const templates = await screen.findByRole('region', { name: 'More templates' });
    fireEvent.click(within(templates).getByRole('link', { name: /Ladder/ }));
    expect(await screen.findByDisplayValue('Ladder')).toBeDefined();
    await planShows('6cells');
  });

  it('duplicates an own document as a draft with a new name', async () => {
    show('/experiments');
    fireEvent.click(await screen.findByRole('button', { name: 'Actions for Mine' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate as a draft' }));
    expect(await screen.findByDisplayValue('Mine (copy)')).toBeDefined();
    window.location.hash = '/experiments';
    const drafts = within(await screen.findByRole('table', { name: 'Drafts' }));
    expect(drafts.getByText('Mine (copy)').closest('tr')?.textContent).toContain('copy of Mine');
    expect(within(screen.getByRole('table', { name: 'Your experiments' })).getByText('Mine')).toBeDefined();
  });

  it('renames a document from its menu, which a right click on the row opens', async () => {
    const saved: { id?: string | undefined; text: string }[] = [];
    show('/experiments', {
      experiments: {
        list: () => [fileOf('3', 'saved', ladder)],
        save: (change) => {
          saved.push(change);
          return fileOf('3', 'saved', ladder);
        },
      },
    });
    const row = (await screen.findByRole('link', { name: 'Ladder' })).closest('tr') as HTMLElement;
    expect(fireEvent.contextMenu(row.lastElementChild as Element)).toBe(false);
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename experiment' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: 'Longer ladder' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(saved.map(({ id }) => id)).toEqual(['3']));
    expect(JSON.parse(saved[0]?.text ?? '')).toEqual({ ...ladder, name: 'Longer ladder' });
  });

  it('shows the search again on return', async () => {
    show('/experiments');
    const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Find an experiment' });
    type(await field(), 'lad');
    window.location.hash = '/nowhere';
    await screen.findByText('Page not found');
    window.location.hash = '/experiments';
    expect((await field()).value).toBe('lad');
    await waitFor(() => expect(window.location.hash).toBe('#/experiments?find=lad'));
  });

  it('shows an error, and reloads on request', async () => {
    let broken = true;
    const list = () => {
      if (broken) throw new KneepointError({ code: 'store-corrupt', message: 'The library cannot be read.' });
      return [fileOf('3', 'saved', ladder)];
    };
    show('/experiments', { experiments: { list } });
    expect((await screen.findByRole('alert')).textContent).toContain('The library cannot be read.');
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Ladder' })).toBeDefined();
  });
});

describe('the editor', () => {
  it('asks first for targets and hosts of a template, and applies the choice', async () => {
    const template = fileOf('two', 'template', {
      ...ladder,
      name: 'Two servers',
      where: { generators: ['load1'] },
      factors: [
        { name: 'server', kind: 'target', levels: ['mysql-5.7', 'mysql-8.0'], baseline: 'mysql-5.7' },
        { name: 'threads', kind: 'option', levels: [1, 2], when: { server: 'mysql-5.7' } },
      ],
    });
    const hosts: Host[] = [];
    const target = (id: number, name: string) => ({
      id,
      spec: { name, kind: 'mysql', via: null, config: {} },
      hasSecret: false,
      createdAt: 0,
    });
    const { send } = show('/experiments/two/workload', {
      experiments: { list: () => [template] },
      targets: { list: () => [target(1, 'old'), target(2, 'mysql-8.0')] },
      hosts: {
        list: () => hosts,
        save: ({ spec }) => {
          const host = { id: 5, spec, hasSecret: false, createdAt: 0 };
          hosts.push(host);
          send({ kind: 'changed', topic: 'hosts' });
          return host;
        },
      },
    });
    const first = within(await screen.findByRole('region', { name: 'Choose where it runs' }));
    expect(first.getAllByRole('button').map((button) => button.textContent)).toEqual([
      ...['Use old', 'Use mysql-8.0', 'Add mysql-5.7', 'Add load1'],
    ]);
    expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
    expect(screen.getByRole('link', { name: /Where.*2 problems/ })).toBeDefined();
    fireEvent.click(first.getByRole('button', { name: 'Use old' }));
    await waitFor(() => expect(first.queryByText('mysql-5.7')).toBeNull());
    expect((await written()).factors).toMatchObject([
      { levels: ['old', 'mysql-8.0'], baseline: 'old' },
      { when: { server: 'old' } },
    ]);
    fireEvent.click(screen.getByRole('radio', { name: 'Steps' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Add load1' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Add load1' }));
    const fill = async (label: string, text: string) => type(await sheet.findByRole('textbox', { name: label }), text);
    await fill('Name', 'load-2');
    await fill('Address', '192.0.2.4');
    await fill('User', 'bench');
    fireEvent.click(sheet.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Choose where it runs' })).toBeNull());
    expect(window.location.hash).toBe('#/experiments/two/workload');
    expect((await written()).where.generators).toEqual(['load-2']);
  });

  it('asks first for folders that a template leaves open, and applies a typed or picked one', async () => {
    const [one, two] = ['/choose/first-file-system', '/choose/second-file-system'];
    const template = fileOf('two', 'template', {
      ...ladder,
      where: { generators: ['this computer'] },
      factors: [{ name: 'directory', kind: 'option', levels: [one, two], baseline: one }],
    });
    const folder = { path: '/mnt/xfs', writable: true, folders: [] };
    show('/experiments/two/workload', { experiments: { list: () => [template] }, hosts: { folder: () => folder } });
    const first = within(await screen.findByRole('region', { name: 'Choose where it runs' }));
    expect(first.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Folder first file system on this computer'),
      expect.stringContaining('Folder second file system on this computer'),
    ]);
    expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
    const [use] = first.getAllByRole('button', { name: 'Use' });
    expect(use).toHaveProperty('disabled', true);
    type(first.getByRole('textbox', { name: 'Folder first file system' }), '/mnt/ext4');
    fireEvent.click(first.getAllByRole('button', { name: 'Use' })[0] as HTMLElement);
    await waitFor(() => expect(first.queryByText('first file system')).toBeNull());
    fireEvent.click(first.getByRole('button', { name: 'Browse this computer' }));
    const chosen = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use this folder' });
    // The folder is looked up on its host first.
    await waitFor(() => expect(chosen.disabled).toBe(false));
    fireEvent.click(chosen);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Choose where it runs' })).toBeNull());
    expect((await written()).factors).toMatchObject([{ levels: ['/mnt/ext4', '/mnt/xfs'], baseline: '/mnt/ext4' }]);
  });

  it('offers saved storage paths for folders that a template leaves open, each by one click', async () => {
    const [one, two] = ['/choose/first-file-system', '/choose/second-file-system'];
    const template = fileOf('two', 'template', {
      ...ladder,
      where: { generators: ['this computer'] },
      factors: [{ name: 'directory', kind: 'option', levels: [one, two], baseline: one }],
    });
    const storage = {
      ...{ ...mysqlKind, kind: 'storage', title: 'Storage path', via: 'place' as const },
      schema: { properties: { path: { type: 'string', title: 'Path', folder: true } } },
    };
    const disk = (id: number, name: string, path: string) => ({
      ...{ id, hasSecret: false, createdAt: 0 },
      spec: { name, kind: 'storage', via: null, config: { path } },
    });
    show('/experiments/two/workload', {
      experiments: { list: () => [template] },
      targets: {
        kinds: () => [storage],
        list: () => [disk(1, 'ext4 folder', '/srv/ext4'), disk(2, 'memory', '/dev/shm/bench')],
      },
    });
    const first = within(await screen.findByRole('region', { name: 'Choose where it runs' }));
    expect(await first.findAllByRole('button', { name: /^Use (ext4 folder|memory)$/ })).toHaveLength(4);
    fireEvent.click(first.getAllByRole('button', { name: 'Use ext4 folder' })[0] as HTMLElement);
    await waitFor(() => expect(first.queryByText('first file system')).toBeNull());
    // The same folder twice would be no comparison.
    expect(first.queryByRole('button', { name: 'Use ext4 folder' })).toBeNull();
    fireEvent.click(first.getByRole('button', { name: 'Use memory' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Choose where it runs' })).toBeNull());
    expect((await written()).factors).toMatchObject([
      { levels: ['/srv/ext4', '/dev/shm/bench'], baseline: '/srv/ext4' },
    ]);
  });

  it('applies a changed option to text and plan, and saves a template as an own document', async () => {
    const documents = show('/experiments/ladder/workload');
    const tls = await screen.findByRole('switch', { name: 'TLS' });
    expect(screen.getByText('varied: 1, 2, 4')).toBeDefined();
    fireEvent.click(tls);
    expect(await screen.findByText('Unsaved changes')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Save as new experiment' }));
    await waitFor(() => expect(window.location.hash).toBe('#/experiments/7/workload'));
    expect(documents.saved).toEqual([
      { id: undefined, text: textOf({ ...ladder, workload: { ...ladder.workload, options: { tls: true } } }) },
    ]);
    expect(await screen.findByText('Saved')).toBeDefined();
  });

  it('counts problems at their step, and disables Start until they are fixed', async () => {
    const broken: Experiment = { ...ladder, factors: [], workload: { ...ladder.workload, options: { threads: '4x' } } };
    show('/experiments/9/matrix', { experiments: { list: () => [fileOf('9', 'saved', broken)] } });
    const step = await screen.findByRole('link', { name: /Workload.*1 problem/ });
    expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
    fireEvent.click(step);
    const threads = await screen.findByRole('textbox', { name: 'Threads' });
    expect((await screen.findByRole('alert')).textContent).toBe('threads: expected a number.');
    type(threads, '4');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shortens a long plan by one click, which can be undone', async () => {
    show('/experiments/3/measurement');
    fireEvent.click(await screen.findByRole('button', { name: 'Shorten to about 5 min' }));
    await planShows('18trials');
    expect((await written()).measure).toMatchObject({ repeats: 3, warmup: 3, duration: 13 });
    expect(screen.queryByRole('button', { name: /^Shorten/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByRole('button', { name: /^Shorten/ });
    expect((await written()).measure).toMatchObject({ warmup: 5, duration: 30 });
  });

  it('keeps unsaved changes while elsewhere, and can discard them', async () => {
    show('/experiments/3/measurement');
    type(await screen.findByRole('textbox', { name: 'Repeats' }), '5');
    await planShows('30trials');
    window.location.hash = '/experiments';
    await screen.findByRole('table', { name: 'Your experiments' });
    window.location.hash = '/experiments/3/measurement';
    const notice = await screen.findByText('Draft restored.');
    // Nothing is in progress: no sign of work.
    expect(notice.closest('.kp-problem')?.getAttribute('data-tone')).toBe('idle');
    await planShows('30trials');
    fireEvent.click(screen.getByRole('button', { name: 'Discard draft' }));
    await planShows('18trials');
  });

  it('opens a blank experiment without waiting for the templates, and lists all after it was saved', async () => {
    let asked = 0;
    const files = [fileOf('ladder', 'template', ladder)];
    const list = () => {
      asked += 1;
      return files;
    };
    const save = ({ text }: { text: string }) => {
      const file = fileOf('7', 'saved', JSON.parse(text));
      files.push(file);
      return file;
    };
    show('/experiments/new/load/workload', { experiments: { list, save } });
    await screen.findByRole('textbox', { name: 'Name of the experiment' });
    await planShows('1cell');
    expect(asked).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: /^Save/ }));
    await waitFor(() => expect(window.location.hash).toBe('#/experiments/7/workload'));
    window.location.hash = '/experiments';
    expect(await screen.findByRole('link', { name: /^Ladder/ })).toBeDefined();
    expect(within(screen.getByRole('table', { name: 'Your experiments' })).getAllByRole('link')).toHaveLength(1);
  });

  it('lists an unfinished draft, opens a new blank one, and removes a started one', async () => {
    show('/experiments', { sessions: { start: () => sampleSession({ id: 12, state: 'starting' }) } });
    const blank = async () => {
      fireEvent.click(await screen.findByRole('button', { name: 'Blank experiment' }));
      fireEvent.click((await screen.findAllByRole('menuitem'))[0] as HTMLElement);
      await screen.findByRole('textbox', { name: 'Name of the experiment' });
    };
    const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of the experiment' });
    const leave = async () => {
      window.location.hash = '/experiments';
      await screen.findByRole('table', { name: 'Your experiments' });
    };
    await blank();
    await leave();
    expect(screen.queryByRole('table', { name: 'Drafts' })).toBeNull();
    await blank();
    type(name(), 'Half done');
    // Its name, and the text that contains it.
    await waitFor(() => expect(Object.values(sessionStorage).join().split('Half done')).toHaveLength(3));
    await leave();
    const listed = await screen.findByRole('table', { name: 'Drafts' });
    expect(within(listed).getByRole('link', { name: 'Half done' })).toBeDefined();
    await blank();
    expect(name().value).toMatch(/^New /);
    window.location.hash = within(listed).getByRole('link', { name: 'Half done' }).getAttribute('href') ?? '';
    expect(await screen.findByDisplayValue('Half done')).toBeDefined();
    await planShows('1cell');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', false));
    fireEvent.click(screen.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(window.location.hash).toBe('#/sessions/12/live'));
    await leave();
    expect(screen.queryByRole('table', { name: 'Drafts' })).toBeNull();
  });

  it('opens each step at its top, and returns to the scroll position', async () => {
    show('/experiments/3/workload');
    const main = await waitFor(() => document.querySelector('main') as HTMLElement);
    fireEvent.click(await screen.findByRole('link', { name: /^Next: / }));
    const second = window.location.hash;
    main.scrollTop = 700;
    fireEvent.scroll(main);
    fireEvent.click(await screen.findByRole('link', { name: /^Next: / }));
    await waitFor(() => expect(window.location.hash).not.toBe(second));
    expect(main.scrollTop).toBe(0);
    fireEvent.click(screen.getByRole('link', { name: 'Back' }));
    await waitFor(() => expect(window.location.hash).toBe(second));
    expect(main.scrollTop).toBe(700);
  });

  it('shows the main settings of a measurement, and others as a summary until opened', async () => {
    show('/experiments/3/measurement');
    await screen.findByRole('textbox', { name: 'Repeats' });
    const fields = screen
      .getAllByRole('textbox', { name: /^(?!Name)/ })
      .map((field) => field.getAttribute('aria-label'));
    expect(fields).toEqual(['Warm-up', 'Duration', 'Repeats']);
    expect(screen.getByRole('combobox', { name: 'Order' })).toBeDefined();
    const group = screen.getByRole('button', { name: /^All trials/ });
    expect(group.textContent).toContain('Costly changes: once · Seed: 1');
    expect(screen.getByRole('button', { name: /^Stop early/ }).textContent).toContain('none');
    fireEvent.click(group);
    const costly = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Costly changes' });
    expect([costly.value, costly.placeholder]).toEqual(['', 'once (default)']);
    fireEvent.click(screen.getByRole('button', { name: /^Stop early/ }));
    type(await screen.findByRole('textbox', { name: 'Stop after' }), '30');
    fireEvent.click(screen.getByRole('button', { name: /^Stop early/ }));
    expect(screen.getByRole('button', { name: /^Stop early/ }).textContent).toContain('Stop after: 30 minutes');
    expect((await written()).measure.stop).toEqual({ minutes: 30 });
  });

  it('starts the current document, saved or not', async () => {
    const started: string[] = [];
    show('/experiments/3/measurement', {
      sessions: {
        start: ({ text }) => {
          started.push(text);
          return sampleSession({ id: 12, state: 'starting' });
        },
      },
    });
    type(await screen.findByRole('textbox', { name: 'Repeats' }), '2');
    fireEvent.blur(screen.getByRole('textbox', { name: 'Repeats' }));
    await planShows('12trials');
    fireEvent.click(screen.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(window.location.hash).toBe('#/sessions/12/live'));
    expect(JSON.parse(started[0] ?? '{}').measure.repeats).toBe(2);
  });

  it('rejects an invalid figure with the reason', async () => {
    show('/experiments/3/measurement');
    const repeats = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Repeats' });
    type(repeats, '0');
    expect((await screen.findByRole('alert')).textContent).toBe('At least 1.');
    expect(repeats.value).toBe('0');
    const start = screen.getByRole('button', { name: 'Start' });
    expect(start).toHaveProperty('disabled', true);
    expect(screen.getByText('1 problem before this can start')).toBeDefined();
    expect(screen.getByRole('link', { name: /Measurement.*1 problem/ })).toBeDefined();
    type(repeats, '4');
    await waitFor(() => expect(start).toHaveProperty('disabled', false));
    expect(screen.queryByRole('link', { name: /problem/ })).toBeNull();
    type(repeats, '0');
    expect((await written()).measure.repeats).toBe(4);
  });
});

describe('the document as text', () => {
  it('switches to text and back without loss', async () => {
    show('/experiments/3/yaml');
    const area = await yaml();
    expect(codeIn(area)).toBe(textOf({ ...ladder, name: 'Mine' }));
    writeCode(area, textOf({ ...ladder, name: 'Renamed by hand' }));
    await waitFor(() => expect(screen.getByText('No problems')).toBeDefined());
    fireEvent.click(screen.getByRole('radio', { name: 'Steps' }));
    expect(await screen.findByDisplayValue('Renamed by hand')).toBeDefined();
    expect((await writtenInYaml()).name).toBe('Renamed by hand');
  });

  it('marks an unreadable line, and stays in text until it is fixed', async () => {
    show('/experiments/3/yaml');
    writeCode(await yaml(), '{\n  "kneepoint": 1,\n  oops\n}');
    const problems = await screen.findByRole('list', { name: 'Problems' });
    expect(problems.textContent).toContain('line 3');
    expect(screen.getByTitle('This line cannot be read.').textContent).toBe('  oops');
    expect(screen.getByRole('radio', { name: 'Steps' })).toHaveProperty('disabled', true);
    fireEvent.click(within(problems).getByRole('button'));
    expect(selectionIn(await yaml())).toBe('{\n  "kneepoint": 1,\n'.length);
  });

  it('opens an unreadable saved document as text', async () => {
    const file = { ...fileOf('9', 'saved', ladder), text: 'oops' };
    show('/experiments/9', { experiments: { list: () => [file] } });
    expect(codeIn(await yaml())).toBe('oops');
  });

  it('overwrites a device only after host and device are typed, and asks again after a change', async () => {
    const phrase = 'web1:/dev/sdb';
    async function* preflight({ destroy }: { destroy: string[] }) {
      const line = { id: 'devices', title: 'No disk is overwritten' };
      yield destroy.includes(phrase)
        ? [{ ...line, state: 'warn' as const }]
        : [{ ...line, state: 'block' as const, confirm: phrase }];
    }
    const asked: string[][] = [];
    const start = ({ destroy }: { destroy: string[] }) => {
      asked.push(destroy);
      return sampleSession({ id: 8 });
    };
    show('/experiments/3/review', { experiments: { preflight }, sessions: { start } });
    const field = await screen.findByRole('textbox', { name: `Type ${phrase} to confirm` });
    const allow = () => screen.getByRole('button', { name: 'Confirm' });
    const starts = () => screen.getByRole('button', { name: 'Start' });
    for (const half of ['web1', '/dev/sdb', 'web1:/dev/sdb1', 'WEB1:/DEV/SDB']) {
      type(field, half);
      expect(allow().hasAttribute('disabled')).toBe(true);
      fireEvent.submit(field);
      expect(starts().hasAttribute('disabled')).toBe(true);
    }
    type(field, phrase);
    fireEvent.click(allow());
    expect(await screen.findByText('Ready, with warnings')).toBeDefined();
    type(screen.getByRole('textbox', { name: 'Name of the experiment' }), 'Another');
    await screen.findByRole('textbox', { name: `Type ${phrase} to confirm` });
    type(screen.getByRole('textbox', { name: `Type ${phrase} to confirm` }), phrase);
    fireEvent.click(allow());
    await waitFor(() => expect(starts().hasAttribute('disabled')).toBe(false));
    fireEvent.click(starts());
    await waitFor(() => expect(asked).toEqual([[phrase]]));
  });

  it('checks again by itself when the session that blocks it ends, and not while nothing changes', async () => {
    let checks = 0;
    let isRunning = true;
    async function* preflight() {
      checks += 1;
      const line = { id: 'hosts', title: 'Hosts' };
      const finding = { code: 'of-a-test', severity: 'block' as const, message: 'Session 1 uses this host.' };
      yield isRunning ? [{ ...line, state: 'block' as const, finding }] : [{ ...line, state: 'ok' as const }];
    }
    const other = () => sampleSession({ state: isRunning ? 'running' : 'done' });
    const { send } = show('/experiments/3/review', {
      experiments: { preflight },
      sessions: { list: () => [other()] },
    });
    expect(await screen.findByText('Cannot start yet')).toBeDefined();
    send({ kind: 'session', session: { ...other(), activity: 'measuring' } });
    await waitFor(() => expect(checks).toBe(1));
    isRunning = false;
    send({ kind: 'session', session: other() });
    expect(await screen.findByText('Ready to start')).toBeDefined();
    expect(checks).toBe(2);
  });

  it('shows the failed checks with remedies after a refused start from another step', async () => {
    const finding = { code: 'of-a-test', severity: 'block' as const, message: 'It would send its password.' };
    const fix = { kind: 'allow-cleartext' as const, target: 'shop-db' };
    async function* preflight() {
      yield [{ id: 'target', title: 'Target “shop-db”', state: 'block' as const, finding, fix }];
    }
    const start = (): never => {
      throw new KneepointError({ code: 'preflight-refused', message: finding.message });
    };
    show('/experiments/3/measurement', { experiments: { preflight }, sessions: { start } });
    await planShows('18trials');
    fireEvent.click(screen.getByRole('button', { name: 'Start' }));
    await waitFor(() => expect(window.location.hash).toBe('#/experiments/3/review'));
    expect(await screen.findByText('Cannot start yet')).toBeDefined();
    expect(screen.getByText('It would send its password.')).toBeDefined();
  });

  const SPEC = { name: 'shop-db', kind: 'mysql', via: null, config: { address: 'db1' } } as const;

  /** A review with one block, and the requests of its fix: the block disappears once anything was stored. */
  function review({ fix }: Pick<PreflightLine, 'fix'>, more: Topics = {}) {
    const finding = { code: 'of-a-test', severity: 'block' as const, message: 'It does not answer.' };
    const line = { finding, ...(fix && { fix }) };
    const target = { id: 7, spec: SPEC, hasSecret: false, createdAt: 0 };
    const saved: unknown[] = [];
    const checked: string[] = [];
    async function* preflight({ text }: { text: string }) {
      checked.push(text);
      const title = 'Target “shop-db”';
      yield [
        { id: 'free', title: 'Other sessions', state: 'ok' as const, evidence: 'None' },
        saved.length > 0
          ? { id: 'target', title, state: 'ok' as const }
          : { id: 'target', title, state: 'block' as const, ...line },
        { id: 'data', title: 'Data in the target', state: 'skipped' as const },
        ...(saved.length === 0 && line.fix
          ? [{ id: 'monitors', title: 'Monitors', state: 'block' as const, ...line }]
          : []),
        { id: 'limits', title: 'Connection limits', state: 'skipped' as const },
      ];
    }
    show('/experiments/3/review', {
      ...more,
      experiments: { preflight },
      targets: {
        list: () => [target],
        kinds: () => [mysqlKind],
        save: (asked) => {
          saved.push(asked);
          return { ...target, spec: asked.spec };
        },
      },
    });
    return { saved, checked };
  }

  it('asks for a missing password in the failed check, stores it with the target and checks again', async () => {
    const { saved } = review({ fix: { kind: 'password', place: 'target', name: 'shop-db' } });
    const block = await screen.findByRole('region', { name: '1 to fix before the start' });
    type(await within(block).findByLabelText('Password of shop-db'), 'geheim');
    await within(block).findByRole('link', { name: 'Open shop-db' });
    fireEvent.click(within(block).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Ready to start')).toBeDefined();
    expect(saved).toEqual([{ id: 7, spec: SPEC, secret: 'geheim' }]);
    expect(screen.queryByRole('region', { name: /to fix/ })).toBeNull();
  });

  it('allows a cleartext password for the target in the failed check', async () => {
    const { saved } = review({ fix: { kind: 'allow-cleartext', target: 'shop-db' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Allow cleartext for shop-db' }));
    expect(await screen.findByText('Ready to start')).toBeDefined();
    expect(saved).toEqual([{ id: 7, spec: { ...SPEC, config: { address: 'db1', allowCleartextPassword: true } } }]);
  });

  it('sets another path or host in the failed check, and checks the document again', async () => {
    const { checked } = review({ fix: { kind: 'path', option: 'directory', path: '/nowhere' } });
    const field = await screen.findByRole('textbox', { name: 'Another path for directory' });
    const use = screen.getByRole('button', { name: 'Use this path' });
    expect(use).toHaveProperty('disabled', true);
    type(field, '/data');
    fireEvent.click(use);
    await waitFor(() => expect(checked).toHaveLength(2));
    expect(JSON.parse(checked[1] ?? '').workload.options).toMatchObject({ directory: '/data' });
    expect(screen.queryByRole('button', { name: 'Browse this computer' })).toBeNull();
    cleanup();
    const other = review({ fix: { kind: 'generator', host: 'web1' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Measure from web1' }));
    await waitFor(() => expect(other.checked).toHaveLength(2));
    expect(JSON.parse(other.checked[1] ?? '').where.generators).toEqual(['web1']);
  });

  it('picks another folder on its host in the failed check', async () => {
    const folder = { path: '/mnt/xfs', writable: true, folders: [] };
    const { checked } = review(
      { fix: { kind: 'path', option: 'directory', path: '/nowhere', folder: 'this computer' } },
      { hosts: { folder: () => folder } },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Browse this computer' }));
    const chosen = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use this folder' });
    await waitFor(() => expect(chosen.disabled).toBe(false));
    fireEvent.click(chosen);
    await waitFor(() => expect(checked).toHaveLength(2));
    expect(JSON.parse(checked[1] ?? '').workload.options).toMatchObject({ directory: '/mnt/xfs' });
  });

  it('shows the install command of a tool', async () => {
    review({ fix: { kind: 'install', host: 'web1', command: 'sudo apt-get install fio' } });
    expect(await screen.findByText('sudo apt-get install fio')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Copy the command' })).toBeDefined();
  });

  it('adds an unsaved target in place, and uses its saved name', async () => {
    const { saved, checked } = review({ fix: { kind: 'add', place: 'target', name: 'mysql-5.7' } });
    fireEvent.click(await screen.findByRole('button', { name: 'Add mysql-5.7' }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Add mysql-5.7' }));
    const name = await sheet.findByDisplayValue('mysql-5.7');
    type(name, 'old-mysql');
    type(sheet.getByRole('textbox', { name: 'User' }), 'sb');
    fireEvent.click(sheet.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(saved).toMatchObject([{ spec: { name: 'old-mysql', kind: 'mysql' } }]);
    expect(window.location.hash).toBe('#/experiments/3/review');
    await waitFor(() => expect(checked).toHaveLength(2));
  });

  it('shows a finding of plan and checks once, and fixes a warning in the document', async () => {
    const noted = { code: 'few-repeats', severity: 'note' as const, message: 'Two repeats are few.' };
    const warned = { code: 'fixed-seed', severity: 'warn' as const, message: 'All trials draw the same.' };
    const checked: Experiment[] = [];
    async function* preflight({ text }: { text: string }) {
      checked.push(JSON.parse(text));
      yield [{ id: 'fairness', title: 'Fairness of the result', state: 'note' as const, finding: noted }];
    }
    const engine = documentEngine([]).experiments;
    show('/experiments/3/measurement', {
      experiments: {
        preflight,
        check: async (input, call) => {
          const known = await engine.check?.(input, call);
          if (!known?.plan) throw new Error('It has a plan.');
          const findings = known.experiment?.measure.seeds === 'per-trial' ? [noted] : [noted, warned];
          return { ...known, plan: { ...known.plan, findings } };
        },
      },
    });
    await planShows('Two repeats are few.');
    fireEvent.click(screen.getByRole('link', { name: 'Next: Review' }));
    const warnings = within(await screen.findByRole('region', { name: '1 warning' }));
    expect(plan().textContent).not.toContain('Two repeats');
    expect(screen.getAllByText('Two repeats are few.')).toHaveLength(1);
    fireEvent.click(screen.getByText('1 note'));
    expect(screen.getByRole('button', { name: 'Use 3 repeats' })).toBeDefined();
    fireEvent.click(warnings.getByRole('button', { name: 'Draw new values in each trial' }));
    await waitFor(() => expect(checked.at(-1)?.measure.seeds).toBe('per-trial'));
    await waitFor(() => expect(screen.queryByRole('region', { name: '1 warning' })).toBeNull());
  });

  it('collapses passed and skipped checks into one row each', async () => {
    review({});
    const passed = (await screen.findByText('1 passed')).closest('details');
    expect(passed).toHaveProperty('open', false);
    expect(passed?.textContent).toContain('None');
    const skipped = screen.getByText('2 more checks to run after this is fixed').closest('details');
    expect(skipped).toHaveProperty('open', false);
    expect(skipped?.querySelector('summary')?.textContent).toContain('Data in the target, Connection limits');
  });

  it('disables Start while the preflight fails', async () => {
    let passes = false;
    async function* preflight() {
      const state: 'ok' | 'block' = passes ? 'ok' : 'block';
      yield [{ id: 'target', title: 'The target answers', state }];
    }
    show('/experiments/3/review', { experiments: { preflight } });
    expect(await screen.findByText('1 check above must pass before this can start')).toBeDefined();
    const start = screen.getByRole('button', { name: 'Start' });
    expect(start.hasAttribute('disabled')).toBe(true);
    passes = true;
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false));
    expect(await screen.findByText('Ready to start')).toBeDefined();
  });
});
