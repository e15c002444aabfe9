import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { show, type, written } from './testing/experiment-page.tsx';

beforeEach(() => {
  sessionStorage.clear();
  window.location.hash = '';
});
afterEach(cleanup);

const panel = async () => within(await screen.findByRole('region', { name: 'Watched every second' }));
/** Content that is folded by default. */
const further = async () => {
  const section = await screen.findByRole('region', { name: 'Additional hosts and custom figures' });
  fireEvent.click(within(section).getByRole('button', { name: /^Additional hosts and custom figures/ }));
  return within(section);
};

it('watches generators, server and its host by default, and stores only what is turned off', async () => {
  show('/experiments/3/measurement');
  const watched = await panel();
  const switches = watched.getAllByRole('switch');
  expect(switches.map((each) => (each as HTMLInputElement).checked)).toEqual([true, true, true]);
  fireEvent.click(watched.getByRole('switch', { name: /^Server(?! host)/ }));
  expect((await written()).monitors).toEqual({ server: false });
});

it('adds valid custom statements and commands', async () => {
  show('/experiments/3/measurement');
  const watched = await further();
  fireEvent.click(watched.getByRole('button', { name: 'Add a statement' }));
  fireEvent.click(watched.getByRole('button', { name: 'Add a command' }));
  const statement = within(watched.getByRole('group', { name: 'statement 1' }));
  type(statement.getByRole('textbox', { name: 'Statement' }), 'SELECT count(*) AS queued FROM queue');
  type(statement.getByRole('textbox', { name: 'Name' }), '');
  expect(statement.getByText('Enter a value.')).toBeDefined();
  const command = within(watched.getByRole('group', { name: 'command 1' }));
  type(command.getByRole('textbox', { name: 'Pattern of a line' }), '^(?P<watts>[0-9.]+)');
  type(await command.findByRole('textbox', { name: 'Unit of watts' }), 'W');
  expect((await written()).monitors).toEqual({
    statements: [{ name: 'statement 1', statement: 'SELECT count(*) AS queued FROM queue' }],
    commands: [
      {
        ...{ name: 'command 1', command: 'while sleep 1; do cat /proc/loadavg; done' },
        ...{ pattern: '^(?P<watts>[0-9.]+)', units: { watts: 'W' } },
      },
    ],
  });
});

it('removes a statement', async () => {
  show('/experiments/3/measurement');
  const watched = await further();
  fireEvent.click(watched.getByRole('button', { name: 'Add a statement' }));
  fireEvent.click(await watched.findByRole('button', { name: 'Remove statement 1' }));
  expect((await written()).monitors).toBeUndefined();
});

it('shows which figures the pattern of a command matches in pasted lines', async () => {
  const asked: unknown[] = [];
  show('/experiments/3/measurement', {
    monitors: {
      tryLines: (query) => {
        asked.push(query);
        return {
          lines: [
            { text: 'power 75.5', figures: [{ group: 'power', word: '75.5', value: 75.5 }] },
            { text: 'power N/A', figures: [{ group: 'power', word: 'N/A' }] },
            { text: 'header' },
          ],
          left: 0,
        };
      },
    },
  });
  const watched = await further();
  fireEvent.click(watched.getByRole('button', { name: 'Add a command' }));
  const command = within(watched.getByRole('group', { name: 'command 1' }));
  type(command.getByRole('textbox', { name: 'Pattern of a line' }), 'power (?P<power>\\S+)');
  type(await command.findByRole('textbox', { name: 'Unit of power' }), 'W');
  fireEvent.click(command.getByRole('button', { name: 'Test the pattern' }));
  type(command.getByRole('textbox', { name: 'Lines of command 1 to try' }), 'power 75.5\npower N/A\nheader');
  const rows = within(await command.findByRole('table')).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'power 75.5power 75.5 W',
    'power N/Apower: “N/A” is not a number',
    'header–',
  ]);
  expect(command.getByText('1 figure of 3 lines, 1 line not matched')).toBeDefined();
  expect(asked).toEqual([{ pattern: 'power (?P<power>\\S+)', text: 'power 75.5\npower N/A\nheader' }]);
});
