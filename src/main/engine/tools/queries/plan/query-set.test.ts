import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { queriesTool } from '../index.ts';
import { QueryOptions } from '../options.ts';
import { Settings } from '../program/settings.ts';
import { fillIn, readQuerySet, readValues } from './query-set.ts';

const TEXT = `-- Two ways to find words, compared.
-- @prepare
CREATE TABLE pages (id INT, body TEXT);
-- @prepare
INSERT INTO pages VALUES (1, 'a'), (2, 'b');
-- @clean-up
DROP TABLE pages
-- @set-up
ANALYZE TABLE pages;
-- @variant like
SELECT COUNT(*) FROM pages
-- a comment within
WHERE body LIKE '%{{ word }}%';
-- @variant full text
-- @set-up
CREATE FULLTEXT INDEX f ON pages (body)
-- @statement
SELECT COUNT(*) FROM pages WHERE MATCH (body) AGAINST ('{{word}}')
-- @tear-down
DROP INDEX f ON pages
-- @facts sizes
SHOW TABLE STATUS;
`;
const refusal = (message: RegExp) =>
  expect.objectContaining({
    problem: expect.objectContaining({
      code: 'experiment-invalid',
      message: expect.stringMatching(message),
      safe: 'Nothing was started and no statement was sent.',
    }),
  });

describe('a set of queries', () => {
  it('is read section by section', () => {
    expect(readQuerySet(TEXT)).toEqual({
      prepare: ['CREATE TABLE pages (id INT, body TEXT)', "INSERT INTO pages VALUES (1, 'a'), (2, 'b')"],
      cleanUp: ['DROP TABLE pages'],
      setUp: ['ANALYZE TABLE pages'],
      tearDown: [],
      variants: [
        {
          name: 'like',
          setUp: [],
          statement: "SELECT COUNT(*) FROM pages\n-- a comment within\nWHERE body LIKE '%{{ word }}%'",
          tearDown: [],
        },
        {
          name: 'full text',
          setUp: ['CREATE FULLTEXT INDEX f ON pages (body)'],
          statement: "SELECT COUNT(*) FROM pages WHERE MATCH (body) AGAINST ('{{word}}')",
          tearDown: ['DROP INDEX f ON pages'],
        },
      ],
      facts: [{ name: 'sizes', statement: 'SHOW TABLE STATUS' }],
    });
  });

  it('may be a single statement without any mark', () => {
    expect(readQuerySet('SELECT 1;\n').variants).toEqual([
      { name: 'statement', setUp: [], statement: 'SELECT 1', tearDown: [] },
    ]);
    expect(readQuerySet(TEXT.replaceAll('\n', '\r\n')).variants.map(({ name }) => name)).toEqual(['like', 'full text']);
  });

  it('is refused with the place of the error', () => {
    const read = (text: string) => () => readQuerySet(text);
    expect(read('')).toThrow(refusal(/no statement/));
    expect(read('-- @set-up\nSELECT 1')).toThrow(refusal(/no statement/));
    expect(read('-- @variant a\n-- nothing but this\n')).toThrow(refusal(/“a” has no statement/));
    expect(read('-- @variant a\nSELECT 1\n-- @setup\nx')).toThrow(refusal(/Line 3 .*no section “@setup”/));
    expect(read('-- @variant\nSELECT 1')).toThrow(refusal(/Line 1 .*needs a name/));
    expect(read('-- @set-up x\nSELECT 1')).toThrow(refusal(/takes no name/));
    expect(read('-- @statement\nSELECT 1')).toThrow(refusal(/belongs below a @variant/));
    expect(read('-- @variant a\nSELECT 1\n-- @statement\nSELECT 2')).toThrow(refusal(/belongs below/));
    expect(read('-- @variant a\nSELECT 1\n-- @variant a\nSELECT 2')).toThrow(refusal(/The name “a” is used twice/));
    expect(read('SELECT 1\n-- @facts f\n')).toThrow(refusal(/“f” has no statement/));
  });
});

describe('values', () => {
  it('are inserted wherever they are named', () => {
    const values = readValues('word = 50% off; engine=InnoDB', 'word=x y');
    expect([...values]).toEqual([
      ['word', 'x y'],
      ['engine', 'InnoDB'],
    ]);
    const filled = fillIn(readQuerySet(`${TEXT}-- @facts engine\nSELECT '{{engine}}'`), values);
    expect(filled.variants[1]?.statement).toContain("AGAINST ('x y')");
    expect(filled.facts[1]?.statement).toBe("SELECT 'InnoDB'");
  });

  it('must be defined and used, and have a valid form', () => {
    const set = readQuerySet(TEXT);
    expect(() => fillIn(set, readValues(''))).toThrow(refusal(/use \{\{word\}\}/));
    expect(() => fillIn(set, readValues('word=a;other=b'))).toThrow(
      refusal(/“other” has a value, but no query uses it/),
    );
    expect(() => readValues('word')).toThrow(refusal(/“word” is not a value/));
  });
});

describe('the plan', () => {
  const connection: ConnectionFacts = { kind: 'mysql', host: 'db', port: 3306, user: 'u', password: 'canary-1' };
  const plan = (options: Record<string, unknown>, facts = connection) =>
    queriesTool.plan({
      options: QueryOptions.parse({ queries: TEXT, values: 'word=a', ...options }),
      connection: facts,
      warmup: 0,
      duration: 30,
      seed: 1,
      nodePath: '/n/node',
      assetsDir: '/app/',
    });
  const settings = (step: { files: readonly { content: string }[] } | undefined) =>
    Settings.parse(JSON.parse(step?.files[0]?.content ?? ''));

  it('passes everything to the program in a file readable by the account only', () => {
    const { prepare, run, cleanup } = plan({ variant: 'full text', executions: 5 });
    expect(run.argv).toEqual(['/n/node', '@queries.mjs@', '@settings.json@']);
    expect(run.programs).toEqual([{ name: 'queries.mjs', path: '/app/dist/main/queries.mjs' }]);
    expect(run.files).toMatchObject([{ name: 'settings.json', mode: 0o600, secret: true }]);
    expect(JSON.stringify([run.argv, run.env])).not.toContain('canary-1');
    expect(settings(run)).toMatchObject({
      step: 'run',
      seconds: 30,
      executions: 5,
      variant: { name: 'full text' },
      reference: { name: 'like' },
      connection: { password: 'canary-1' },
    });
    expect(settings(prepare)).toMatchObject({
      step: 'statements',
      statements: [expect.any(String), expect.any(String)],
    });
    expect(settings(cleanup)).toMatchObject({ statements: ['DROP TABLE pages'] });
  });

  it('has a reproducible order for each stream, and a connection for each', () => {
    const list = (options: Record<string, unknown>) => {
      const found = settings(plan(options).run);
      return found.step === 'run' ? found : undefined;
    };
    expect(list({})).not.toHaveProperty('clients');
    expect(list({ clients: 1 })).toMatchObject({ clients: 1, variant: { name: 'like' } });
    const queries = Array.from({ length: 22 }, (_, index) => `-- @variant Q${index + 1}\nSELECT ${index}\n`).join('');
    const set = { queries, values: '' };
    const found = list({ ...set, streams: 5 });
    expect(found).toMatchObject({ clients: 5, list: { variants: { length: 22 } } });
    const streams = found?.list?.streams ?? [];
    expect(streams[0]).toEqual([...Array(22).keys()]);
    expect(new Set(streams.map(String)).size).toBe(5);
    for (const each of streams) expect([...each].sort((one, other) => one - other)).toEqual(streams[0]);
    expect(list({ ...set, streams: 3, clients: 2 })).toMatchObject({
      clients: 2,
      list: { streams: streams.slice(0, 3) },
    });
    expect(() => plan({ ...set, streams: 2, clients: 3 })).toThrow(refusal(/3 clients share 2 streams/));
    expect(() => plan({ ...set, streams: 2, variant: 'Q1' })).toThrow(
      refusal(/The option “variant” is set, but streams/),
    );
  });

  it('compares with the first variant, unless it is the first or results need not match', () => {
    expect(settings(plan({}).run)).not.toHaveProperty('reference');
    expect(settings(plan({ variant: 'full text', agreement: 'none' }).run)).not.toHaveProperty('reference');
    expect(() => plan({ variant: 'nothing' })).toThrow(refusal(/no variant “nothing”/));
    expect(() => plan({}, { kind: 'sqlite', path: '/x' })).toThrow(refusal(/kind sqlite/));
  });
});
