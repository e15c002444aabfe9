import { readFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import type { AppContract } from '../src/shared/contract/index.ts';
import { ENDED_SESSION } from '../src/shared/model/session.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { NIGHT } from '../src/shared/util/testing/depth.ts';
import { addBed, type DatabaseBed, startDatabaseBed } from './engine/testing/database-bed.ts';
import { startEngine } from './engine/testing/engine.ts';
import { expect, test } from './fixtures.ts';
import { barriers } from './pages/barriers.ts';
import { choose } from './pages/controls.ts';
import { nothingIsCut } from './pages/fits.ts';
import { frame } from './pages/frame.ts';
import { readCsv } from './pages/lanes.ts';
import { livePage } from './pages/live.ts';
import { chart } from './pages/tables.ts';
import { lacks } from './testbed/programs.ts';

const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
/** The viewport of 1280 × 800 at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 };
const SCHEMES = ['light', 'dark'] as const;
/** Pictures are for people; drawing them takes longer than all checks. */
const PICTURES = process.env.KNEEPOINT_PICTURES === '1';
/** Combinations of size and theme: at night all of them for each screen, by day one per screen in turn. */
const LOOKS = SCHEMES.flatMap((scheme) => SIZES.map((size) => ({ scheme, size })));
let looks = 0;
const looksOfNext = () => (NIGHT || PICTURES ? LOOKS : LOOKS.slice(looks++ % LOOKS.length).slice(0, 1));

/** Every place of the app, by its address, on a library with the content of `fill`. */
const PLACES: readonly (readonly [name: string, place: string])[] = [
  ['library', '/'],
  ['library-grouped', '/?group=experiment'],
  ['experiments', '/experiments'],
  ['experiments-new', '/experiments/new'],
  ['editor-workload', '/experiments/1/workload'],
  ['editor-where', '/experiments/1/where'],
  ['editor-matrix', '/experiments/1/matrix'],
  ['editor-measurement', '/experiments/1/measurement'],
  ['editor-review', '/experiments/1/review'],
  ['editor-yaml', '/experiments/1/yaml'],
  ['hosts', '/hosts'],
  ['host', '/hosts/2'],
  ['host-edit', '/hosts/2/edit'],
  ['host-new', '/hosts/new'],
  ['host-import', '/hosts/import'],
  ['targets', '/targets'],
  ['target', '/targets/1'],
  ['target-server', '/targets/1/server'],
  ['target-settings', '/targets/1/settings'],
  ['target-sessions', '/targets/1/sessions'],
  ['target-new', '/targets/new'],
  ['results', '/sessions/1/results'],
  ['results-curve', '/sessions/1/results/curve'],
  ['results-timeline', '/sessions/1/results/timeline'],
  ['results-hosts', '/sessions/1/results/hosts'],
  ['results-distribution', '/sessions/1/results/distribution'],
  ['results-efficiency', '/sessions/1/results/efficiency'],
  ['results-runs', '/sessions/1/results/runs'],
  ['results-setup', '/sessions/1/results/setup'],
  ['results-cost', '/sessions/1/results/cost'],
  ['results-raw', '/sessions/1/results/raw'],
  ['live-done', '/sessions/2/live'],
  ['compare', '/compare?baseline=1&other=2'],
  ['repeats', '/sessions/1/repeats'],
  ['costs', '/costs?session=1'],
  ['settings', '/settings'],
  ['nowhere', '/nowhere'],
];

/**
 * Screens of the accessibility check by day: a list, a form, a chart, a table, a long text and each step of the editor with parts of its own. The
 * other screens consist of the same parts.
 */
const CHECKED = [
  'library',
  'experiments-new',
  'editor-workload',
  'editor-matrix',
  'editor-measurement',
  'editor-review',
  'editor-yaml',
  'host',
  'host-edit',
  'target-settings',
  'results',
  'results-timeline',
  'results-runs',
  'compare',
  'costs',
  'settings',
  'live',
];
const isChecked = (name: string): boolean => NIGHT || CHECKED.includes(name);

/** Unlimited reads keep all cores busy; a screen looks the same with a few. */
const RATE = NIGHT || PICTURES ? '' : ', rate: 100';

const sysbench = (name: string, more: string, factors: string): string => `kneepoint: 1
name: ${name}
question: What does the distribution of keys do to reads?
tags: [mariadb, reads]
workload:
  tool: sysbench
  options: { script: oltp_read_only, tables: 2, table-size: 1000${RATE}${more} }
where: { generators: [loadgen], target: mariadb }
factors:
${factors}
measure: { warmup: 1, duration: 2, repeats: 2 }
captures:
  - { name: kernel memory counters, command: cat /proc/vmstat, host: loadgen, as: difference }
  - { name: InnoDB status, statement: SHOW ENGINE INNODB STATUS, as: text }
  - { name: process list, statement: SHOW FULL PROCESSLIST, at: [start, stall] }
  - { name: error log, file: /no/such/file, host: loadgen }
`;

/** The same with everything else that the step Measurement can have besides its figures. */
const withAll = (text: string): string => `${replaced(
  text,
  'repeats: 2 }',
  `repeats: 2, events: [
    { at: 0.5, do: kill },
    { at: 1, do: statement, statement: FLUSH TABLES },
    { at: 1, do: run, command: sync, host: loadgen },
    { at: 2, do: server-setting, setting: max_connections, value: 100 },
    { at: 2.5, do: host-setting, setting: sysctl, of: vm.swappiness, value: 10, on: generators } ] }`,
)}monitors:
  hosts: [loadgen]
  statements: [{ name: Threads, statement: SELECT 1 AS one, counters: [one] }]
  commands: [{ name: Load, command: while sleep 1; do cat /proc/loadavg; done, pattern: "^(?P<load>[0-9.]+)" }]
`;

/** Runs until it is stopped. */
const ENDLESS = `kneepoint: 1
name: Reads and updates
workload: { tool: embedded, options: { mix: A, synchronous: OFF, rate: 500 } }
where: {}
factors:
  - { name: threads, levels: [1, 2] }
measure: { warmup: 1, duration: 4, repeats: 100 }
`;

function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`“${part}” is not in the document:\n${text}`);
  return text.replace(part, by);
}

const ABSENT = lacks('sshd', 'sysbench', 'mariadbd');
test.skip(ABSENT !== '', ABSENT);

let bed: DatabaseBed;
test.beforeAll(async () => {
  bed = await startDatabaseBed();
});
test.afterAll(() => bed?.close());

/** Real hosts, targets and sessions, as after a day of work. */
async function fill(dataDir: string): Promise<void> {
  const engine = await startEngine(dataDir);
  try {
    const { client } = engine;
    await addBed(client, bed);
    for (const host of await client.hosts.list({})) await client.hosts.test({ id: host.id });
    await client.hosts.saveTunnel({
      spec: {
        name: 'database',
        host: 'loadgen',
        address: bed.database.address,
        port: bed.database.port,
        localPort: 0,
        autoStart: false,
      },
    });
    const levels = '  - { name: threads, levels: [1, 2] }\n  - { name: rand-type, levels: [uniform, special] }';
    const first = sysbench('Key distributions under load', '', levels);
    await client.experiments.save({ text: withAll(first) });
    await client.experiments.save({ text: ENDLESS });
    await run(client, first);
    await run(client, sysbench('Wider ranges', ', range-size: 200', '  - { name: threads, levels: [1, 2] }'));
    const { entries } = await client.costs.catalogue({});
    const instance = entries.find((entry) => entry.kind === 'instance');
    if (!instance) throw new Error('The catalogue has an instance.');
    const spec = {
      label: instance.title,
      currency: instance.currency,
      components: [{ kind: 'instance' as const, id: instance.id, count: 1 }],
    };
    for (const sessionId of [1, 2]) await client.costs.setOfSession({ sessionId, spec });
    const volumes = entries.filter(({ id, currency }) => /volumes\/(gp2|io2)$/.test(id) && currency === spec.currency);
    for (const { id, title } of volumes.slice(0, 2)) {
      const volume = { kind: 'volume' as const, id, sizeGb: 500, iops: 1000, count: 1 };
      const components = [...spec.components, volume];
      await client.costs.saveConfiguration({ spec: { ...spec, label: `${instance.title}, ${title}`, components } });
    }
  } finally {
    await engine.stop();
  }
}

async function run(client: Client<AppContract>, text: string): Promise<void> {
  const { id } = await client.sessions.start({ text });
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) {
      expect(event.session.state, event.session.message).toBe('done');
      return;
    }
  }
}

/** Waits until everything has loaded. */
async function settled(page: Page): Promise<void> {
  await expect(
    page.getByRole('main').getByRole('heading').or(page.getByRole('main').getByRole('textbox')).first(),
  ).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** From all sessions to those of a tag, with one group collapsed. */
async function findByTag(page: Page): Promise<void> {
  await frame(page).open('/');
  const sessions = page.getByRole('table', { name: 'Sessions' });
  await choose(page, 'Tags', 'reads');
  // A multiple choice stays open, and may cover the next field.
  await page.keyboard.press('Escape');
  await choose(page, 'Group', 'By target');
  await expect(page).toHaveURL(/#\/\?tag=reads&group=target$/);
  const rows = sessions.getByRole('row');
  await expect(rows).toHaveCount(4);
  await sessions.getByRole('button', { name: /^mariadb 2/ }).click();
  await expect(rows).toHaveCount(2);
}

/** Figures of a bar chart, through the clipboard. */
async function copyFigures(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await frame(page).open('/compare?baseline=1&other=2');
  await chart(page, 'Ratio to the baseline').getByRole('button', { name: 'Copy chart' }).click();
  await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
  await expect(page.getByText('Copied as CSV.')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(readCsv(text).map((record) => record.cell)).toContain('threads 1 · rand-type uniform');
}

/** Sizes and themes, then a zoom of 200 %: nothing is cut, and there are no accessibility barriers. */
async function lookAt(page: Page, testInfo: TestInfo, name: string): Promise<void> {
  // Themes differ only in colours.
  const looked = new Set<object>();
  for (const { scheme, size } of looksOfNext()) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await expect.poll(() => frame(page).scheme()).toBe(scheme);
    await page.setViewportSize(size);
    const label = `${name}-${size.width}-${scheme}`;
    await nothingIsCut(page, label);
    await picture(page, testInfo, label);
    if (!isChecked(name)) continue;
    // By day at the smallest size.
    if (!NIGHT) await page.setViewportSize(SIZES[0]);
    expect.soft(await barriers(page, looked.has(size) ? 'colours' : undefined), label).toEqual([]);
    looked.add(size);
  }
  await page.setViewportSize(ZOOMED);
  await nothingIsCut(page, `${name}-200%`);
  await picture(page, testInfo, `${name}-zoomed`);
}

async function picture(page: Page, testInfo: TestInfo, label: string): Promise<void> {
  if (!PICTURES) return;
  const file = testInfo.outputPath(`${label}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
  await testInfo.attach(label, { path: file, contentType: 'image/png' });
}

/** Whatever a session has to report first, its figures begin within two screens. */
async function cellsAreNear(page: Page): Promise<void> {
  const [{ width, height }] = SIZES;
  await page.setViewportSize({ width, height });
  for (const session of [1, 2]) {
    await frame(page).open(`/sessions/${session}/results`);
    await settled(page);
    const cells = page.getByRole('table', { name: /^Cells/ });
    await expect(cells).toBeVisible();
    await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0));
    expect((await cells.boundingBox())?.y).toBeLessThan(2 * height);
  }
}

/** The menu of a row opens at the pointer after a right-click, and stays within the window. */
async function rightClickRows(page: Page): Promise<void> {
  await page.setViewportSize(SIZES[0]);
  for (const [place, name] of [
    ['/', 'Wider ranges'],
    ['/hosts', 'loadgen'],
    ['/targets', 'mariadb'],
  ] as const) {
    await frame(page).open(place);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    const box = await row.boundingBox();
    if (!box) throw new Error(`The row of ${name} is not visible.`);
    const pointer = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.click(pointer.x, pointer.y, { button: 'right' });
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem').first()).toBeVisible();
    const opened = await menu.boundingBox();
    expect(Math.abs((opened?.x ?? 0) - pointer.x), name).toBeLessThanOrEqual(2);
    expect(opened?.y, name).toBeGreaterThanOrEqual(0);
    expect((opened?.y ?? 0) + (opened?.height ?? 0), name).toBeLessThanOrEqual(SIZES[0].height);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }
}

/** Without Ctrl the wheel over a chart scrolls the page; with it, it zooms, and the page does not scroll. */
async function turnTheWheel(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 500 });
  await frame(page).open('/sessions/1/results/timeline');
  const scrolled = (): Promise<number> => page.getByRole('main').evaluate((main) => main.scrollTop);
  await expect(chart(page, 'Timeline').locator('canvas')).toBeVisible();
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, 0));
  const place = await chart(page, 'Timeline').locator('canvas').boundingBox();
  // The browser treats wheel events at one position in quick succession as one gesture, which the first one determines.
  const elsewhere = (x: number): Promise<void> => page.mouse.move((place?.x ?? 0) + x, (place?.y ?? 0) + 120);
  await elsewhere(300);
  const before = await scrolled();
  await page.mouse.wheel(0, 20);
  await expect.poll(scrolled).toBe(before + 20);
  await elsewhere(400);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Control');
  await elsewhere(500);
  await page.mouse.wheel(0, 20);
  await expect.poll(scrolled).toBe(before + 40);
}

/** A chart as files. */
async function downloadChart(page: Page): Promise<void> {
  for (const [format, start] of [
    ['PNG', '\x89PNG'],
    ['SVG', '<svg'],
    ['CSV', 't (s)'],
  ] as const) {
    await chart(page, 'Timeline').getByRole('button', { name: 'Download chart' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: `Download as ${format}` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`timeline.${format.toLowerCase()}`);
    expect(readFileSync(await download.path(), 'latin1').slice(0, start.length)).toBe(start);
  }
}

test('every screen fits its sizes and themes and a zoom of 200 %, and is accessible', async ({
  start,
  dataDir,
}, testInfo) => {
  test.setTimeout(900_000);
  await fill(dataDir);
  const { page } = await start();
  const look = (name: string): Promise<void> => lookAt(page, testInfo, name);
  for (const [name, place] of PLACES) {
    await frame(page).open(place);
    await settled(page);
    await look(name);
  }
  await cellsAreNear(page);
  await findByTag(page);
  await rightClickRows(page);
  await copyFigures(page);
  await turnTheWheel(page);
  await downloadChart(page);
  await frame(page).open('/experiments/2/review');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const live = livePage(page);
  await live.id();
  await live.untilTrialsEnded(1, 180_000);
  await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
  await look('live');
  await live.stop();
});

test('the empty library fits both sizes and both themes', async ({ app }, testInfo) => {
  await expect(app.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
  for (const { scheme, size } of LOOKS) {
    await app.setViewportSize(size);
    await app.emulateMedia({ colorScheme: scheme });
    const label = `empty-${size.width}-${scheme}`;
    await nothingIsCut(app, label);
    await picture(app, testInfo, label);
  }
});
