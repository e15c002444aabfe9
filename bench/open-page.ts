import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { startApp } from '../e2e/testbed/electron/app.ts';
import { median } from '../src/shared/util/numbers.ts';
import { type BarePage, barePage, type Frame } from './bare-page.ts';
import { withHours } from './open-library.ts';
import { precompute } from './open-precomputed.ts';
import type { BenchRow } from './row.ts';

const CHROMIUM = '/usr/bin/chromium';
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const GOAL = '≤ 500 ms';
/** Ticks of a process's CPU time in a second, on every Linux architecture. */
const TICKS = 100;
const root = path.resolve(import.meta.dirname, '..');

/** Tabs in the order in which they are opened, and the sign that the values of the first chart have arrived. */
const TABS = [
  ['overview', 'Overview', '.kp-chart canvas'],
  ['timeline', 'Timeline', '.kp-chart canvas'],
  ['distribution', 'Distribution', '.kp-chart canvas'],
  ['efficiency', 'Efficiency', '.kp-chart canvas'],
  ['hosts', 'Hosts', '.kp-lanes-row[data-kind=lane] output:not(:empty)'],
] as const;

interface Step {
  /** Until the first chart is painted, and until the tab waits for nothing more. */
  first: number;
  all: number;
  /** Milliseconds of CPU until then: of the page's main thread, and of the server with its engine. */
  page: number;
  engine: number;
  frames: Frame[];
}

/** Opens a session of sixty-four runs of ten hours in the page of a newly started app; then tab by tab. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.join(root, 'dist/renderer/index.html')))
    throw new Error('The page is not built: npm run build.');
  if (!existsSync(CHROMIUM)) throw new Error(`There is no browser at ${CHROMIUM}.`);
  return withHours(async (dataDir, session) => {
    const precomputed = await precompute(dataDir);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
    const bare = await barePage(browser);
    try {
      const rounds = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await opened(browser, dataDir, session));
      const rows: BenchRow[] = [
        precomputeRow(precomputed.cpuMs, 'of CPU'),
        precomputeRow(precomputed.blockedMs, 'held up at once, at most'),
      ];
      for (const [index, [, name]] of TABS.entries()) {
        const steps = rounds.flatMap(({ steps: each }) => each[index] ?? []);
        rows.push(...(await rowsOf(name, steps, bare)));
      }
      const heap = median(rounds.map(({ after }) => after));
      const limit = median(rounds.map(({ before }) => before));
      const note = 'limit: the same page with the library on it';
      return [...rows, { name: 'JS heap after all tabs', value: heap, unit: 'MiB', limit, ratio: heap / limit, note }];
    } finally {
      await bare.close();
      await browser.close();
    }
  });
}

const precomputeRow = (value: number, words: string): BenchRow => ({
  ...{ name: `What the tabs ask for first, worked out ahead: ${words}`, value, unit: 'ms' },
  note: 'before any page is opened',
});

async function rowsOf(name: string, steps: readonly Step[], bare: BarePage): Promise<BenchRow[]> {
  const of = (figure: (step: Step) => number): number => median(steps.map(figure));
  const frames = steps[0]?.frames ?? [];
  const kib = frames.reduce((sum, frame) => sum + Buffer.byteLength(frame), 0) / 1024;
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await bare.got(frames));
  const limit = median(taken);
  const what = `an empty page that gets the same ${Math.round(kib)} KiB in ${frames.length} messages and draws a line`;
  const cpu = `${Math.round(of(({ page }) => page))} ms of CPU in the page, ${Math.round(of(({ engine }) => engine))} in the engine`;
  const row = (words: string, value: number): BenchRow => ({
    ...{ name: `${name}, ${words}`, value, unit: 'ms', limit, ratio: value / limit },
  });
  return [
    {
      ...row(
        'first chart',
        of(({ first }) => first),
      ),
      goal: GOAL,
      note: `limit: ${what}`,
    },
    {
      ...row(
        'all of it',
        of(({ all }) => all),
      ),
      note: cpu,
    },
  ];
}

async function opened(browser: Browser, dataDir: string, session: number) {
  const { page, pid, stop } = await startApp({ mode: 'browser', browser, dataDir });
  try {
    const client = await page.context().newCDPSession(page);
    await client.send('Performance.enable', { timeDomain: 'threadTicks' });
    await client.send('Network.enable');
    const frames: Frame[] = [];
    client.on('Network.webSocketFrameReceived', ({ response: { opcode, payloadData } }) => {
      frames.push(opcode === 2 ? Buffer.from(payloadData, 'base64') : payloadData);
    });
    const before = await heapMib(client);
    const steps: Step[] = [];
    for (const [tab, name, chart] of TABS) {
      frames.length = 0;
      const [busy, used] = [await busyMs(client), engineMs(pid)];
      const times = await page.evaluate(openTab, { hash: `/sessions/${session}/results/${tab}`, name, chart });
      const [page_, engine] = [(await busyMs(client)) - busy, engineMs(pid) - used];
      steps.push({ ...times, page: page_, engine, frames: [...frames] });
      await settled(page);
    }
    return { steps, before, after: await heapMib(client) };
  } finally {
    await stop();
  }
}

/** Runs in the page: opens a tab like a click, and reports when its first chart was painted, and all of it. */
async function openTab({ hash, name, chart }: { hash: string; name: string; chart: string }) {
  const painted = (): Promise<void> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        port2.postMessage(0);
      });
    });
  const small = new OffscreenCanvas(48, 48);
  const pen = small.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('There is no canvas.');
  /** Whether it has more than its background. */
  const isDrawn = (canvas: HTMLCanvasElement): boolean => {
    if (canvas.width === 0 || canvas.height === 0) return false;
    pen.clearRect(0, 0, 48, 48);
    pen.drawImage(canvas, 0, 0, 48, 48);
    return new Set(new Uint32Array(pen.getImageData(0, 0, 48, 48).data.buffer)).size > 2;
  };
  const isThere = (place: Element): boolean => !(place instanceof HTMLCanvasElement) || isDrawn(place);
  const panel = (): Element | null => document.querySelector('.kp-results-tab');
  const began = performance.now();
  const link = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find((each) => each.textContent === name);
  if (link) link.click();
  else location.hash = hash;
  let first: number | undefined;
  let quiet = 0;
  let all = began;
  /** Lanes outside the viewport are drawn when they are scrolled into view. */
  const isSeen = (place: Element): boolean => {
    const edges = place.closest('.kp-lanes-scroll')?.getBoundingClientRect();
    const { top, bottom } = place.getBoundingClientRect();
    return edges === undefined || (top > edges.top && bottom < edges.bottom);
  };
  const waits = ['[role=status][aria-label=Loading]', '.kp-lane-line output:empty'].join(', ');
  while (first === undefined || quiet < 3) {
    await painted();
    const now = performance.now();
    const isOpen = location.hash.startsWith(`#${hash}`);
    const places = isOpen ? [...(panel()?.querySelectorAll(chart) ?? [])] : [];
    if (first === undefined && places.some(isThere)) first = now - began;
    const awaited = [...(panel()?.querySelectorAll(waits) ?? [])];
    const isAwaited = awaited.some(isSeen) || !places.every(isThere);
    if (first === undefined || isAwaited) {
      quiet = 0;
      all = now;
    } else quiet += 1;
    if (now - began > 300_000) throw new Error(`${name} was not drawn within five minutes.`);
  }
  return { first, all: Math.max(first, all - began) };
}

/** Waits until a tab is complete: its late requests must not count for the next one. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let idle = 0; idle < 3; idle += 1) await new Promise((resolve) => requestIdleCallback(resolve));
  });
}

async function metricOf(client: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

const busyMs = async (client: CDPSession): Promise<number> => 1000 * (await metricOf(client, 'TaskDuration'));

async function heapMib(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage');
  return (await metricOf(client, 'JSHeapUsedSize')) / 2 ** 20;
}

/** CPU used so far by the server and its engine. */
function engineMs(pid: number): number {
  const [, , , , , , , , , , , user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return ((user + system) * 1000) / TICKS;
}
