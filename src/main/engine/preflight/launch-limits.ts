import type { Finding } from '../../../shared/model/finding.ts';
import type { LaunchLimits } from '../../../shared/model/tool.ts';
import { readCpus } from '../../../shared/util/virtual-disk.ts';
import type { Machine } from '../hosts/machine.ts';
import type { PreflightState } from './state.ts';

/** The largest open-files limit that the tool runs under in any cell. Undefined if the account’s own limit applies. */
export function largestOpenFiles({ steps }: Pick<PreflightState, 'steps'>): number | undefined {
  const counts = steps.map(({ launch }) => launch.limits?.n);
  const own = counts.filter((count) => count !== undefined);
  return own.length < counts.length ? undefined : Math.max(...own);
}

/** Launch settings of cells that a generator does not support: taskset, CPUs, limits. */
export async function launchFindings(
  { steps }: PreflightState,
  machine: Machine,
  signal: AbortSignal,
): Promise<Finding[]> {
  const launches = steps.filter(({ generators }) => generators.includes(machine.name)).map(({ launch }) => launch);
  const lists = [...new Set(launches.flatMap(({ cpus }) => cpus ?? []))];
  const limits = largest(launches);
  if (lists.length === 0 && limits.size === 0) return [];
  const host = await readLimits(machine, [...limits.keys()], signal);
  return [
    ...(lists.length > 0 ? cpuFindings(machine.name, lists, host) : []),
    ...[...limits].flatMap(([letter, wanted]) => limitFindings(machine.name, letter, wanted, host)),
  ];
}

function largest(launches: readonly LaunchLimits[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [letter, limit] of launches.flatMap(({ limits = {} }) => Object.entries(limits)))
    found.set(letter, Math.max(limit, found.get(letter) ?? 0));
  return found;
}

interface Host {
  readonly root: boolean;
  readonly taskset: boolean;
  /** CPUs that the account's processes may run on. Undefined if not reported. */
  readonly cpus: string | undefined;
  /** Hard limits by letter. No entry if there is none, or if it is not reported. */
  readonly hard: ReadonlyMap<string, number>;
}

async function readLimits(machine: Machine, letters: readonly string[], signal: AbortSignal): Promise<Host> {
  const script = [
    'echo "user $(id -u)"',
    'command -v taskset >/dev/null 2>&1 && echo "taskset found"',
    "sed -n 's/^Cpus_allowed_list:/cpus/p' /proc/self/status 2>/dev/null",
    // dash and BusyBox use another letter for the number of processes.
    ...letters.map(
      (letter) =>
        `echo "hard-${letter} $({ ulimit -H -${letter} || ulimit -H -${letter === 'u' ? 'p' : letter}; } 2>/dev/null)"`,
    ),
    'exit 0',
  ];
  const { stdout } = await machine.exec(script.join('\n'), { signal, timeoutMs: 20_000 });
  const reported = new Map(
    stdout.split('\n').map((line) => {
      const [key = '', ...words] = line.trim().split(/\s+/);
      return [key, words.join(' ')];
    }),
  );
  const hard = letters.flatMap((letter): [string, number][] => {
    const limit = reported.get(`hard-${letter}`) ?? '';
    return /^\d+$/.test(limit) ? [[letter, Number(limit)]] : [];
  });
  return {
    root: reported.get('user') === '0',
    taskset: reported.has('taskset'),
    cpus: reported.get('cpus'),
    hard: new Map(hard),
  };
}

function cpuFindings(name: string, lists: readonly string[], { taskset, cpus }: Host): Finding[] {
  if (!taskset)
    return [
      {
        code: 'program-missing',
        severity: 'block',
        message: `On ${name}: “taskset”, which pins the tool to CPUs, was not found.`,
        next: 'Install the package util-linux there.',
      },
    ];
  const there = cpus === undefined ? undefined : readCpus(cpus);
  const missing = lists.filter((list) => there && ![...(readCpus(list) ?? [])].every((cpu) => there.has(cpu)));
  if (missing.length === 0) return [];
  return [
    {
      code: 'cpus-missing',
      severity: 'block',
      message: `${name} lacks CPUs for the tool: ${missing.join(' and ')}.`,
      evidence: `Cpus_allowed_list: ${cpus}`,
      next: 'Choose CPUs that every generator has.',
    },
  ];
}

function limitFindings(name: string, letter: string, wanted: number, { root, hard }: Host): Finding[] {
  const most = hard.get(letter);
  if (root || most === undefined || wanted <= most) return [];
  return [
    {
      code: 'limit-above-hard',
      severity: 'block',
      message: `The hard limit of the account on ${name} is ${most} (ulimit -${letter}), but a cell needs ${wanted}.`,
      evidence: `ulimit -H -${letter} = ${most}`,
      next: `Raise the hard limit of the account on ${name} (limits.conf), or log in as root.`,
    },
  ];
}
