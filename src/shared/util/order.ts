/**
 * A value to sort by among values of other scales (other currencies, other units): each scale stays together, and is ordered in itself.
 * Values from 0 on; undefined where there is none.
 */
export const orderWithin = (scale: string, value: number | undefined): string | undefined =>
  value === undefined ? undefined : `${scale} ${value.toFixed(9).padStart(30, '0')}`;
