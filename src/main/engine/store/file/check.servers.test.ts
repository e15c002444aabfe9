import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import { temporaryFolder } from '../testing/library.ts';
import { type CheckResult, startCheck } from './check.ts';

let folder: ReturnType<typeof temporaryFolder>;
let library: string;
beforeEach(() => {
  folder = temporaryFolder();
  library = join(folder.path, LIBRARY_FILE);
  openStore(folder.path).close();
});
afterEach(() => folder.remove());

const WHOLE = { ok: true, lines: ['ok'] };
/** Duration of the program's start on an idle machine, milliseconds. */
const AS_LONG_AS_IT_TAKES = 120;

it('a check may be stopped at any time without a result', async () => {
  const random = randomFrom(7);
  for (let stop = 0; stop < 40; stop += 1) {
    const check = startCheck(library, process.execPath);
    await delay(random() * AS_LONG_AS_IT_TAKES);
    check.stop();
    expect([undefined, WHOLE]).toContainEqual(await check.result);
  }
  expect(await startCheck(library, process.execPath).result).toEqual(WHOLE);
});

it('a check of an invalid library fails, and one of a missing library has no result', async () => {
  expect(await startCheck(join(folder.path, 'none.db'), process.execPath).result).toBeUndefined();
  writeFileSync(library, 'This is no library, and it is longer than the header of one. '.repeat(20));
  expect(await startCheck(library, process.execPath).result).toMatchObject({
    ok: false,
    lines: [expect.stringContaining('not a database')],
  });
});

it('a check of a valid library has no result if its program cannot run', async () => {
  expect(await startCheck(library, join(folder.path, 'no-node')).result).toBeUndefined();
});

it('an interrupted check runs again at the next start', async () => {
  const holder = join(folder.path, 'holder.json');
  writeFileSync(holder, '{"pid":1,"mode":"desktop","since":0}');
  openStore(folder.path).close();
  expect(existsSync(holder)).toBe(true);
  const checked = Promise.withResolvers<CheckResult>();
  const store = openStore(folder.path, { onCheck: checked.resolve });
  expect(await checked.promise).toEqual(WHOLE);
  store.close();
  expect(existsSync(holder)).toBe(false);
});
