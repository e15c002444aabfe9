import { describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { TargetSession } from '../../targets/target.ts';
import type { At, Change, DesiredSetting } from '../change.ts';
import { STATEMENTS, statementsChanger, type Variant, variantsText } from './statements.ts';

/** A session of a kind of target that does not run statements. */
const SILENT: TargetSession = {
  ping: async () => 1,
  describe: () => Promise.reject(new Error('Nobody asks.')),
  counters: async () => ({}),
  countRows: async () => undefined,
  close: async () => {},
};

/** A server whose only statements create, drop and count things by name. */
class Server {
  readonly things = new Set<string>();
  readonly ran: string[] = [];
  /** While set, this statement is refused. */
  refused: string | undefined;

  readonly run = async (statement: string): Promise<string | null> => {
    const [verb = '', thing = ''] = statement.split(' ');
    if (verb !== 'count') this.ran.push(statement);
    const isTwice = verb === 'make' && this.things.has(thing);
    const isAbsent = verb === 'drop' && !this.things.has(thing);
    if (statement === this.refused || isTwice || isAbsent)
      throw new KneepointError({ code: 'change-refused', message: `The server refused a statement: ${statement}.` });
    if (verb === 'make') this.things.add(thing);
    if (verb === 'drop') this.things.delete(thing);
    return verb === 'count' ? String(this.things.has(thing) ? 1 : 0) : null;
  };

  at(session: TargetSession = { ...SILENT, run: this.run }): At {
    const none = (): never => {
      throw new Error('Statements go over a connection.');
    };
    return {
      place: { kind: 'server', name: 'db' },
      machine: none,
      server: none,
      target: () => ({ name: 'db', kind: 'mysql', via: null, config: {} }),
      connected: async (use) => use(session),
      signal: new AbortController().signal,
    };
  }
}

const variant = (name: string, ...things: string[]): Variant => ({
  name,
  statements: things.map((thing) => `make ${thing}`),
  undo: things.toReversed().map((thing) => `drop ${thing}`),
  check: `count ${things.at(-1)}`,
});
const VARIANTS = variantsText([variant('index', 'i'), variant('audit', 'table', 'trigger')]);

const setting = (value: string): DesiredSetting => ({
  changer: STATEMENTS,
  place: { kind: 'server', name: 'db' },
  what: 'variant of schema',
  value,
  how: { variants: VARIANTS },
});
const change = (value: string, first: string | null = null): Change => ({
  setting: setting(value),
  first: { value: first },
});
const putBack = (first: string | null) => ({
  what: 'variant of schema',
  how: { variants: VARIANTS },
  first: { value: first },
});

const apply = (server: Server, value: string) => statementsChanger.apply(server.at(), [change(value)]);
const value = async (server: Server) => (await statementsChanger.read(server.at(), [setting('')]))[0]?.value;

describe('variants of data', () => {
  it('reports the current variant and whether it is the desired one', async () => {
    const server = new Server();
    expect(await statementsChanger.examine(server.at(), [setting('index')])).toEqual([
      { found: { value: null }, cost: 'live', findings: [] },
    ]);
    server.things.add('i');
    expect(await value(server)).toBe('index');
    expect(statementsChanger.matches(setting('index'), 'index')).toBe(true);
    expect(statementsChanger.matches(setting('audit'), 'index')).toBe(false);
    expect(statementsChanger.matches(setting(''), null)).toBe(true);
    expect(statementsChanger.matches(setting(''), 'index')).toBe(false);
  });

  it('changes from one to another by undoing the first, and does nothing if unchanged', async () => {
    const server = new Server();
    await apply(server, 'index');
    await apply(server, 'index');
    expect(server.things).toEqual(new Set(['i']));
    await apply(server, 'audit');
    expect(server.things).toEqual(new Set(['table', 'trigger']));
    await apply(server, '');
    expect(server.things).toEqual(new Set());
  });

  it('removes the remains of an interrupted attempt and tries again', async () => {
    const server = new Server();
    server.refused = 'make trigger';
    await expect(apply(server, 'audit')).rejects.toMatchObject({ code: 'change-refused' });
    expect(await value(server)).toBeNull();
    server.refused = undefined;
    await apply(server, 'audit');
    expect(await value(server)).toBe('audit');
  });

  it('restores the original variant, also after an interrupted attempt, and twice', async () => {
    const server = new Server();
    server.refused = 'make trigger';
    await expect(apply(server, 'audit')).rejects.toThrow();
    await statementsChanger.restore(server.at(), [putBack(null)]);
    expect(server.things).toEqual(new Set());
    await statementsChanger.restore(server.at(), [putBack('index')]);
    await statementsChanger.restore(server.at(), [putBack('index')]);
    expect(server.things).toEqual(new Set(['i']));
  });

  it('reports a kind of target without statements', async () => {
    const server = new Server();
    expect(await statementsChanger.against?.(server.at())).toEqual([]);
    expect(await statementsChanger.against?.(server.at(SILENT))).toMatchObject([
      {
        severity: 'block',
        message: expect.stringContaining('cannot run statements on the target “db”'),
      },
    ]);
    await expect(statementsChanger.read(server.at(SILENT), [setting('index')])).rejects.toMatchObject({
      code: 'change-not-possible',
    });
  });
});
