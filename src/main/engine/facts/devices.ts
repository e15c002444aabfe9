import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { GrantedDevice } from '../../../shared/model/session-snapshot.ts';
import { readDevice } from '../devices/reading.ts';
import { judgeDevice, type Refusal } from '../devices/refusals.ts';
import type { Machine } from '../hosts/machine.ts';
import { hostsOf, type KnownStep, type Step } from '../plans/index.ts';
import { commandsOf, connectionOf, type RunsContext } from '../runs/index.ts';
import type { Tool, ToolPlan } from '../tools/tool.ts';

/** A finding that the user can override by typing `confirm`. */
export interface DeviceFinding extends Finding {
  confirm?: string;
}

/** Every device that any of these steps overwrites, in their order, by host. */
export async function devicesOf(
  context: RunsContext,
  steps: readonly KnownStep[],
  seed: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const devices = new Map<string, Set<string>>();
  for (const { tool, step } of steps) {
    const { prepare, run, cleanup } = await plannedCommands(context, tool, step, seed);
    const overwritten = [prepare, run, cleanup].flatMap((command) => command?.overwrites ?? []);
    // A load that overwrites a disk runs on one generator only.
    const [host = ''] = hostsOf(step);
    if (overwritten.length > 0) devices.set(host, new Set([...(devices.get(host) ?? []), ...overwritten]));
  }
  return new Map([...devices].map(([host, names]) => [host, [...names]]));
}

/** Whether the run of a step overwrites a device. */
export async function overwritesIn(context: RunsContext, tool: Tool, step: Step, seed: number): Promise<boolean> {
  const { run } = await plannedCommands(context, tool, step, seed);
  return (run.overwrites ?? []).length > 0;
}

const plannedCommands = async (context: RunsContext, tool: Tool, step: Step, seed: number): Promise<ToolPlan> =>
  commandsOf(context, tool, step, { seed, connection: await connectionOf(context, tool, step) });

/** Like `inspectDevices`, for devices of several hosts. Typed names that match none of them are reported once. */
export async function inspectDevicesOf(
  machines: readonly Machine[],
  devices: ReadonlyMap<string, readonly string[]>,
  destroy: readonly string[],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof inspectDevices>>> {
  const hosts = devices.size === 0 ? machines.slice(0, 1) : machines.filter(({ name }) => devices.has(name));
  const isOf = ({ name }: Machine, typed: string): boolean => typed.startsWith(`${name}:`);
  const ofNone = destroy.filter((typed) => !hosts.some((host) => isOf(host, typed)));
  const inspections = await Promise.all(
    hosts.map((host, at) => {
      const typed = [...destroy.filter((each) => isOf(host, each)), ...(at === 0 ? ofNone : [])];
      return inspectDevices(host, devices.get(host.name) ?? [], typed, signal);
    }),
  );
  return {
    findings: inspections.flatMap(({ findings }) => findings),
    granted: inspections.flatMap(({ granted }) => granted),
  };
}

/**
 * Findings against overwriting these devices, and the devices that the user has allowed. `destroy`: the typed names, each `HOST:DEVICE`;
 * the device as named by the document or by the host.
 */
export async function inspectDevices(
  machine: Machine,
  devices: readonly string[],
  destroy: readonly string[],
  signal: AbortSignal,
): Promise<{ findings: DeviceFinding[]; granted: GrantedDevice[] }> {
  const findings: DeviceFinding[] = [];
  const granted: GrantedDevice[] = [];
  const meant = new Set<string>();
  for (const device of devices) {
    const verdict = judgeDevice(await readDevice(machine, device, signal));
    if ('refusals' in verdict) {
      findings.push(refusalFinding(machine.name, device, verdict.refusals));
      continue;
    }
    const { path, description, identity } = verdict.free;
    const names = [`${machine.name}:${device}`, `${machine.name}:${path}`];
    for (const name of names) meant.add(name);
    const allowed = names.some((name) => destroy.includes(name));
    if (allowed) granted.push({ host: machine.name, device, identity });
    findings.push({
      ...(allowed ? ALLOWED : toConfirm(names[1] as string)),
      message: `Everything on ${titleOf(device, path)} of ${machine.name} (${description}) will be overwritten.`,
    });
  }
  const unmatched = destroy.filter((typed) => !meant.has(typed));
  if (unmatched.length > 0 && findings.every(({ severity }) => severity !== 'block'))
    findings.push({
      code: 'destroy-unmeant',
      severity: 'block',
      message: `${unmatched.map((typed) => `“${typed}”`).join(', ')} was confirmed for overwriting, but this experiment does not overwrite it.`,
      next: 'Confirm only devices that the experiment overwrites.',
    });
  return { findings, granted };
}

const titleOf = (device: string, path: string): string => (device === path ? device : `${device} (${path})`);

const ALLOWED = { code: 'device-overwritten', severity: 'warn' } as const;

const toConfirm = (phrase: string) => ({
  code: 'destroy-unconfirmed',
  severity: 'block' as const,
  confirm: phrase,
  next: `To allow this, type “${phrase}” in the preflight, or pass it as --destroy on the command line.`,
});

const NEXT: Partial<Record<Refusal['code'], string>> = {
  'look-incomplete': 'Connect to the host as root, or measure files in a folder instead.',
  'not-a-device': 'Correct the device; lsblk on the host lists devices.',
  'device-unknown': 'Choose a disk, a partition or a volume; lsblk on the host lists them.',
  signature:
    'If its data is not needed, erase it yourself (wipefs --all), then start again; or measure files in a folder.',
};

function refusalFinding(host: string, device: string, refusals: readonly Refusal[]): Finding {
  const [first] = refusals;
  const words = refusals.map((refusal) => refusal.words).join('; it ');
  const next = first && NEXT[first.code];
  return {
    code: 'device-refused',
    severity: 'block',
    message: `${device} on ${host} ${words}. Nothing is written to it.`,
    evidence: refusals.flatMap(({ evidence }) => evidence ?? []).join('\n'),
    next: next ?? 'Choose an unused device, or measure files in a folder instead.',
  };
}

/** Checks the devices right before they are overwritten. Throws `device-refused` unless each is free and is the one that was allowed. */
export async function requireDevices(
  granted: readonly GrantedDevice[],
  machine: Machine,
  devices: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const device of devices) {
    const grant = granted.find((entry) => entry.host === machine.name && entry.device === device);
    if (!grant)
      throw refused(
        machine,
        `Overwriting ${device} on ${machine.name} was not confirmed.`,
        'Start the experiment again.',
      );
    const verdict = judgeDevice(await readDevice(machine, device, signal));
    if ('refusals' in verdict) {
      const { message, next } = refusalFinding(machine.name, device, verdict.refusals);
      throw refused(machine, message, next);
    }
    if (verdict.free.identity !== grant.identity)
      throw refused(
        machine,
        `${device} on ${machine.name} is no longer the device that was confirmed for overwriting: it is now ${verdict.free.description}.`,
        'Check lsblk on the host, then start the experiment again.',
      );
  }
}

const refused = (machine: Machine, message: string, next: string | undefined): KneepointError =>
  new KneepointError({
    code: 'device-refused',
    host: machine.name,
    message,
    safe: 'Nothing was written to it.',
    ...(next && { next }),
  });
