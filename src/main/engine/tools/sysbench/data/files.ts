import { formatBytes, formatCount } from '../../../../../shared/util/format.ts';
import { type FileNeed, MOST_FILES } from '../../tool.ts';
import type { SysbenchOptions } from '../options/index.ts';

const POWERS: Readonly<Record<string, number>> = { K: 1, M: 2, G: 3, T: 4 };

function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)([KMGT]?)$/i.exec(size) ?? [];
  return number === undefined ? undefined : Number(number) * 1024 ** (POWERS[unit.toUpperCase()] ?? 0);
}

/** Folder of the test files inside the one that a person named. Cells with other sizes have other files, so that one does not spoil the other's. */
export const filesFolder = (base: string, options: SysbenchOptions): string =>
  `${base.replace(/\/+$/, '')}/kneepoint-fileio/${options['file-num']}-files-${options['file-total-size']}`;

/** The test files of fileio. sysbench makes each a little larger than its share, to whole blocks. */
export function fileNeed(options: SysbenchOptions, path: string | undefined): FileNeed | undefined {
  const base = options.directory ?? path;
  const total = bytesOf(String(options['file-total-size']));
  const count = options['file-num'];
  if (options.script !== 'fileio' || !base?.startsWith('/') || total === undefined || count > MOST_FILES)
    return undefined;
  const bytes = Math.floor(total / count);
  return {
    title: `${formatCount(count, 'file')} of sysbench fileio, ${formatBytes(total)}`,
    base,
    directory: filesFolder(base, options),
    files: Array.from({ length: count }, (_, index) => ({ name: `test_file.${index}`, bytes })),
    written: options['file-test-mode'] !== 'seqrd' && options['file-test-mode'] !== 'rndrd',
    ...(options['file-test-mode'] === 'seqwr' && { selfMade: true }),
  };
}
