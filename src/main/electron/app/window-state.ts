import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';

const State = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }),
  maximized: z.boolean(),
});
type State = z.infer<typeof State>;

const SMALLEST = { width: 900, height: 600 };
const USUAL = { width: 1360, height: 860 };
/** Minimum visible part of a window, so that the user can grab it. */
const VISIBLE_PX = 80;

/** The stored size and position. The default size if they are unknown, or if no screen contains that position any more. */
export function restoredPlace(file: string): { bounds: Partial<Rectangle>; maximized: boolean } {
  const kept = read(file);
  if (!kept) return { bounds: USUAL, maximized: false };
  const shown = screen.getAllDisplays().some(({ workArea }) => overlap(workArea, kept.bounds));
  const { width, height } = kept.bounds;
  return { bounds: shown ? kept.bounds : { width, height }, maximized: kept.maximized };
}

/** Saves size and position of the window to `file`, shortly after each change and when it closes. */
export function keepPlace(window: BrowserWindow, file: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (): void => {
    clearTimeout(timer);
    const state: State = { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(state));
    renameSync(`${file}.new`, file);
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, 400);
  };
  window.setMinimumSize(SMALLEST.width, SMALLEST.height);
  window.on('resize', soon);
  window.on('move', soon);
  window.on('close', save);
}

function read(file: string): State | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined; // First start.
  }
  try {
    return State.parse(JSON.parse(text));
  } catch {
    return undefined; // Partially written because of a power cut, or from another version: use the default size.
  }
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) >= VISIBLE_PX &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) >= VISIBLE_PX;
