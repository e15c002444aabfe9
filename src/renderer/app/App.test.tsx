import { spotlight } from '@mantine/spotlight';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SshHostSpec } from '../../shared/model/host.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Session } from '../../shared/model/session.ts';
import type { CallContext } from '../../shared/rpc/define.ts';
import { callKey, createQueryClient, EngineLink } from '../client/index.ts';
import { documentEngine, loadTool } from '../testing/documents.ts';
import { sampleSession, type TestEngine, testEngine } from '../testing/engine.ts';
import { App } from './App.tsx';
import { writtenInYaml } from './testing/experiment-page.tsx';

const show = (engine: TestEngine) => render(<App link={engine.link} queries={createQueryClient()} env="test" />);

// Preloaded, as a busy computer may take seconds to load a view for the first time.
beforeAll(() => import('../views/library/index.tsx'));

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(() => {
  cleanup();
  Reflect.deleteProperty(document, 'fonts');
});

it('shows the progress of calls that take longer than a second', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const list = async (_input: object, { progress }: CallContext): Promise<Session[]> => {
    // Nothing is reported at first.
    for (const start = Date.now(); Date.now() - start < 100; );
    await progress({ what: 'Calculating figures', unit: 'cell', done: 3, of: 64 });
    await finished;
    return [];
  };
  show(testEngine({ sessions: { list } }));
  const bar = await screen.findByRole('progressbar', { name: 'Calculating figures' }, { timeout: 10_000 });
  expect(bar.textContent).toMatch(/^Calculating figures: cell 3 of 64\d+ s$/);
  expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual(['3', '64']);
  finish();
  await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Calculating figures' })).toBeNull());
});

it('shows how many of several sessions are changed', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const edit = async ({ id }: { id: number }): Promise<Session> => {
    await finished;
    return sampleSession({ id });
  };
  show(testEngine({ sessions: { list: () => [1, 2, 3].map((id) => sampleSession({ id, name: `Run ${id}` })), edit } }));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  fireEvent.click(screen.getByRole('button', { name: 'Archive' }));
  const bar = await screen.findByRole('progressbar', { name: 'Changing sessions' }, { timeout: 10_000 });
  expect(bar.textContent).toMatch(/^Changing sessions: session 1 of 3\d+ s$/);
  finish();
  await waitFor(() => expect(screen.queryByRole('progressbar', { name: 'Changing sessions' })).toBeNull());
});

describe('an empty library', () => {
  const quickstart = {
    id: 'quickstart',
    origin: 'template' as const,
    name: 'Quick benchmark',
    tool: 'embedded',
    tags: [],
    text: 'kneepoint: 1\nname: Quick benchmark\n',
  };

  it('offers three ways to begin', async () => {
    const read: string[] = [];
    const list = (): [] => {
      read.push('all documents');
      return [];
    };
    show(testEngine({ experiments: { list } }));
    expect(await screen.findByRole('heading', { name: 'Quick benchmark on this computer' })).toBeDefined();
    expect(screen.getByRole('region', { name: 'Add a host' })).toBeDefined();
    expect(screen.getByRole('region', { name: 'New experiment' })).toBeDefined();
    // Reading them takes the engine longer than the rest of the start.
    expect(read).toEqual([]);
    fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
    await waitFor(() => expect(read).toEqual(['all documents']));
    act(() => spotlight.close());
  });

  it('starts the quick benchmark with one click and opens its live view', async () => {
    const started: string[] = [];
    show(
      testEngine({
        experiments: { template: () => quickstart },
        sessions: {
          start: ({ text }) => {
            started.push(text);
            return sampleSession({ id: 12, state: 'starting' });
          },
        },
      }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Start the quick benchmark' }));
    await waitFor(() => expect(window.location.hash).toBe('#/sessions/12/live'));
    expect(started).toEqual([quickstart.text]);
  });

  it('shows the duration of the quick benchmark on its button', async () => {
    const chart = { kind: 'knee' as const, over: 'threads', metric: 'ops', lines: 3, points: 3 };
    const outline = { cells: 9, trials: 18, seconds: 182, targets: [], chart };
    show(testEngine({ experiments: { template: () => ({ ...quickstart, outline }) } }));
    expect(await screen.findByRole('button', { name: 'Start the quick benchmark, about 3 min' })).toBeDefined();
  });

  it('shows why the quick benchmark did not start, and stays', async () => {
    const refused = new KneepointError({
      code: 'preflight-refused',
      message: 'There are 12 MiB free on this disk.',
      next: 'Free 200 MiB, then start again.',
    });
    const start = (): never => {
      throw refused;
    };
    show(testEngine({ experiments: { template: () => quickstart }, sessions: { start } }));
    fireEvent.click(await screen.findByRole('button', { name: 'Start the quick benchmark' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('There are 12 MiB free on this disk.');
    expect(alert.textContent).toContain('Free 200 MiB, then start again.');
    expect(window.location.hash).toBe('');
  });
});

describe('a library with sessions', () => {
  const older = sampleSession({ id: 1, name: 'MariaDB 10.11' });
  const newer = sampleSession({ id: 2, name: 'MySQL 8.0.12', tags: ['upgrade'] });
  const third = sampleSession({ id: 3, name: 'Broken', state: 'failed', tool: 'embedded' });
  const withThree = () => testEngine({ sessions: { list: () => [third, newer, older] } });
  const rowNames = () =>
    within(screen.getByRole('table', { name: 'Sessions' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('link')[0]?.textContent);

  it('lists them newest first, with best cell and unit, and sorts by a header', async () => {
    show(withThree());
    await screen.findByRole('table', { name: 'Sessions' });
    expect(rowNames()).toEqual(['Broken', 'MySQL 8.0.12', 'MariaDB 10.11']);
    expect(screen.getAllByText('18,526 tps')).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: 'Session' }));
    expect(rowNames()).toEqual(['Broken', 'MariaDB 10.11', 'MySQL 8.0.12']);
  });

  it('filters by words and by state', async () => {
    show(withThree());
    fireEvent.change(await screen.findByRole('textbox', { name: 'Filter' }), { target: { value: 'upgrade mysql' } });
    expect(rowNames()).toEqual(['MySQL 8.0.12']);
    fireEvent.change(screen.getByRole('textbox', { name: 'Filter' }), { target: { value: '' } });
    fireEvent.click(screen.getByRole('radio', { name: /^Failed or stopped/ }));
    expect(rowNames()).toEqual(['Broken']);
  });

  it('compares two, with the older one as the baseline', async () => {
    show(withThree());
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select MySQL 8.0.12' }));
    expect(screen.getByRole('button', { name: 'Compare' }).hasAttribute('disabled')).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select MariaDB 10.11' }));
    fireEvent.click(screen.getByRole('button', { name: 'Compare' }));
    expect(window.location.hash).toBe('#/compare?baseline=1&other=2');
  });

  it('undoes a deletion before it is carried out', async () => {
    const removed: number[] = [];
    show(
      testEngine({
        sessions: {
          list: () => [newer, older],
          remove: ({ id }) => {
            removed.push(id);
            return {};
          },
        },
      }),
    );
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select MariaDB 10.11' }));
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(rowNames()).toEqual(['MySQL 8.0.12']));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(rowNames()).toEqual(['MySQL 8.0.12', 'MariaDB 10.11']));
    expect(removed).toEqual([]);
  });

  it('follows events from the engine', async () => {
    const engine = withThree();
    show(engine);
    await screen.findByRole('table', { name: 'Sessions' });
    expect(screen.queryByText('running')).toBeNull();
    engine.send({ kind: 'session', session: { ...third, state: 'running', trialsEnded: 2 } });
    expect(await screen.findByText('running')).toBeDefined();
    expect(screen.getByText('2 of 6')).toBeDefined();
  });

  it('lists the first session after returning from its live view', async () => {
    const first = sampleSession({ name: 'The first', state: 'running', trialsEnded: 0 });
    let started = false;
    const engine = testEngine({ sessions: { list: () => (started ? [first] : []) } });
    const queries = createQueryClient();
    render(<App link={engine.link} queries={queries} env="test" />);
    await screen.findByRole('heading', { name: 'Find the knee' });
    const open = (place: string) =>
      act(() => {
        window.location.hash = place;
      });
    open('#/nowhere');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Find the knee' })).toBeNull());
    started = true;
    const held = () => queries.getQueryData<readonly Session[]>(callKey('sessions.list', {}))?.[0]?.trialsEnded;
    engine.send({ kind: 'session', session: first });
    await waitFor(() => expect(held()).toBe(0));
    // One of the lists is up to date by now, the library's is not.
    engine.send({ kind: 'session', session: { ...first, trialsEnded: 1 } });
    await waitFor(() => expect(held()).toBe(1));
    open('');
    const table = await screen.findByRole('table', { name: 'Sessions' });
    expect(within(table).getByText('The first')).toBeDefined();
  });

  it('refreshes earlier results when a trial ends', async () => {
    const running = sampleSession({ id: 7, state: 'running', trialsEnded: 1 });
    const engine = testEngine({ sessions: { list: () => [running] } });
    const queries = createQueryClient();
    const read = [callKey('results.session', { sessionId: 7 }), callKey('sessions.runs', { id: 7 })];
    const old = () => read.map((key) => queries.getQueryState(key)?.isInvalidated);
    const sendEnded = async (trialsEnded: number) => {
      engine.send({ kind: 'session', session: { ...running, trialsEnded } });
      await screen.findByText(`${trialsEnded} of 6`);
    };
    render(<App link={engine.link} queries={queries} env="test" />);
    const table = await screen.findByRole('table', { name: 'Sessions' });
    await sendEnded(2);
    for (const key of read) queries.setQueryData(key, {});
    engine.send({ kind: 'session', session: { ...running, trialsEnded: 2, name: 'Renamed' } });
    await within(table).findByText('Renamed');
    expect(old()).toEqual([false, false]);
    await sendEnded(3);
    // It is requested again at most once a second.
    await waitFor(() => expect(old()).toEqual([true, true]), { timeout: 5000 });
  });

  it('shows the connection state in the footer', async () => {
    const engine = withThree();
    show(engine);
    await screen.findByRole('table', { name: 'Sessions' });
    engine.send({
      kind: 'links',
      links: [{ host: 'db2', state: 'down', since: 0, message: 'db2 does not answer.' }],
    });
    expect((await screen.findByRole('link', { name: /db2/ })).textContent).toContain('unreachable');
  });
});

describe('the menu of the desktop window', () => {
  const choose = (menu: unknown, source: unknown = window): void => {
    window.dispatchEvent(Object.assign(new Event('message'), { data: { menu }, source }));
  };

  it('opens places and switches the theme', async () => {
    show(testEngine({}));
    await screen.findByRole('heading', { name: 'Find the knee' });
    const before = document.documentElement.dataset.mantineColorScheme;
    act(() => choose({ do: 'theme' }));
    expect(document.documentElement.dataset.mantineColorScheme).not.toBe(before);
    act(() => choose({ do: 'open', path: '/nowhere' }));
    expect(window.location.hash).toBe('#/nowhere');
  });

  it('ignores messages from other sources', async () => {
    show(testEngine({}));
    await screen.findByRole('heading', { name: 'Find the knee' });
    act(() => choose({ do: 'open', path: '/nowhere' }, null));
    expect(window.location.hash).toBe('');
  });
});

describe('errors and restarts', () => {
  it('shows an error, and repeats the request on demand', async () => {
    let broken = true;
    const list = () => {
      if (broken)
        throw new KneepointError({
          code: 'store-busy',
          message: 'Another Kneepoint holds the library.',
          next: 'Close it.',
        });
      return [];
    };
    show(testEngine({ sessions: { list } }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Another Kneepoint holds the library. Close it.'.slice(0, 36),
    );
    broken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Quick benchmark on this computer' })).toBeDefined();
  });

  it('reloads everything after a restart of the engine', async () => {
    const engine = testEngine({ sessions: { list: () => [sampleSession({ name: 'Before' })] } });
    show(engine);
    await screen.findByText('Before');
    engine.die();
    expect(await screen.findByText('The connection to the engine is lost.')).toBeDefined();
    engine.start({ sessions: { list: () => [sampleSession({ name: 'After' })] } });
    expect(await screen.findByText('The engine restarted. Nothing measured is lost.')).toBeDefined();
    expect(await screen.findByText('After')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('The engine restarted. Nothing measured is lost.')).toBeNull();
  });

  it('explains a restart of Kneepoint, and keeps the content of the page', async () => {
    const engine = testEngine({ sessions: { list: () => [sampleSession({ name: 'Before' })] } });
    show(engine);
    await screen.findByText('Before');
    engine.die();
    await screen.findByText('The connection to the engine is lost.');
    act(() => engine.hinder('restarted'));
    expect(await screen.findByText(/was restarted and printed a new link/)).toBeDefined();
    expect(screen.getByText('Before')).toBeDefined();
    engine.start({});
    await waitFor(() => expect(screen.queryByText(/printed a new link/)).toBeNull());
  });

  it('explains missing access in place of the app', async () => {
    const link = new EngineLink((_, hindered) => {
      hindered?.('no-link');
      return () => undefined;
    });
    render(<App link={link} queries={createQueryClient()} env="test" />);
    expect(await screen.findByRole('heading', { name: 'This tab has no access to Kneepoint.' })).toBeDefined();
    expect(screen.getByText('npm run -s kneepoint -- link')).toBeDefined();
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('shows “Page not found” at an unknown address', async () => {
    window.location.hash = '#/nowhere';
    show(testEngine({}));
    expect(await screen.findByText('Page not found')).toBeDefined();
  });
});

describe('a file dropped on the window', () => {
  const drop = (name: string, text: string) => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    const dataTransfer = { types: ['Files'], files: [new File([text], name)] };
    Object.defineProperty(event, 'dataTransfer', { value: dataTransfer });
    document.body.dispatchEvent(event);
    return event;
  };

  it('opens as a draft if it is an experiment, and is rejected if unknown', async () => {
    show(testEngine({ experiments: documentEngine([]).experiments }));
    await screen.findByRole('link', { name: 'Experiments' });
    const text = `kneepoint: 1\nname: From a colleague\nworkload:\n  tool: load\n`;
    expect(drop('mine.yaml', text).defaultPrevented).toBe(true);
    await waitFor(() => expect(window.location.hash).toBe('#/experiments/new/load/workload'));
    expect(Object.values(sessionStorage).join()).toContain('From a colleague');
    expect(Object.values(sessionStorage).join()).toContain('"origin":"file mine.yaml"');
    drop('holiday.txt', 'Nothing of the kind.');
    expect(await screen.findByText('holiday.txt was not opened.')).toBeDefined();
    expect(window.location.hash).toBe('#/experiments/new/load/workload');
  });

  it('with an SSH configuration lists its hosts and imports the selected ones', async () => {
    const text = 'Host db1\n  HostName 192.0.2.7\n';
    const asked: unknown[] = [];
    const spec: SshHostSpec = {
      ...{ kind: 'ssh', name: 'db1', address: '192.0.2.7', port: 22, user: 'me' },
      ...{ auth: { method: 'agent' }, jumps: [] },
    };
    show(
      testEngine({
        experiments: documentEngine([]).experiments,
        hosts: {
          sshConfig: (config) => {
            asked.push(config);
            return { file: 'config', files: [], notes: [], entries: [{ name: 'db1', spec, notes: [], saved: false }] };
          },
          importSshConfig: (input) => {
            asked.push(input);
            return { added: [], skipped: [] };
          },
        },
      }),
    );
    await screen.findByRole('link', { name: 'Experiments' });
    drop('config of a colleague', text);
    await screen.findByText(/^Hosts of config of a colleague and included files/);
    fireEvent.click((await screen.findAllByRole('checkbox')).at(-1) as HTMLElement);
    fireEvent.click(screen.getByRole('button', { name: 'Import 1 host' }));
    const source = { file: 'config of a colleague', text };
    await waitFor(() => expect(asked).toEqual([source, { names: ['db1'], ...source }]));
  });

  it('of a tool becomes a draft with its options, and lists lines missing in the form', async () => {
    // A growing text area measures itself again when fonts change; the test page has none.
    Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
    const lines = [{ number: 3, text: 'exec_prerun=true', is: 'not-in-form' as const, message: 'Not here.' }];
    show(
      testEngine({
        experiments: {
          ...documentEngine([]).experiments,
          tools: () => [{ ...loadTool, file: { title: 'Job file', name: 'jobs.fio' } }],
          readFile: () => ({ options: { threads: 8 }, whole: false, measure: { duration: 20 }, lines }),
        },
      }),
    );
    await screen.findByRole('link', { name: 'Experiments' });
    drop('pages.fio', '[pages]\nnumjobs=8\nexec_prerun=true\n');
    expect(await screen.findByText(/1 line of pages.fio does not fit the form/)).toBeDefined();
    expect(await screen.findByDisplayValue('pages.fio')).toBeDefined();
    expect(await writtenInYaml()).toMatchObject({
      workload: { tool: 'load', options: { threads: 8 } },
      measure: { duration: 20, warmup: 0 },
    });
  });
});
