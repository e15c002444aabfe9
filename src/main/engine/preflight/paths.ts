import type { Fix } from '../../../shared/contract/experiments.ts';
import { isOnlyFolder, isOpenFolder, openFolderWords } from '../../../shared/model/open-folders.ts';
import type { StoragePlace } from '../../../shared/model/session-snapshot.ts';
import { IN_MEMORY, inMemoryWords } from '../../../shared/model/storage-words.ts';
import { formatBytes } from '../../../shared/util/format.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { readPlaces } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from '../runs/index.ts';
import { pathOf } from '../targets/index.ts';
import type { NeededPath } from '../tools/tool.ts';
import type { StartFinding } from './check.ts';
import type { PreflightState } from './state.ts';

interface Needed extends NeededPath {
  /** Where the path can be changed. */
  readonly fix?: Fix;
}

/** All files, folders and programs that the cells use on a generator, each once. */
export function neededPaths({ targets }: Pick<RunsContext, 'targets'>, { steps, tool }: PreflightState): Needed[] {
  const needed = new Map<string, Needed>();
  for (const { options, target } of steps) {
    const named = tool.paths?.(options, target === undefined ? undefined : pathOf(targets.spec(target))) ?? [];
    for (const path of named) {
      const fix = fixOf(path, options, target);
      needed.set(`${path.kind} ${path.anyOf.join(' ')}`, { ...path, ...(fix && { fix }) });
    }
  }
  return [...needed.values()];
}

function fixOf(
  { option }: NeededPath,
  options: Readonly<Record<string, unknown>>,
  target: string | undefined,
): Fix | undefined {
  if (option !== undefined) return { kind: 'path', option, path: String(options[option] ?? '') };
  return target === undefined ? undefined : { kind: 'open', place: 'target', name: target };
}

/** State of a path on a host; the type of the file system and the free bytes of a folder. */
interface Seen {
  state: 'ok' | 'missing' | 'other-kind' | 'no-access';
  path: string;
  type?: string;
  freeBytes?: number;
}

/**
 * Checks required paths on a generator, with the rights of its account there. Findings block; `evidence` lists what exists. Writes nothing.
 * Throws what `Machine.exec` throws.
 */
export async function checkPaths(
  needed: readonly Needed[],
  machine: Machine,
  signal: AbortSignal,
): Promise<{ findings: StartFinding[]; evidence: string[] }> {
  const { stdout } = await machine.exec(scriptOf(needed), { signal, timeoutMs: 20_000 });
  const seen = new Map(stdout.split('\n').flatMap((line) => readLine(line)));
  const findings: StartFinding[] = [];
  const evidence: string[] = [];
  needed.forEach((path, index) => {
    const found = seen.get(index) ?? { state: 'missing', path: path.anyOf[0] ?? '' };
    if (found.state !== 'ok' || path.anyOf.some(isOpenFolder)) findings.push(findingOf(machine.name, path, found));
    else {
      evidence.push(evidenceOf(found));
      if (found.type !== undefined && IN_MEMORY.includes(found.type))
        findings.push({ severity: 'warn', ...inMemoryWords(machine.name, found.path, found.type) });
    }
  });
  return { findings, evidence };
}

/** Several folders of one load that are on the same disk: they compete for it, so their figures are not those of separate disks. */
export async function sharedDisks(
  context: Pick<RunsContext, 'targets' | 'machines'>,
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  signal: AbortSignal,
): Promise<StartFinding[]> {
  const found = new Map<string, StartFinding>();
  for (const step of steps) {
    if ((tool.paths?.(step.options, undefined) ?? []).length < 2) continue;
    const places = await readPlaces(context, { steps: [{ tool, step }], targets: [] }, signal);
    for (const finding of sharing(places)) found.set(finding.message, finding);
  }
  return [...found.values()];
}

/** One finding for each host and disk with several of these folders. */
export function sharing(places: readonly StoragePlace[]): StartFinding[] {
  const disks = new Map<string, { host: string; disk: string; paths: string[] }>();
  for (const place of places)
    for (const disk of disksOf(place)) {
      const key = JSON.stringify([place.host, disk]);
      const known = disks.get(key) ?? { host: place.host, disk, paths: [] };
      disks.set(key, { ...known, paths: [...known.paths, place.path] });
    }
  return [...disks.values()].flatMap(({ host, disk, paths }): StartFinding[] =>
    paths.length < 2
      ? []
      : [
          {
            code: 'places-share-disk',
            severity: 'warn',
            message: `On ${host}, ${listed(paths)} are on the same disk (${disk}): they compete for it, so their figures are not those of separate disks.`,
            next: 'Name folders on different disks, or one folder.',
          },
        ],
  );
}

/** “/a, /b and /c”. */
const listed = (paths: readonly string[]): string => `${paths.slice(0, -1).join(', ')} and ${paths.at(-1) ?? ''}`;

/** The disks of a folder; without a block device, its file system. Empty if the host does not report it. */
function disksOf({ fileSystem, device }: StoragePlace): string[] {
  if (device) return device.below.length > 0 ? device.below : [device.disk ?? device.name];
  return fileSystem ? [`${fileSystem.type} at ${fileSystem.mount}`] : [];
}

const TESTS: Readonly<Record<NeededPath['kind'], { exists: string; access: string }>> = {
  file: { exists: '[ -f "$p" ]', access: '[ -r "$p" ]' },
  folder: { exists: '[ -d "$p" ]', access: '[ -r "$p" ] && [ -x "$p" ]' },
  'writable-folder': { exists: '[ -d "$p" ]', access: '[ -w "$p" ] && [ -x "$p" ]' },
  // If the tool creates the folder, its nearest existing parent is tested.
  'new-folder': { exists: '[ -d "$p" ]', access: '[ -w "$p" ] && [ -x "$p" ]' },
  program: { exists: 'command -v "$p" >/dev/null', access: ':' },
};

const isWritten = (kind: NeededPath['kind']): boolean => kind === 'writable-folder' || kind === 'new-folder';

/**
 * Prints a line for each needed path: its number, its state, type of file system and free kilobytes, each or -, and the path. Of
 * alternatives, the first usable one, else the last. Not every `df` reports types.
 */
const scriptOf = (needed: readonly NeededPath[]): string =>
  [
    'LC_ALL=C; export LC_ALL',
    ...needed.map(({ kind, anyOf }, index) => {
      const { exists, access } = TESTS[kind];
      const nearest =
        kind === 'new-folder' ? `while [ ! -e "$p" ] && [ -n "$p" ]; do p=\${p%/*}; done; p=\${p:-/}` : ':';
      const free = isWritten(kind)
        ? `free=$(df -kP "$p" 2>/dev/null | sed -n '$s/.* \\([0-9][0-9]*\\)  *[0-9]*% .*/\\1/p')
    type=$(df -kPT "$p" 2>/dev/null | sed -n '$s/.* \\([a-z][a-z0-9._]*\\)  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9][0-9]*  *[0-9]*% .*/\\1/p')`
        : ':';
      return `state=missing; type=; free=; shown=
for p in ${anyOf.map(globOf).join(' ')}; do
  ${nearest}
  if ${exists}; then if ${access}; then state=ok; shown=$p; ${free}; break; else state=no-access; shown=$p; fi
  elif [ -e "$p" ] && [ "$state" = missing ]; then state=other-kind; shown=$p; fi
done
printf '%s %s %s %s %s\n' ${index} "$state" "\${type:--}" "\${free:--}" "$shown"`;
    }),
    'exit 0',
  ].join('\n');

const globOf = (path: string): string =>
  path
    .split('*')
    .map((part) => (part === '' ? '' : shellQuote(part)))
    .join('*');

function readLine(line: string): [number, Seen][] {
  const [, index, state, type = '-', free, path = ''] =
    /^(\d+) (ok|missing|other-kind|no-access) (\S+) (\d+|-) (.*)$/.exec(line) ?? [];
  if (index === undefined) return [];
  const known = { ...(type !== '-' && { type }), ...(free !== '-' && { freeBytes: Number(free) * 1024 }) };
  return [[Number(index), { state: state as Seen['state'], path, ...known }]];
}

const evidenceOf = ({ path, type, freeBytes }: Seen): string =>
  [path, type, freeBytes !== undefined && `${formatBytes(freeBytes)} free`].filter(Boolean).join(', ');

const NOUNS: Readonly<Record<NeededPath['kind'], string>> = {
  file: 'file',
  folder: 'folder',
  'writable-folder': 'folder',
  'new-folder': 'folder',
  program: 'program',
};

function findingOf(host: string, { what, kind, anyOf, next, fix }: Needed, { state, path }: Seen): StartFinding {
  const [open] = anyOf.filter(isOpenFolder);
  if (open !== undefined)
    return {
      code: 'folder-not-chosen',
      severity: 'block',
      message: isOnlyFolder(open)
        ? `On ${host}: ${what}: no folder is chosen yet.`
        : `On ${host}: ${what}: no folder is chosen yet for “${openFolderWords(open)}”.`,
      next: `Choose a folder on ${host}.`,
      ...fixOn(host, kind, fix),
    };
  const noun = NOUNS[kind];
  const named = anyOf.join(' or ');
  const messages: Readonly<Record<Seen['state'], string>> = {
    ok: '',
    missing: `${what}: there is no ${noun} ${named}.`,
    'other-kind': `${what}: ${path} is not a ${noun}.`,
    'no-access': `${what}: the account has no permission to ${isWritten(kind) ? 'write to' : 'read'} ${path}.`,
  };
  const standard =
    state === 'no-access'
      ? 'Grant the account access, or choose another path.'
      : `Create it on the host, or choose another ${noun}.`;
  return {
    code: 'path-unusable',
    severity: 'block',
    message: `On ${host}: ${messages[state]}`,
    next: next ?? standard,
    ...fixOn(host, kind, fix),
  };
}

/** A folder can be picked on its host. */
function fixOn(host: string, kind: NeededPath['kind'], fix: Fix | undefined): { fix?: Fix } {
  if (fix?.kind !== 'path') return fix ? { fix } : {};
  return { fix: { ...fix, ...(kind !== 'file' && kind !== 'program' && { folder: host }) } };
}
