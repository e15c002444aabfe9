import { STORED_FILES, type StoredPart, sizeFigures, sizesTable } from '../../../shared/measures/index.ts';
import { type CapturedTable, SIZES } from '../../../shared/model/capture.ts';
import { describeProblem, KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { formatBytes, formatCount } from '../../../shared/util/format.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { untilAborted } from '../hosts/cancel.ts';
import { isAct, type Step } from '../plans/index.ts';
import { atServer, stepOf } from '../runs/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { pathOf } from '../targets/index.ts';
import type { Stored, StoredPlace, StoredSize } from '../targets/target.ts';
import { foldersOf, type Tool } from '../tools/tool.ts';
import { hostsOfServer } from '../watching/index.ts';
import type { TrialContext, TrialControl } from './context.ts';
import { toolStart } from './zero.ts';

/** Time limit for connection, queries and files together; sizes that take longer are unknown. */
const LIMIT_MS = 10_000;
/** Files of one part: listing a server with millions of tables would take minutes. */
const MOST_FILES = 200_000;
/** Files of another server differ from the reported size by more than this; free pages in the files by less. */
const SAME_SIZE_BYTES = 64 * 1024 ** 2;
const SAME_SIZE_SHARE = 0.5;

/**
 * Reads the sizes of a run's database and of the logs of its server, or of its files on its generators, and stores them as a table of the run: before
 * its tool is launched, and after it has ended. Sizes that cannot be read are stored with the reason and do not affect the run. After a kill nothing
 * is read twice.
 */
export async function takeSizes(
  context: TrialContext,
  run: RunRow,
  moment: 'start' | 'end',
  control: TrialControl,
): Promise<void> {
  const { store, clock, redact } = context;
  const { experiment, step, tool } = stepOf(context, run);
  const { monitors = {} } = experiment;
  if (isAct(step) || monitors.sizes === false) return;
  const folders = monitors.generators === false ? [] : ownFolders(context, tool, step);
  const target = monitors.server === false ? undefined : atServer(context, step).target;
  if (folders.length === 0 && target === undefined) return;
  const known = store.captures.ofRun(run.id).some((each) => each.name === SIZES && each.moment === moment);
  if (moment === 'end' && known) return;
  const at = clock.now();
  const began = clock.monotonic();
  const limit = AbortSignal.timeout(LIMIT_MS);
  const signal = AbortSignal.any([control.signal, limit]);
  let table: CapturedTable | undefined;
  let problem: string | undefined;
  try {
    const where = { target, folders, generators: step.generators, place: monitors.place !== false };
    table = await sizesOf(context, where, signal);
    if (!table) return;
  } catch (error) {
    problem = limit.aborted
      ? `It took longer than ${LIMIT_MS / 1000} s and was stopped.`
      : redact(describeProblem(problemOf(error)));
  }
  // The app closes: sizes that are due are read when it is back.
  if (control.signal.aborted) return;
  const kept = table && {
    ...table,
    rows: table.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? redact(cell) : cell))),
  };
  store.captures.add({
    ...{ runId: run.id, name: SIZES, as: 'table', moment, at },
    ...(moment === 'end' && { t: secondOf(store, run, at) }),
    tookMs: Math.round(clock.monotonic() - began),
    bytes: kept ? Buffer.byteLength(JSON.stringify(kept)) : 0,
    ...(kept && { content: { table: kept } }),
    ...(problem !== undefined && { problem }),
  });
}

/** Final figures of the stored sizes of a run; empty if it has none. */
export function runSizes(store: Store, run: RunRow): Record<string, number> {
  const kept = store.captures.ofRun(run.id).filter(({ name, bytes }) => name === SIZES && bytes > 0);
  const [start, end] = (['start', 'end'] as const).map((moment) => kept.find((each) => each.moment === moment));
  if (!start && !end) return {};
  return sizeFigures(tableOf(store, start?.id), tableOf(store, end?.id), end?.t ?? 0);
}

/** Undefined if there is none, or if it is damaged, which opening it reports. */
function tableOf(store: Store, id: number | undefined): CapturedTable | undefined {
  try {
    return id === undefined ? undefined : store.captures.content(id).table;
  } catch (error) {
    if (problemOf(error).code !== 'store-corrupt') throw error;
    return undefined;
  }
}

/** Second of the tool. */
function secondOf(store: Store, run: RunRow, at: number): number {
  const now = store.runs.get(run.id) ?? run;
  return Math.max(0, at - toolStart(store, now, 0)) / 1000;
}

/** Folders of the files that a step works on, on each of its generators. Empty if it works on none, or its options do not fit. */
function ownFolders({ targets }: TrialContext, tool: Tool, { options, target }: Step): string[] {
  try {
    const need = tool.files?.(options, target === undefined ? undefined : pathOf(targets.spec(target)));
    return need ? foldersOf(need) : [];
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'experiment-invalid') return [];
    throw error;
  }
}

interface Where {
  readonly target: string | undefined;
  /** Folders of the load's own files. */
  readonly folders: readonly string[];
  readonly generators: readonly string[];
  /** The document monitors the host of the server. */
  readonly place: boolean;
}

/** Undefined for a target that reports no sizes. */
async function sizesOf(
  context: TrialContext,
  { target, folders, generators, place }: Where,
  signal: AbortSignal,
): Promise<CapturedTable | undefined> {
  if (folders.length > 0) return sizesTable(await ownFiles(context, folders, generators, signal));
  if (target === undefined) return undefined;
  const stored = await storedOf(context, target, signal);
  if (!stored) return undefined;
  const [host, more] = place ? hostsOfServer(context, target, generators) : [];
  const files = host === undefined || more !== undefined ? [] : await filesOf(context, host, stored, signal);
  return sizesTable([...stored.sizes, ...files]);
}

/** Sizes of the files of a load, all generators together. */
async function ownFiles(
  context: TrialContext,
  folders: readonly string[],
  generators: readonly string[],
  signal: AbortSignal,
): Promise<StoredSize[]> {
  const sums = new Map<StoredPart, StoredSize>();
  const places = folders.map((folder): StoredPlace => ({ what: 'data', folder }));
  for (const host of generators)
    for (const size of await filesOf(context, host, { sizes: [], places }, signal)) {
      const { what, value = 0, source } = size;
      const before = sums.get(what);
      sums.set(
        what,
        before ? { what, value: value + (before.value ?? 0), source: `${before.source}; ${source}` } : size,
      );
    }
  return [...sums.values()];
}

async function storedOf({ targets }: TrialContext, target: string, signal: AbortSignal): Promise<Stored | undefined> {
  const session = await targets.open(target, signal);
  if (!session) return undefined;
  try {
    return session.stored && (await untilAborted(session.stored(), signal));
  } finally {
    await session.close().catch(() => undefined);
  }
}

/**
 * POSIX sh that prints bytes, blocks and number of the files of each part. A part that is partly unreadable is not counted: it would be too small.
 */
const filesScript = (places: readonly StoredPlace[]): string => `LC_ALL=C; export LC_ALL
limit=; command -v timeout >/dev/null 2>&1 && limit='timeout ${LIMIT_MS / 1000}'
look() { part=$1; shift
{ $limit find -H "$@" -type f -exec stat -c '%s %b %B' {} + 2>&1 || echo "! $?"; } | head -n ${MOST_FILES} | awk -v part="$part" '
/^[0-9]+ [0-9]+ [0-9]+$/ { bytes += $1; blocks += $2 * $3; n += 1; next }
/No such file/ { next }
/^! 1$/ { next }
{ bad = 1 }
END { if (!bad && n < ${MOST_FILES - 1}) printf "%s %.0f %.0f %d\\n", part, bytes, blocks, n }'
}
${places.map((place, index) => `look ${index} ${findArguments(place)}`).join('\n')}
exit 0`;

function findArguments({ folder, names, path }: StoredPlace): string {
  const parts = names
    ? ['-maxdepth', '1', '(', ...names.flatMap((name, index) => [...(index > 0 ? ['-o'] : []), '-name', name]), ')']
    : path === undefined
      ? []
      : ['-path', path];
  return [folder, ...parts].map(shellQuote).join(' ');
}

/** Sizes of the files of each part as their host reports them; omits a part that is partly unreadable. */
async function filesOf(
  { machines }: TrialContext,
  host: string,
  { sizes, places }: Stored,
  signal: AbortSignal,
): Promise<StoredSize[]> {
  const machine = machines.get(host);
  if (places.length === 0 || machine.link().state !== 'up') return [];
  const { stdout } = await machine.exec(filesScript(places), { signal });
  const found = new Map(
    stdout.split('\n').flatMap((line) => {
      const [, index, bytes, blocks, count] = /^(\d+) (\d+) (\d+) (\d+)$/.exec(line) ?? [];
      return index === undefined
        ? []
        : [[Number(index), { bytes: Number(bytes), blocks: Number(blocks), count: Number(count) }]];
    }),
  );
  const parts = STORED_FILES.flatMap((part): StoredSize[] => {
    const own = places.flatMap(({ what }, index) => (what === part ? [found.get(index)] : []));
    const all = own.flatMap((each) => each ?? []);
    const sum = (of: 'bytes' | 'blocks' | 'count'): number => all.reduce((total, each) => total + each[of], 0);
    // Without files, the folder belongs to another place, as in a container.
    if (all.length < own.length || sum('count') === 0) return [];
    const words = `${formatCount(sum('count'), 'file')} on ${host}`;
    const row = (what: StoredPart, value: number, source: string): StoredSize => ({ what, value, source });
    return [
      row(`${part} files`, sum('blocks'), `${words}, allocated`),
      row(`${part} files, length`, sum('bytes'), `${words}, length`),
    ];
  });
  const [own, there] = [sizes, parts].map((all, index) =>
    all.find(({ what }) => what === (index === 0 ? 'data' : 'data files, length')),
  );
  if (own?.value === undefined || there?.value === undefined) return parts;
  // A container may have a folder of the same name.
  if (Math.abs(own.value - there.value) <= Math.max(SAME_SIZE_BYTES, SAME_SIZE_SHARE * own.value)) return parts;
  const source = `not counted: files on ${host} have ${formatBytes(there.value)}, and the server reports ${formatBytes(own.value)}`;
  return [{ what: 'data files', source }];
}
