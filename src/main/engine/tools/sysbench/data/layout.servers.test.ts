import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBreaker } from '../../../../../../e2e/testbed/breaker.ts';
import { startMySql8 } from '../../../../../../e2e/testbed/databases/index.ts';
import { perform } from '../../testing/perform.ts';
import { FINE, type Kind, LAX_MYSQL, type LibraryBed, libraryBed, mysqlSql, SERVERS } from './testing/library-bed.ts';

const MYSQL_8: Kind = { kind: 'mysql', start: () => startMySql8({ settings: LAX_MYSQL }), connect: mysqlSql };
const schemas = {
  script: 'many_schemas',
  schemas: 3,
  'tables-per-schema': 5,
  'rows-per-table': 2,
  'prepare-threads': 1,
};

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
const here = describe.skipIf(!present && process.env.CI !== 'true');

here('many schemas in general tablespaces of MySQL 8', () => {
  let bed: LibraryBed;
  beforeAll(async () => {
    bed = await libraryBed(MYSQL_8);
  });
  afterAll(() => bed.stop());
  const number = async (text: string): Promise<number> => Number(await bed.sql.one(text));
  const spaces = () =>
    number(
      "SELECT COUNT(*) FROM information_schema.innodb_tablespaces WHERE name LIKE 'kp\\_schema%' AND space_type = 'General'",
    );
  const tablesIn = (space: string) =>
    number(
      `SELECT COUNT(*) FROM information_schema.innodb_tables JOIN information_schema.innodb_tablespaces USING (space) WHERE innodb_tablespaces.name = '${space}'`,
    );

  it('create one per number of tables, continue after being killed, and leave none behind', async () => {
    const options = { ...schemas, 'tables-per-tablespace': 2, 'indexed-column': true, 'row-format': 'dynamic' };
    const breaker = await startBreaker(bed.server);
    for (const moment of [
      { text: 'CREATE TABLESPACE kp_schema_1_space2', when: 'after' as const },
      { text: 'TABLESPACE kp_schema_2_space2', nth: 2 },
      { text: 'CREATE TABLESPACE kp_schema_3_space3' },
    ]) {
      const { prepare } = bed.planned(options, { port: breaker.port });
      if (!prepare) throw new Error('there is no step prepare');
      breaker.reset();
      const { exit } = await perform(prepare, bed.folder, { killed: breaker.reached(moment) });
      expect({ exit, moment }).toEqual({ exit: { signal: 'SIGKILL' }, moment });
    }
    await breaker.close();
    for (let round = 0; round < 2; round += 1)
      expect(await bed.done(bed.planned(options).prepare, 'prepare')).toMatchObject(FINE);
    await bed.countsAsNeeded(options);
    expect(await spaces()).toBe(9);
    expect([await tablesIn('kp_schema_2_space1'), await tablesIn('kp_schema_3_space3')]).toEqual([2, 1]);
    for (let table = 1; table <= 5; table += 1) expect(await bed.rows(`kp_schema_3.t${table}`)).toBe(2);
    await bed.cleaned(options);
    expect(await spaces()).toBe(0);
  });

  it('compress rows in them, and pages of tables with their own files, but not both', async () => {
    const rows = { ...schemas, 'tables-per-tablespace': 5, 'row-format': 'compressed', 'key-block-size': 4 };
    expect(await bed.done(bed.planned(rows).prepare, 'prepare')).toMatchObject(FINE);
    const compressed =
      "SELECT COUNT(*) FROM information_schema.innodb_tables WHERE name LIKE 'kp\\_schema%/t%' AND row_format = 'Compressed' AND zip_page_size = 4096";
    expect([await number(compressed), await spaces()]).toEqual([15, 3]);
    await bed.cleaned(rows);

    const pages = { ...schemas, 'page-compression': true };
    expect(await bed.done(bed.planned(pages).prepare, 'prepare')).toMatchObject(FINE);
    const holed = `SELECT COUNT(*) FROM information_schema.tables WHERE table_schema LIKE 'kp\\_schema%' AND create_options LIKE '%COMPRESSION="zlib"%'`;
    expect(await number(holed)).toBe(15);
    await bed.cleaned(pages);

    const both = await bed.done(bed.planned({ ...pages, 'tables-per-tablespace': 5 }).prepare, 'prepare');
    expect(both.reason).toMatchObject({
      code: 'layout-missing',
      evidence: expect.stringContaining('page-compression'),
    });
    await bed.cleaned(pages);
  });

  it('do not take over foreign tablespaces', async () => {
    const options = { ...schemas, 'tables-per-tablespace': 5 };
    await bed.sql.one("CREATE TABLESPACE kp_schema_2_space1 ADD DATAFILE 'mine.ibd' ENGINE=InnoDB");
    const refused = await bed.done(bed.planned(options).prepare, 'prepare');
    expect(refused.reason).toMatchObject({
      code: 'schema-exists',
      evidence: expect.stringContaining('kp_schema_2_space1'),
    });
    await bed.cleaned(options);
    expect(await spaces()).toBe(1);
    await bed.sql.one('DROP TABLESPACE kp_schema_2_space1');
  });
});

here.each(Object.entries(SERVERS))('layouts of many schemas on %s', (name, server) => {
  let bed: LibraryBed;
  beforeAll(async () => {
    bed = await libraryBed(server);
  });
  afterAll(() => bed.stop());

  it('are refused with a sentence if the server does not support them', async () => {
    const refused = await bed.done(bed.planned({ ...schemas, 'tables-per-tablespace': 5 }).prepare, 'prepare');
    expect(refused.reason).toMatchObject({
      code: 'layout-missing',
      evidence: expect.stringMatching(`tables-per-tablespace cannot be had on this server: .*${name}`),
    });
    await bed.cleaned(schemas);
  });
  it('are used if the server supports them', async () => {
    const options = { ...schemas, 'row-format': 'compressed', 'page-compression': false };
    const read = await bed.done(bed.planned(options).prepare, 'prepare');
    if (server.kind === 'postgres') {
      expect(read.reason).toMatchObject({ code: 'layout-missing', evidence: expect.stringContaining('row-format') });
    } else {
      expect(read).toMatchObject(FINE);
      const compressed =
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema LIKE 'kp\\_schema%' AND row_format = 'Compressed'";
      expect(Number(await bed.sql.one(compressed))).toBe(15);
    }
    await bed.cleaned(options);
  });
});
