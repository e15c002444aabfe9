import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../../scripts/test/recorded.ts';
import { DONE, type LibraryBed, libraryBed, MYSQL, SERVERS } from './testing/library-bed.ts';

/**
 * Scripts structured like Percona’s sysbench-tpcc, whose licence (GPL) keeps its text out of this project: a script that requires two others, one
 * with its options and commands, one with its transactions. It intentionally rolls back some of them, and counts these as errors.
 */
const FILES = {
  'shop.lua': `#!/usr/bin/env sysbench
require("shop_common")
require("shop_run")
function thread_init()
  drv = sysbench.sql.driver()
  con = drv:connect()
end
function event()
  while not pcall(function () sale() end) do
    ffi.C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_ERROR)
    con:query("ROLLBACK")
  end
end
function sysbench.hooks.report_intermediate(stat)
  if sysbench.opt.report_csv == "no" then sysbench.report_default(stat) else sysbench.report_csv(stat) end
end
`,
  'shop_common.lua': `ffi = require("ffi")
ffi.cdef[[void sb_counter_inc(int, sb_counter_type);]]
if sysbench.cmdline.command == nil then error("Command is required") end
sysbench.cmdline.options = {
  scale = {"Warehouses", 100},
  tables = {"Sets of tables", 1},
  report_csv = {"Report in csv (yes, no)", "no"},
}
function cmd_prepare()
  local con = sysbench.sql.driver():connect()
  for i = sysbench.tid % sysbench.opt.threads + 1, sysbench.opt.tables, sysbench.opt.threads do
    con:query("CREATE TABLE kpstock" .. i .. " (id int PRIMARY KEY, quantity int NOT NULL)")
    for item = 1, sysbench.opt.scale do con:query("INSERT INTO kpstock" .. i .. " VALUES (" .. item .. ", 100)") end
  end
end
sysbench.cmdline.commands = { prepare = {cmd_prepare, sysbench.cmdline.PARALLEL_COMMAND} }
function cleanup()
  local con = sysbench.sql.driver():connect()
  for i = 1, sysbench.opt.tables do con:query("DROP TABLE IF EXISTS kpstock" .. i) end
end
`,
  'shop_run.lua': `function sale()
  con:query("BEGIN")
  local item = sysbench.rand.uniform(1, sysbench.opt.scale)
  con:query("UPDATE kpstock1 SET quantity = quantity - 1 WHERE id = " .. item)
  if sysbench.rand.uniform(1, 20) == 1 then
    ffi.C.sb_counter_inc(sysbench.tid, ffi.C.SB_CNT_ERROR)
    con:query("ROLLBACK")
    return
  end
  con:query("COMMIT")
end
`,
};

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
describe.skipIf(!present && process.env.CI !== 'true').each(Object.entries({ ...SERVERS, MySQL: MYSQL }))(
  'a script with several files on %s',
  (_, kind) => {
    let bed: LibraryBed;
    let folder = '';
    beforeAll(async () => {
      bed = await libraryBed(kind);
      folder = join(bed.folder, 'a script');
      mkdirSync(folder);
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    });
    afterAll(() => bed.stop());
    const options = (own: string) => ({
      // Enough for some rollbacks, and no more.
      rate: 200,
      script: 'own',
      'script-file': join(folder, 'shop.lua'),
      'script-options': `scale=50 tables=2 ${own}`,
      'script-prepare': true,
      'script-tables': 'kpstock{tables} = scale',
    });

    it('prepares, runs and cleans up unchanged', async () => {
      const steps = bed.planned(options(''), { duration: 2 });
      expect(await bed.done(steps.prepare, 'prepare')).toMatchObject(DONE);
      await bed.countsAsNeeded(options(''));
      const run = await bed.done(steps.run, 'run');
      expect(run).toMatchObject(DONE);
      // The number sold equals its own count without rollbacks: on single rows nothing else can fail.
      const { transactions_total: done = 0, ignored_errors_total: rolledBack = 0 } = run.summary;
      const left = Number(await bed.sql.one('SELECT SUM(quantity) FROM kpstock1'));
      expectSame('what was sold', 50 * 100 - left, done - rolledBack);
      expect(rolledBack).toBeGreaterThan(0);
      const errors = run.findings.filter(({ code }) => code === 'errors-ignored');
      expect(errors).toMatchObject([
        { message: expect.stringContaining('rollbacks requested by the script are counted together') },
      ]);
      expect(run.samples.some(({ metrics }) => (metrics.tps ?? 0) > 0)).toBe(true);
      const csv = await bed.done(bed.planned(options('report_csv=yes'), { duration: 2 }).run, 'run');
      expect(csv).toMatchObject(DONE);
      expect(csv.samples.some(({ metrics }) => (metrics.tps ?? 0) > 0)).toBe(true);
      expect(await bed.done(steps.cleanup, 'cleanup')).toMatchObject(DONE);
    });
  },
);
