import { expect, it } from 'vitest';
import { GUTTER, NAMES_WIDTH } from '../../../shared/chart-models/index.ts';
import { arranged } from './arrange.ts';

const usual = (width: number) => ({ names: 'left', picture: width - NAMES_WIDTH, gutter: GUTTER });

it('lanes stand between the edges of the plot above them, their names on its right', () => {
  const plot = { left: 287, width: 443 };
  const { names, picture, gutter } = arranged(1014, 225, plot);
  expect(names).toBe('right');
  // The plot of a lane is what is left of its picture without ticks and the room at its right.
  expect([225 + gutter, picture - gutter - plot.width]).toEqual([plot.left, 8]);
});

it('lanes stand as usual where names would have no room, or no plot is above them', () => {
  expect(arranged(600, 225, { left: 287, width: 443 })).toEqual(usual(600));
  expect(arranged(1014, 225, { left: 240, width: 443 })).toEqual(usual(1014));
  expect(arranged(1014, 225, undefined)).toEqual(usual(1014));
});
