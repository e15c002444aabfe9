import { defineTool, type NeededPath } from '../tool.ts';
import { fileNeed } from './files.ts';
import { blockAccesses } from './options/accesses.ts';
import { FioOptions } from './options/index.ts';
import { endsAfter, ioOf, jobsOf, rateOf, syncsOf } from './options/load.ts';
import { openFile } from './options/open-file.ts';
import { placesOf } from './options/place.ts';
import { FioParser } from './parse/index.ts';
import { planFio } from './plan/index.ts';
import { writeJobFile } from './plan/write-file.ts';

/** Middle of the last bin of its histograms (29 groups of 64, stat.h). */
const LONGEST_MS = 17_112.76;

export const fioTool = defineTool(
  {
    id: 'fio',
    title: 'fio',
    options: FioOptions,
    metrics: { primary: primaryMetric, longest: LONGEST_MS },
    parser: (phase, options, events) => new FioParser(phase, events, options),
  },
  {
    summary:
      'Reads and writes of a disk in any pattern, depth and size: I/O per second and latency. Read-only by default.',
    drives: ['host', 'storage'],
    probe: {
      argv: ['fio', '--version'],
      version: (output) => /^fio-(\d+\.\d+(?:\.\d+)?)/m.exec(output)?.[1],
      // The first version with lat_percentiles. Percentiles of earlier versions exclude the submission of an I/O.
      oldest: '3.2',
      install: 'apt-get install fio (Debian, Ubuntu), dnf install fio (Fedora), brew install fio (macOS)',
      packages: { 'apt-get': 'fio', dnf: 'fio', brew: 'fio' },
    },
    load: {
      workers: {
        unit: ['job', 'jobs'],
        count: (options) => (options.source === 'form' ? jobsOf(options) : undefined),
      },
      rate: rateOf,
      io: ioOf,
      syncs: syncsOf,
    },
    endsAfter,
    needs: () => ['host', 'storage'],
    files: fileNeed,
    paths: pathsOf,
    devices: devicesOf,
    accesses: blockAccesses,
    plan: planFio,
    file: { title: 'Job file', name: 'job.fio', write: writeJobFile, read: openFile },
  },
);

function primaryMetric(options: FioOptions): string {
  if (options.source === 'job-file') return 'iops';
  if (options.rw === 'read') return 'read_mib_s';
  if (options.rw === 'write') return 'write_mib_s';
  return 'iops';
}

function devicesOf(options: FioOptions, path: string | undefined): readonly string[] {
  const { is, paths } = placesOf(options, path);
  return is === 'devices' ? paths : [];
}

/** The folders for the test files. Devices are checked separately, before anything is overwritten. */
function pathsOf(options: FioOptions, path: string | undefined): NeededPath[] {
  const { is, paths } = placesOf(options, path);
  if (is === 'devices') return [];
  return paths.map((folder) => ({
    what: 'Directory',
    // One of several in an option cannot be replaced by choosing another folder.
    ...(folder === options.directory && { option: 'directory' }),
    kind: 'writable-folder',
    anyOf: [folder],
  }));
}
