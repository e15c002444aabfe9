import { KneepointError } from '../model/problem.ts';
import { amount } from './words.ts';

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, next });

export const unknownId = (id: string): KneepointError =>
  refused(`The price catalogue has no entry ${id}.`, 'Choose another one, or add a custom item.');

/** A missing price is not zero. */
export const priceMissing = (title: string): KneepointError =>
  refused(`The price of ${title} is unknown.`, 'Add a custom item for it.');

export const amountMissing = (label: string): KneepointError =>
  refused(`The price of ${label || 'a custom item'} is missing.`, 'Enter what it costs, or remove it.');

export const tooLarge = (title: string, size: number, most: number): KneepointError =>
  refused(
    `${title} has at most ${amount(most)} GB: ${amount(size)} GB cannot be bought.`,
    'Use several volumes, or another type.',
  );

export const otherCurrency = (title: string, currency: string, wanted: string): KneepointError =>
  refused(
    `${title} is priced in ${currency}, this calculation in ${wanted}.`,
    `Calculate in ${currency}, or add a custom item in ${wanted}.`,
  );
