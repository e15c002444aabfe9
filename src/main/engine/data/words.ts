import type { DataWords, Need } from './kind.ts';

const RECREATE_TABLES = 'Set “data: recreate” to replace it (the tables named are dropped first)';
const RECREATE_FILES = 'Set “data: recreate” to replace them (the files named are removed first)';
const CHECK_LOG = 'Check the output of the prepare step in the log, then start again with “data: recreate”.';

export const TABLE_WORDS: DataWords = {
  noun: 'data set',
  parts: 'tables',
  it: 'this data',
  byHand: 'drop the tables on the server by hand.',
  inspect: 'count',

  inspecting: (title) => `Counting ${title}`,
  preparing: (title) => `Preparing ${title}`,
  removing: 'Removing old data',
  using: ({ title }) => `Using the existing data: ${title}.`,
  writtenTo: (by) => `It has been modified since it was prepared, last by ${by}.`,

  wrongPart: ({ name, size, runs, found }, exact) =>
    `${name}: ${found === null ? 'missing' : `${found} rows`}, expected ${runs === 'add' && !exact ? 'at least ' : ''}${size}`,
  wrong: ({ place }) => `The data on ${place} does not match this workload`,
  notFinished: ({ place }) =>
    `The rows on ${place} are complete, but preparation was interrupted: indexes or keys may be missing.`,
  otherSize: (_place, wrong) => `There are tables of another size: ${wrong}.`,
  next: {
    keep: 'Set “data: create” to prepare it, or choose the options that the existing data was prepared with.',
    notFinished: 'Set “data: create”, which completes the preparation.',
    otherShape: `${RECREATE_TABLES}, or choose the options that it was prepared with.`,
    replace: `${RECREATE_TABLES}, or use another database.`,
    made: CHECK_LOG,
  },
  choose: {
    create: 'Choose “create” to prepare it.',
    replace: 'Choose “recreate” to replace them, or use another database.',
    fresh: 'Choose “recreate” for freshly prepared tables.',
  },
  usedAsIs: () => 'The existing data is used.',
  prepared: ({ title }) => `It will be prepared first: ${title}.`,
  replaced: ({ place, title }) =>
    `The tables of this workload on ${place} will be dropped and prepared again: ${title}.`,
  brokenOff: (resumes) =>
    `An earlier preparation of these tables was interrupted; ${resumes ? 'it is continued' : 'they are removed first'}.`,
};

const inFull = ({ title, directory, place }: Need): string => `${title}, in ${directory} on ${place}`;

export const FILE_WORDS: DataWords = {
  noun: 'file set',
  parts: 'files',
  it: 'these files',
  byHand: 'remove them on the host by hand.',
  inspect: 'check',

  inspecting: (title) => `Checking ${title}`,
  preparing: (title) => `Preparing ${title}`,
  removing: 'Removing old files',
  using: ({ title, directory }) => `Using the existing files: ${title}, in ${directory}.`,
  writtenTo: (by) => `They have been modified since they were prepared, last by ${by}.`,

  wrongPart: ({ name, size, found }) => `${name}: ${found === null ? 'missing' : `${found} bytes`}, expected ${size}`,
  wrong: ({ place, directory }) => `The files in ${directory} on ${place} do not match this workload`,
  notFinished: ({ place, directory }) =>
    `The files in ${directory} on ${place} have the right size, but their preparation was interrupted: content may be missing.`,
  otherSize: (where, wrong) => `${FILE_WORDS.wrong(where)}: ${wrong}.`,
  next: {
    keep: 'Set “data: create” to prepare them, or choose the options that the existing files were prepared with.',
    notFinished: 'Set “data: create”, which removes them and prepares them again.',
    otherShape: `${RECREATE_FILES}, or choose the options that they were prepared with.`,
    replace: `${RECREATE_FILES}, or choose another folder.`,
    made: CHECK_LOG,
  },
  choose: {
    create: 'Choose “create” to prepare them.',
    replace: 'Choose “recreate” to replace them, or choose another folder.',
    fresh: 'Choose “recreate” for freshly prepared files.',
  },
  usedAsIs: (need) => `The existing files are used: ${inFull(need)}.`,
  prepared: (need) => `They will be prepared first: ${inFull(need)}.`,
  replaced: (need) => `The files of this workload will be removed and prepared again: ${inFull(need)}.`,
  brokenOff: () => 'An earlier preparation was interrupted; they are removed first.',
};
