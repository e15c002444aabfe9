import type { PlanInput, ToolPlan } from '../tool.ts';
import type { EmbeddedOptions } from './options.ts';

/** Of the program, below the folder that holds the app's source. */
const PROGRAM = 'src/main/engine/tools/embedded/program/main.ts';

/**
 * One step: the program loads its data, then measures; loading is not in its lines. A database file of a saved target is used as
 * it is named (and refused by the program if it holds anything else); without one the database is temporary.
 */
export function planEmbedded({
  options,
  connection,
  warmup,
  duration,
  seed,
  nodePath,
  assetsDir,
}: PlanInput<EmbeddedOptions>): ToolPlan {
  const seconds = warmup + duration;
  const { directory, ...rest } = options;
  const file = connection.kind === 'sqlite' ? (connection.path ?? '') : '';
  const flags = Object.entries({ ...rest, duration: seconds, seed: seed % 4_294_967_296 }).map(
    ([name, value]) => `--${name}=${value}`,
  );
  const place = file !== '' ? [`--file=${file}`] : directory !== '' ? [`--directory=${directory}`] : [];
  return {
    run: {
      argv: [nodePath, `${assetsDir.replace(/[\\/]+$/, '')}/${PROGRAM}`, ...flags, ...place],
      env: {},
      files: [],
      plannedSeconds: seconds,
    },
  };
}
