import { formatBytes, formatCount } from '../../../../shared/util/format.ts';
import { type FileNeed, MOST_FILES } from '../tool.ts';
import type { FioOptions } from './options/index.ts';
import { checkJobFile } from './options/job-file.ts';
import { jobFileLines, jobsIn } from './options/job-sections.ts';
import { bytesOf, PREFIX, placesOf, sizeArgument } from './options/place.ts';

type Files = FileNeed['files'];

/** Job file options that change the number or size of the files from those that numjobs and size define. */
const OTHER_FILES =
  /^(nrfiles|nr_files|filesize|file_service_type|io_size|io_limit|number_ios|bssplit|filename|offset|fileoffset|offset_increment|openfiles|create_on_open|file_append|unlink|fill_device|zonerange|zonesize|zoneskip)$/;
/** Engines that create no files, or special ones. */
const OTHER_ENGINES = /^(null|cpuio|falloc|ftruncate|e4defrag|filecreate|filestat|filedelete)$/;

const jobsOf = (prefix: string, count: number, size: string): Files | undefined => {
  const bytes = bytesOf(size);
  if (bytes === undefined || count > MOST_FILES) return undefined;
  return Array.from({ length: count }, (_, job) => ({ name: `${prefix}.${job}.0`, bytes }));
};

/** Files of each job in a job file. Undefined if only fio knows them. */
function filesOfJobs(text: string): Files | undefined {
  checkJobFile(text);
  const lines = jobFileLines(text);
  const isOther = lines.some(
    (line) =>
      line.kind === 'option' &&
      (OTHER_FILES.test(line.name) || (line.name === 'ioengine' && OTHER_ENGINES.test(line.value))),
  );
  if (isOther) return undefined;
  const files = jobsIn(lines).map(({ name, options }) =>
    jobsOf(`${PREFIX}.${name}`, Number(options.get('numjobs')?.value ?? 1), options.get('size')?.value ?? ''),
  );
  const all = files.flatMap((each) => each ?? []);
  return files.includes(undefined) || all.length > MOST_FILES ? undefined : all;
}

/** The test files of a run: the content of its folder before it begins. Undefined on a device, and if only fio knows its files. */
export function filesOf(options: FioOptions): Files | undefined {
  return options.source === 'form'
    ? jobsOf(PREFIX, options.numjobs, sizeArgument(options.size))
    : filesOfJobs(options['job-file']);
}

const writes = (options: FioOptions): boolean =>
  options.source === 'form' ? !/^(rand)?read$/.test(options.rw) : checkJobFile(options['job-file']).writes;

/** `path`: of the target, used if the options name no place. */
export function fileNeed(options: FioOptions, path: string | undefined): FileNeed | undefined {
  const { is, paths } = placesOf(options, path);
  const own = is === 'folders' ? filesOf(options) : undefined;
  const [base, ...others] = paths.map((each) => each.replace(/(?<=.)\/+$/, ''));
  if (base === undefined || !own?.length) return undefined;
  const folders = [base, ...others].map((each) => `${each === '/' ? '' : each}/${PREFIX}`);
  const directory = others.length === 0 ? (folders[0] as string) : commonFolder(folders);
  const files = folders.flatMap((folder) =>
    own.map((file) => ({ ...file, name: nameIn(directory, folder, file.name) })),
  );
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: `${formatCount(files.length, 'file')} of fio, ${formatBytes(total)}`,
    ...(others.length === 0 && { base }),
    directory,
    files,
    written: writes(options),
  };
}

const nameIn = (directory: string, folder: string, name: string): string =>
  folder === directory ? name : `${folder.slice(directory === '/' ? 1 : directory.length + 1)}/${name}`;

/** The innermost folder that contains all of these. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...rest] = folders.map((folder) => folder.split('/').slice(1));
  const at = first.findIndex((part, place) => rest.some((other) => other[place] !== part));
  return `/${first.slice(0, at < 0 ? first.length : at).join('/')}`;
}
