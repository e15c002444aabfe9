import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GUTTER, type LaneHead, type LaneLine, NAMES_WIDTH, type Span } from '../../../shared/chart-models/index.ts';
import { blankCanvas } from '../../testing/canvas.ts';
import { renderPiece } from '../../testing/render.tsx';
import { LaneRow } from './LaneRow.tsx';
import { LaneStack } from './LaneStack.tsx';
import { LaneWindow } from './lane-window.ts';
import { arranged } from './layout.ts';

beforeEach(blankCanvas);
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const LENGTH = 100;
const BOUNDS = { from: 0, to: LENGTH };
const t = Float64Array.from({ length: LENGTH + 1 }, (_, second) => second);
/** A line whose value is its second times `factor`. */
const rising = (factor: number): LaneLine => ({ key: 'a', label: 'Busy', slot: 0, t, v: t.map((at) => at * factor) });
const head = (index: number): LaneHead => ({
  ...{ id: `lane ${index}`, group: 'db1', title: `Lane ${index}`, unit: '%', digits: 0, shape: 'lines', rows: 1 },
});
const marks = [{ at: 42, kind: 'note' as const, label: 'failed over' }];
const trials = [{ runId: 1, from: 10, measured: 20, to: 90, label: 'threads 8, repeat 1', slot: 0 }];

function show(count: number, more: Partial<Parameters<typeof LaneStack>[0]> = {}) {
  const shared = new LaneWindow(BOUNDS, BOUNDS);
  const scene = { trials, marks };
  const lanes = Array.from({ length: count }, (_, index) => head(index));
  renderPiece(
    <LaneStack
      title="One clock"
      shared={shared}
      groups={[{ id: 'db1', name: 'db1, server', notes: ['clock ±0.2 s'], lanes }]}
      scene={scene}
      clock={{ zero: 0, from: 0 }}
      height={400}
      renderLane={(lane) => <LaneRow lane={lane} lines={[rising(Number(lane.id.split(' ')[1]) + 1)]} scene={scene} />}
      {...more}
    />,
  );
  const cursor = screen.getByRole('slider', { name: 'Cursor through all lanes' });
  const press = (key: string, shiftKey = false): boolean => fireEvent.keyDown(cursor, { key, shiftKey });
  return { shared, cursor, press };
}

const figure = (lane: string) => within(screen.getByRole('group', { name: lane })).getByRole('status').textContent;

it('moves its cursor with the keyboard, and shows the value of every lane there', async () => {
  const { press, cursor } = show(3);
  expect(figure('Lane 0')).toBe('50');
  press('Home');
  for (let second = 0; second < 4; second += 1) press('ArrowRight', true);
  press('ArrowRight');
  press('ArrowRight');
  await waitFor(() => expect(figure('Lane 0')).toBe('42'));
  expect([figure('Lane 1'), figure('Lane 2')]).toEqual(['84', '126']);
  expect(cursor.getAttribute('aria-valuetext')).toContain('At 42 s');
  expect(cursor.getAttribute('aria-valuetext')).toContain('threads 8, repeat 1');
  expect(cursor.getAttribute('aria-valuetext')).toContain('failed over');
  press('ArrowLeft', true);
  await waitFor(() => expect(cursor.getAttribute('aria-valuetext')).not.toContain('failed over'));
});

it('zooms in around the cursor, moves by pages, and zooms out to the whole', () => {
  const { press, shared } = show(1);
  press('Home');
  for (let second = 0; second < 4; second += 1) press('ArrowRight', true);
  press('+');
  expect(shared.view).toEqual({ from: 20, to: 70 });
  press('+');
  expect(shared.view).toEqual({ from: 30, to: 55 });
  press('PageDown');
  expect(shared.view).toEqual({ from: 50, to: 75 });
  press('PageDown');
  press('PageDown');
  expect(shared.view).toEqual({ from: 75, to: 100 });
  press('0');
  expect(shared.view).toEqual(BOUNDS);
  for (let closer = 0; closer < 20; closer += 1) press('+');
  expect(shared.view.to - shared.view.from).toBe(4);
  press('-');
  expect(shared.view.to - shared.view.from).toBe(8);
});

it('scrolls with the cursor', () => {
  const { press, shared } = show(1);
  press('Home');
  press('+');
  const { to } = shared.view;
  press('End');
  press('ArrowRight');
  expect(shared.view.to).toBe(to + 1);
  expect(shared.cursor).toBe(to + 1);
});

/** The pointer over the lanes, at shares of their width. */
function pointer(shared: LaneWindow) {
  const surface = document.querySelector<HTMLElement>('.kp-lanes-surface');
  if (!surface) throw new Error('There is nothing to point at.');
  const place = {
    left: 100,
    width: 1000,
    right: 1100,
    top: 0,
    bottom: 400,
    height: 400,
    x: 100,
    y: 0,
    toJSON: () => '',
  };
  vi.spyOn(surface, 'getBoundingClientRect').mockReturnValue(place);
  vi.spyOn(surface, 'clientWidth', 'get').mockReturnValue(1000);
  surface.setPointerCapture = () => undefined;
  const at = (share: number) => ({ clientX: 100 + share * 1000, pointerId: 1, button: 0 });
  return { surface, at, view: (): Span => shared.view };
}

/** Turns the wheel; returns whether the page may scroll. The test page has no wheel event with keys and a position. */
function turn(surface: HTMLElement, how: { clientX: number; deltaY: number; ctrlKey?: boolean }): boolean {
  const event = new Event('wheel', { bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries({ deltaX: 0, ...how })) Object.defineProperty(event, name, { value });
  return fireEvent(surface, event);
}

it('zooms by dragging or Ctrl and the wheel, pans with Shift, and resets on a double click', () => {
  const { shared } = show(1);
  const { surface, at, view } = pointer(shared);
  fireEvent.pointerDown(surface, at(0.2));
  fireEvent.pointerMove(surface, at(0.4));
  fireEvent.pointerMove(surface, at(0.6));
  fireEvent.pointerUp(surface, at(0.6));
  expect([view().from, view().to].map(Math.round)).toEqual([20, 60]);
  fireEvent.pointerDown(surface, { ...at(0.5), shiftKey: true });
  fireEvent.pointerMove(surface, at(0.25));
  fireEvent.pointerUp(surface, at(0.25));
  expect([view().from, view().to].map(Math.round)).toEqual([30, 70]);
  fireEvent.dblClick(surface);
  expect(view()).toEqual(BOUNDS);
  expect(turn(surface, { ...at(0.5), deltaY: -100 })).toBe(true);
  expect(view()).toEqual(BOUNDS);
  expect(turn(surface, { ...at(0.5), deltaY: -400, ctrlKey: true })).toBe(false);
  expect(view().to - view().from).toBeLessThan(60);
  expect((view().from + view().to) / 2).toBeCloseTo(50, 6);
});

it('shows the value under the pointer, and the mean of the visible part once it has left', async () => {
  const { shared } = show(1);
  const { surface, at } = pointer(shared);
  fireEvent.pointerMove(surface, at(0.3));
  await waitFor(() => expect(figure('Lane 0')).toBe('30'));
  fireEvent.pointerLeave(surface);
  await waitFor(() => expect(figure('Lane 0')).toBe('50'));
});

it('renders only visible lanes', () => {
  show(64);
  const there = screen.getAllByRole('group', { name: /^Lane \d+$/ }).length;
  expect(there).toBeGreaterThan(5);
  expect(there).toBeLessThan(30);
});

it('collapses a group, and hides and moves a lane', () => {
  const done: string[] = [];
  show(2, {
    onCollapse: (group) => done.push(`collapse ${group}`),
    onHide: ({ id }) => done.push(`hide ${id}`),
    onMove: ({ id }, by) => done.push(`move ${id} ${by}`),
  });
  fireEvent.click(screen.getByRole('button', { name: 'db1, server', expanded: true }));
  fireEvent.click(screen.getByRole('button', { name: 'Hide Lane 1' }));
  fireEvent.click(screen.getByRole('button', { name: 'Move up Lane 1' }));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Hide Lane 0' }), { key: 'ArrowDown', altKey: true });
  expect(done).toEqual(['collapse db1', 'hide lane 1', 'move lane 1 -1', 'move lane 0 1']);
});

it('hides the lanes of a collapsed group', () => {
  show(2, { collapsed: new Set(['db1']), onCollapse: () => undefined });
  expect(screen.queryByRole('group', { name: 'Lane 0' })).toBeNull();
  expect(screen.getByRole('button', { name: 'db1, server', expanded: false })).toBeDefined();
});

it('has a table of its lanes for screen readers', async () => {
  show(2);
  const table = screen.getByRole('table', { name: /^One clock/ });
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3));
  const [, first] = within(table).getAllByRole('row');
  expect(
    within(first ?? table)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['db1, server', 'Lane 0 (%)', 'Busy', '50.00', '0.00', '100.00']);
});

it('scrolls to the first lane of the evidence, and highlights those lanes', async () => {
  show(40, { evidence: new Set(['lane 30', 'lane 31']) });
  // A browser fires this event; the test page has no layout.
  fireEvent.scroll(screen.getByRole('group', { name: 'One clock, lanes' }));
  const lane = await screen.findByRole('group', { name: 'Lane 30' });
  expect(lane.closest('[data-evidence]')).not.toBeNull();
  const near = await screen.findByRole('group', { name: 'Lane 29' });
  expect(near.closest('[data-evidence]')).toBeNull();
  expect(screen.queryByRole('group', { name: 'Lane 0' })).toBeNull();
});

const usual = (width: number) => ({ names: 'left', picture: width - NAMES_WIDTH, gutter: GUTTER });

it('aligns lanes with the plot above, with their names on the right', () => {
  const plot = { left: 287, width: 643 };
  const { names, picture, gutter } = arranged(1014, 225, plot);
  expect(names).toBe('right');
  // The plot of a lane is its picture without ticks and the room at its right.
  expect([225 + gutter, picture - gutter - plot.width]).toEqual([plot.left, 8]);
});

it('uses the full width if the plot above is narrow, leaves no room for names, or does not exist', () => {
  expect(arranged(1014, 225, { left: 287, width: 443 })).toEqual(usual(1014));
  expect(arranged(800, 225, { left: 287, width: 643 })).toEqual(usual(800));
  expect(arranged(1014, 225, { left: 240, width: 643 })).toEqual(usual(1014));
  expect(arranged(1014, 225, undefined)).toEqual(usual(1014));
});
