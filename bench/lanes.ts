import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { startApp } from '../e2e/testbed/electron/app.ts';
import { openStore } from '../src/main/engine/store/open.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRun } from './library.ts';
import type { BenchRow } from './row.ts';
import { addWatched, HOSTS, SECONDS } from './watched-hours.ts';

const CHROMIUM = '/usr/bin/chromium';
const GOAL = '≥ 50 frames/s';
/** Frames of each round. */
const FRAMES = 120;
const ROUNDS = 3;
const LANES = 64;
const root = path.resolve(import.meta.dirname, '..');

type Way = 'scroll' | 'zoom' | 'cursor';

/** Frames per second while dozens of lanes with thousands of points each are scrolled, zoomed and pointed at, next to an idle page. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.join(root, 'dist/renderer/index.html')))
    throw new Error('The page is not built: npm run build.');
  if (!existsSync(CHROMIUM)) throw new Error(`There is no browser at ${CHROMIUM}.`);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  const session = watchedSession(dataDir);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const running = await startApp({ mode: 'browser', browser, dataDir });
    const { page } = running;
    await page.evaluate((id) => {
      location.hash = `/sessions/${id}/results/hosts`;
    }, session);
    await page.getByRole('group', { name: 'CPU', exact: true }).first().waitFor({ timeout: 120_000 });
    const lanes = await settled(page);
    const rows: BenchRow[] = [];
    const bare = await barePage(browser);
    for (const way of ['scroll', 'zoom', 'cursor'] as const) {
      const value = await rounds(page, way);
      const limit = await rounds(bare, way);
      const name = `${lanes} lanes of ${SECONDS} s, ${WORDS[way]}`;
      const ratio = value.frames / limit.frames;
      rows.push({ name, value: value.frames, unit: 'frames/s', limit: limit.frames, ratio, goal: GOAL, note: NOTE });
      rows.push({
        ...{ name: `${name}: page's own thread for a frame`, value: value.busy, unit: 'ms', limit: limit.busy },
        ...{ goal: '≤ 20 ms', note: 'CPU time, so that other work on the machine does not count' },
      });
    }
    await bare.close();
    await running.stop();
    return rows;
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const WORDS: Readonly<Record<Way, string>> = { scroll: 'scrolled', zoom: 'zoomed', cursor: 'pointed at' };
const NOTE = `${HOSTS} hosts; limit: an empty page with the same events`;

function watchedSession(dataDir: string): number {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    const session = addRun(store);
    addWatched(store, session);
    return session;
  } finally {
    store.close();
  }
}

interface Figures {
  /** Per second. */
  frames: number;
  /** Milliseconds of a frame in which the page's main thread was busy. */
  busy: number;
}

async function rounds(page: Page, way: Way): Promise<Figures> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken: Figures[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await busySeconds(client);
    const rate = await frames(page, way);
    const busy = ((await busySeconds(client)) - before) / FRAMES;
    taken.push({ frames: rate, busy: busy * 1000 });
  }
  await client.detach();
  return { frames: median(taken.map((each) => each.frames)), busy: median(taken.map((each) => each.busy)) };
}

/** CPU time of the page's main thread so far: scripts, styles, layout and preparing paint. */
async function busySeconds(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Scrolls through all lanes once, so that every value has arrived; returns their number. */
async function settled(page: Page): Promise<number> {
  const seen = await page.evaluate(async () => {
    const scroller = document.querySelector('.kp-lanes-scroll');
    if (!scroller) throw new Error('There are no lanes on the page.');
    const names = new Set<string>();
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 400));
    for (let top = 0; top <= scroller.scrollHeight; top += 200) {
      scroller.scrollTop = top;
      await pause();
      for (const row of document.querySelectorAll<HTMLElement>('.kp-lanes-row[data-kind=lane]'))
        names.add(row.style.top);
    }
    scroller.scrollTop = 0;
    await pause();
    return names.size;
  });
  if (seen < LANES) throw new Error(`There are ${seen} lanes and not ${LANES}.`);
  return seen;
}

/** An empty page as high as the lanes. */
async function barePage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent(`<div class="kp-lanes-scroll" style="height:500px;overflow:auto">
    <div class="kp-lanes-surface" style="height:6000px"></div></div>`);
  return page;
}

/** Frames per second while each frame has one more event. */
const frames = (page: Page, way: Way): Promise<number> =>
  page.evaluate(
    async ([what, count]) => {
      const scroller = document.querySelector('.kp-lanes-scroll');
      const surface = document.querySelector('.kp-lanes-surface');
      if (!scroller || !surface) throw new Error('There are no lanes on the page.');
      const { left, width } = surface.getBoundingClientRect();
      const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const step = (index: number): void => {
        const common = { bubbles: true, cancelable: true, clientX: left + width * (0.5 + 0.4 * Math.sin(index / 20)) };
        // Back and forth: zooms in for a while, then out.
        const isBack = Math.floor(index / 40) % 2 === 1;
        if (what === 'scroll') scroller.scrollTop += isBack ? -40 : 44;
        else if (what === 'zoom')
          surface.dispatchEvent(new WheelEvent('wheel', { ...common, ctrlKey: true, deltaY: isBack ? 40 : -40 }));
        else surface.dispatchEvent(new PointerEvent('pointermove', common));
      };
      await next();
      const began = await next();
      let now = began;
      for (let index = 0; index < count; index += 1) {
        step(index);
        now = await next();
      }
      return (count * 1000) / (now - began);
    },
    [way, FRAMES] as const,
  );
