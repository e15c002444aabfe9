import { KneepointError } from '../../../shared/model/problem.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Step } from '../plans/index.ts';
import { hostKey, toolOf, untilReachable } from '../runs/index.ts';
import type { DataPart } from '../store/store.ts';
import { GENERATOR_KIND, pathOf } from '../targets/index.ts';
import { type FileNeed, folderIn, type Tool } from '../tools/tool.ts';
import type { Content, DataKind } from './kind.ts';
import { FILE_WORDS } from './words.ts';

/**
 * Prints size and name of each regular file in the folders of these parts, without links; nothing for a folder that does not exist. Names of
 * files below `directory` have their path in it.
 */
const script = ({ directory, parts }: Content): string =>
  [...new Set(parts.map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1)))]
    .map(
      (under) =>
        `( cd -P -- ${shellQuote(folderIn(directory, under))} 2>/dev/null || exit 0; LC_ALL=C ls -lnA | under=${shellQuote(under)} awk '/^-/ { print $5, ENVIRON["under"] $NF }' ) || exit\n`,
    )
    .join('');

/** A file can be used as long as it has at least this size. */
const isLargeEnough = ({ size, found }: DataPart): boolean => (found ?? -1) >= size;

/** Files of a step below a path. Undefined if it has no files to check, or if its options are invalid. */
function filesAt(tool: Tool, { options, generators }: Step, path: string | undefined): FileNeed | undefined {
  try {
    return generators.length > 1 ? undefined : tool.files?.(options, path);
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return undefined;
    throw error;
  }
}

/** Whether a step uses files on its generator, wherever its target is. */
export const hasFiles = (tool: Tool, step: Step): boolean => filesAt(tool, step, '/') !== undefined;

/** Files on the load generator. Checking their sizes does not read their content. */
export const files: DataKind = {
  kind: 'files',
  words: FILE_WORDS,
  isCheapToInspect: true,
  addsParts: true,

  placesIn: ({ generators }) => generators,
  places: (store) => store.hosts.list().map(({ id, spec }) => ({ id, name: spec.name })),
  placeKey: hostKey,
  at: (host) => ({ host }),
  loads: (host) => ({ generators: [host], targets: [] }),
  cleanerOf: (_set, host) => host,
  connection: async () => ({ kind: GENERATOR_KIND }),

  needOf(context, experiment, step) {
    const tool = toolOf(context, step.workload.tool);
    if (!tool.files) return undefined;
    const { target, generators } = step;
    const [place] = generators;
    const need = filesAt(tool, step, target === undefined ? undefined : pathOf(context.targets.spec(target)));
    if (!need || place === undefined) return undefined;
    const { base, files: wanted, directory, ...same } = need;
    // The key has the host only if the cell chose it, so data of earlier sessions is still found by its files.
    const elsewhere = place === experiment.where.generators[0] ? [] : [place];
    const key = JSON.stringify([directory, wanted, ...elsewhere]);
    const parts = wanted.map(({ name, bytes }) => ({ name, size: bytes }));
    return {
      ...same,
      kind: 'files',
      place,
      key,
      directory,
      shape: '',
      parts,
      ...(base !== undefined && { extraOptions: { directory: base } }),
    };
  },
  async inspect({ machines }, host, { directory, parts }, signal) {
    const { code, stdout, stderr } = await machines
      .get(host)
      .exec(script({ directory, parts }), signal ? { signal } : {});
    if (code !== 0)
      throw new KneepointError({
        code: 'run-failed',
        message: `The files in ${directory} could not be checked: ${stderr.trim() || `exit code ${code}`}`,
        host,
        safe: 'Nothing was changed.',
        next: 'Check the folder and its permissions.',
      });
    const sizes = new Map(
      stdout.split('\n').flatMap((line) => {
        const [, bytes, name] = /^(\d+) (.+)$/.exec(line) ?? [];
        return name === undefined ? [] : [[name, Number(bytes)] as const];
      }),
    );
    return parts.map((part) => ({ ...part, found: sizes.get(part.name) ?? null }));
  },
  untilReachable: ({ machines }, host, waiting, act) => untilReachable(machines.get(host), waiting, act),

  fits: isLargeEnough,
  isAsMade: isLargeEnough,
  noted: (own, { found }) => ({ ...own, ...(found !== undefined && { found }) }),
  serves: (own, wanted) => own.size >= wanted.size,
  // A file has its full size from the start, so sizes mean nothing until it has been made completely.
  isRemainderOf: () => true,
};
