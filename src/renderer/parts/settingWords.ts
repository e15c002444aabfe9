import { formatBytes, formatNumber } from '../../shared/util/format.ts';

/** A setting of a server for a person: bytes in MiB, figures grouped where they have a unit, all else as the server says it. */
export function settingWords({ value, unit }: { value: string; unit?: string | undefined }): string {
  if (!unit || value === '') return value;
  const figure = Number(value);
  if (!Number.isFinite(figure)) return `${value} ${unit}`;
  if (unit === 'bytes' && figure > 0) return formatBytes(figure);
  return `${Number.isInteger(figure) ? formatNumber(figure) : value} ${unit}`;
}
