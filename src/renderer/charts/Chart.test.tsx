import './engine.ts';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { init } from 'echarts/core';
import { afterEach, expect, it, vi } from 'vitest';
import { chartTheme, timeline } from '../../shared/chart-models/index.ts';
import { renderPiece } from '../testing/render.tsx';
import { FindLine, TableFallback } from './Chart.tsx';
import { CutHandle } from './CutHandle.tsx';
import { type Instance, show } from './engine.ts';
import { LaneWindow } from './lanes/lane-window.ts';
import { type Below, type PlotEdges, useBelow } from './useBelow.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('highlights the chosen line, until it is no longer chosen', async () => {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  const acts: string[] = [];
  for (const type of ['highlight', 'downplay'])
    instance.on(type, (event) => {
      acts.push(`${type} ${(event as { seriesName?: string }).seriesName}`);
    });
  instance.setOption({ xAxis: {}, yAxis: {}, series: [{ type: 'line', name: 'threads 8', data: [[1, 2]] }] });
  renderPiece(<FindLine names={['threads 4', 'threads 8']} instance={instance} />);
  const list = screen.getByRole('combobox', { name: 'Line to highlight' });
  fireEvent.change(list, { target: { value: '8' } });
  fireEvent.click(await screen.findByRole('option', { name: 'threads 8', hidden: true }));
  await expect.poll(() => acts).toEqual(['highlight threads 8']);
  cleanup();
  await expect.poll(() => acts).toEqual(['highlight threads 8', 'downplay threads 8']);
});

it('has a column for each of two lines with the same name', () => {
  const errors = vi.spyOn(console, 'error');
  const table = { columns: ['t (s)', 'threads 1', 'threads 1'], rows: [[0, 10, 20]] };
  render(<TableFallback caption="Throughput" table={table} />);
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['0.00', '10.00', '20.00']);
  expect(errors).not.toHaveBeenCalled();
});

/** A chart of sixty seconds without a canvas, and a handle on it. */
function handle(at: number, length = 60): { moved: number[]; slider: HTMLElement } {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  const t = Float64Array.from({ length: length + 1 }, (_, second) => second);
  const lines = [{ key: 'run 1', name: 'threads 1', slot: 0, t, v: t.map(() => 100) }];
  const model = timeline({ measure: { label: 'Transactions', unit: 'tps', digits: 0 }, lines }, chartTheme('light'));
  instance.setOption(model.option);
  const moved: number[] = [];
  const cut = { label: 'Warm-up cut', at, most: length - 1, onChange: (to: number) => moved.push(to) };
  render(<CutHandle cut={cut} instance={instance} />);
  return { moved, slider: screen.getByRole('slider', { name: 'Warm-up cut' }) };
}

it('is at its second and names it', () => {
  const early = Number.parseInt(handle(5).slider.style.left, 10);
  cleanup();
  const { slider } = handle(30);
  expect(slider.getAttribute('aria-valuetext')).toBe('30 s');
  expect(Number.parseInt(slider.style.left, 10)).toBeGreaterThan(early + 100);
  cleanup();
  expect(handle(3600, 7200).slider.textContent).toBe('1 h');
});

it('moves with the keys, within the axis', () => {
  const { moved, slider } = handle(5);
  const keys = ['ArrowRight', 'ArrowLeft', 'PageUp', 'PageDown', 'Home', 'End'];
  for (const key of keys) fireEvent.keyDown(slider, { key });
  fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true });
  fireEvent.keyDown(slider, { key: 'a' });
  expect(moved).toEqual([6, 4, 15, 0, 0, 59, 15]);
});

const LENGTH = 60;

/** A chart of a minute, without a canvas. */
function chart(): Instance {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width: 640, height: 320 });
  const place = document.createElement('div');
  vi.spyOn(instance, 'getDom').mockReturnValue(place);
  const t = Float64Array.from({ length: LENGTH + 1 }, (_, second) => second);
  const lines = [{ key: 'run 1', name: 'threads 1', slot: 0, t, v: t.map(() => 100) }];
  const measure = { label: 'Transactions', unit: 'tps', digits: 0 };
  const model = timeline({ measure, lines, length: LENGTH }, chartTheme('light'));
  show(instance, model.option, true);
  instance.renderToSVGString();
  return instance;
}

function Joined({ instance, below, out }: { instance: Instance; below: Below; out(changed: () => void): void }) {
  out(useBelow(instance, below));
  return null;
}

/** Lanes below the chart that extend to twice its time, as after a trial has ended. */
function join(instance: Instance) {
  const shared = new LaneWindow({ from: 0, to: LENGTH }, { from: 0, to: 2 * LENGTH });
  const plots: (PlotEdges | undefined)[] = [];
  let changed = (): void => undefined;
  const out = (given: () => void): void => {
    changed = given;
  };
  render(<Joined instance={instance} below={{ shared, onPlot: (edges) => plots.push(edges) }} out={out} />);
  return { shared, plots, changed: () => changed() };
}

const frame = (): Promise<void> =>
  act(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
const zoomOf = (instance: Instance): number[] => {
  const { dataZoom } = instance.getOption() as { dataZoom: { start: number; end: number }[] };
  return [dataZoom[0]?.start ?? 0, dataZoom[0]?.end ?? 100].map(Math.round);
};

it('follows the lanes within its own range, and does not move them', async () => {
  const instance = chart();
  const { shared } = join(instance);
  shared.show({ from: 45, to: 75 });
  await frame();
  expect(zoomOf(instance)).toEqual([75, 100]);
  expect(shared.view).toEqual({ from: 45, to: 75 });
});

it('moves the lanes when zoomed', async () => {
  const instance = chart();
  const { shared } = join(instance);
  instance.dispatchAction({ type: 'dataZoom', start: 25, end: 50 });
  await frame();
  expect(shared.view).toEqual({ from: 15, to: 30 });
});

it('measures its plot after a change, not after each tooltip move', () => {
  const instance = chart();
  const { plots, changed } = join(instance);
  expect(plots).toHaveLength(1);
  const asked = vi.spyOn(instance, 'getOption');
  // The library triggers this after everything it has drawn.
  const drawn = (): void => void Reflect.apply(Reflect.get(instance, 'trigger'), instance, ['finished']);
  drawn();
  drawn();
  expect(asked).not.toHaveBeenCalled();
  instance.resize({ width: 800, height: 320 });
  changed();
  drawn();
  expect(asked).toHaveBeenCalledOnce();
  expect(plots).toHaveLength(2);
  expect(plots[1]?.width).toBeGreaterThan((plots[0]?.width ?? 0) + 100);
});
