import { cleanup, fireEvent, screen } from '@testing-library/react';
import { init } from 'echarts/core';
import { afterEach, expect, it } from 'vitest';
import { renderPiece } from '../testing/render.tsx';
import './engine.ts';
import { FindLine } from './Chart.tsx';

afterEach(cleanup);

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
