import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { init } from 'echarts/core';
import { afterEach, expect, it } from 'vitest';
import { chartTheme, timeline } from '../../shared/chart-models/index.ts';
import { CutHandle } from './CutHandle.tsx';
import './engine.ts';

afterEach(cleanup);

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
