import { afterEach, beforeEach, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import { type FakeServer, SessionBed } from '../session/testing/session-bed.ts';

let bed: SessionBed;
let server: FakeServer;
/** Statements that were sent. */
let sent: string[];
beforeEach(() => {
  bed = new SessionBed();
  server = bed.addServer();
  server.rows.set('things', 5);
  sent = [];
  server.readTable = async (statement, { first = [] } = {}) => {
    sent.push(...first, statement);
    if (statement.includes('INNODB'))
      throw new KneepointError({
        code: 'change-refused',
        message: 'The server refused a statement: you need the PROCESS privilege.',
        next: 'Give the account the right to run it.',
      });
    return { columns: ['a'], rows: [] };
  };
});
afterEach(() => bed.close());

const lineOf = async (captures: string) => {
  const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep', captures });
  return lines.find(({ id }) => id === 'captures');
};

it('sends each read-only statement once and lists the valid ones', async () => {
  const line = await lineOf(
    '[{ name: x, statement: SHOW X, first: [SET a = 1] }, { name: y, statement: DO 1, writes: true }, { name: z, command: rm x }]',
  );
  expect(line).toMatchObject({ state: 'ok', title: 'Captures', evidence: 'x, y, z' });
  expect(sent).toEqual(['SET a = 1', 'SHOW X']);
});

it('warns of refused statements and missing files without blocking', async () => {
  bed.machines.get('one').answer = (script) => ({ code: script.includes('/no/log') ? 1 : 0, stdout: '', stderr: '' });
  const line = await lineOf(
    '[{ name: status, statement: SHOW ENGINE INNODB STATUS, as: text }, { name: log, file: /no/log }]',
  );
  expect(line?.state).toBe('warn');
  expect(JSON.stringify(line)).toContain('Capture “status” (text) cannot be taken now: The server refused a statement');
});

it('has no line without captures', async () => {
  const lines = await bed.preflight({ target: 'db', options: ', rows: 5', data: 'keep' });
  expect(lines.map(({ id }) => id)).not.toContain('captures');
});
