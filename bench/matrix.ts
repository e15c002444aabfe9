import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { startApp } from '../e2e/testbed/electron/app.ts';
import { median } from '../src/shared/util/numbers.ts';
import type { BenchRow } from './row.ts';

const CLICKS = 25;
const CHROMIUM = '/usr/bin/chromium';
const GOAL = '≤ 100 ms';
const root = path.resolve(import.meta.dirname, '..');

const ladder = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join(', ');
const DOCUMENT = `kneepoint: 1
name: Two thousand cells
workload: { tool: sysbench }
where: { generators: [this computer] }
factors:
  - { name: tables, levels: [${ladder(10)}] }
  - { name: range-size, levels: [${ladder(10)}] }
  - { name: threads, levels: [${ladder(20)}] }
measure: { duration: 30, repeats: 3 }
`;

/** Milliseconds from a click on one of 2,000 cells, and from a step of scrolling through them, until the page is painted. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.join(root, 'dist/renderer/index.html')))
    throw new Error('The page is not built: npm run build.');
  if (!existsSync(CHROMIUM)) throw new Error(`There is no browser at ${CHROMIUM}.`);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const running = await startApp({ mode: 'browser', browser, dataDir });
    const { page } = running;
    await page.evaluate((text) => {
      // Like an unsaved document: the page opens with it.
      sessionStorage.setItem('kneepoint-draft-new/sysbench', text);
      location.hash = '/experiments/new/sysbench/matrix';
    }, DOCUMENT);
    await page.getByRole('grid').waitFor({ timeout: 120_000 });
    const bare = await painted(page, 'bare');
    const clicked = await painted(page, 'click');
    const scrolled = await painted(page, 'scroll');
    await running.stop();
    const note = 'bare: one word of the same page is changed';
    return [
      {
        name: 'Click on one of 2,000 cells',
        value: clicked,
        unit: 'ms',
        limit: bare,
        ratio: clicked / bare,
        goal: GOAL,
        note,
      },
      {
        name: 'Scrolling through them, a step',
        value: scrolled,
        unit: 'ms',
        limit: bare,
        ratio: scrolled / bare,
        goal: GOAL,
      },
    ];
  } finally {
    await browser.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Median of the times from an action on the page until the frame after it is painted. */
const painted = async (page: Page, what: 'bare' | 'click' | 'scroll'): Promise<number> =>
  median(
    await page.evaluate(
      async ([way, rounds]) => {
        const grid = document.querySelector('[role=grid]');
        const heading = document.querySelector('h2');
        const scroller = grid?.parentElement;
        if (!grid || !heading || !scroller) throw new Error('The matrix is not on the page.');
        // A task posted in the last callback before a frame runs right after the frame.
        const paint = (): Promise<void> =>
          new Promise((resolve) => {
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => resolve();
              port2.postMessage(0);
            });
          });
        const idle = (): Promise<void> => new Promise((resolve) => requestIdleCallback(() => resolve()));
        const times: number[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const cells = [...grid.querySelectorAll<HTMLElement>('[role=gridcell]')];
          await idle();
          await paint();
          const began = performance.now();
          if (way === 'click') cells[(round * 37) % cells.length]?.click();
          else if (way === 'scroll') scroller.scrollTop += 60;
          else heading.textContent = `Factors ${round}`;
          await paint();
          times.push(performance.now() - began);
        }
        return times;
      },
      [what, CLICKS] as const,
    ),
  );
