import type { EngineFinding } from '../../../../shared/checks/index.ts';
import type { BeforeTrial } from '../../../../shared/model/measure.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { formatBytes, formatDuration, formatLevel } from '../../../../shared/util/format.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { Clock } from '../../outside.ts';
import { pauseFor } from '../../runs/index.ts';

/** Seconds, unless the document sets others. */
const TIMEOUT_SECONDS = 300;
const POLL_MS = 1000;
const SECTOR_BYTES = 512;
const MIB = 1024 ** 2;

/** Partitions, and devices built of others, would be counted twice: only devices with hardware count, or every whole device if there are none. */
const SCRIPT = `LC_ALL=C
export LC_ALL
read -r up rest < /proc/uptime && echo "up $up"
grep -E '^(Dirty|Writeback):' /proc/meminfo
hardware=
for path in /sys/block/*/device; do [ -e "$path" ] && hardware=/device; done
while read -r major minor name reads rmerged rsectors rms writes wmerged wsectors rest; do
  [ -e "/sys/block/$(printf %s "$name" | tr / '!')$hardware" ] && echo "written $name $wsectors"
done < /proc/diskstats
exit 0
`;

/** State of a host at one moment. */
export interface Busy {
  /** Seconds since it started, by its own clock. */
  readonly up: number;
  readonly dirtyBytes: number;
  /** Bytes since the start of the host, by device. */
  readonly written: ReadonlyMap<string, number>;
}

/** Undefined if the output is incomplete. */
export function readBusy(output: string): Busy | undefined {
  const up = /^up (\d{1,12}(?:\.\d{1,4})?)$/m.exec(output)?.[1];
  const dirty = [...output.matchAll(/^(?:Dirty|Writeback):\s+(\d{1,15}) kB$/gm)].map(([, kib]) => Number(kib));
  if (up === undefined || dirty.length === 0) return undefined;
  const written = [...output.matchAll(/^written (\S{1,64}) (\d{1,18})$/gm)];
  return {
    up: Number(up),
    dirtyBytes: dirty.reduce((sum, kib) => sum + kib * 1024, 0),
    written: new Map(written.map(([, name = '', sectors]) => [name, Number(sectors) * SECTOR_BYTES])),
  };
}

type Limits = Pick<BeforeTrial, 'dirty' | 'writes'>;

/** Describes what is not quiet yet. Empty if it is quiet; undefined while a rate has been read only once. */
export function busyParts(before: Busy | undefined, now: Busy, { dirty, writes }: Limits): string[] | undefined {
  const busy: string[] = [];
  if (dirty !== undefined && now.dirtyBytes > dirty * MIB)
    busy.push(`${formatBytes(now.dirtyBytes)} of dirty pages, limit ${formatLevel(dirty)} MiB`);
  if (writes === undefined) return busy;
  if (!before || now.up <= before.up) return busy.length > 0 ? busy : undefined;
  const bytes = [...now.written].reduce(
    (sum, [name, total]) => sum + Math.max(0, total - (before.written.get(name) ?? total)),
    0,
  );
  const rate = bytes / (now.up - before.up);
  if (rate > writes * MIB) busy.push(`${formatBytes(rate)}/s of device writes, limit ${formatLevel(writes)} MiB/s`);
  return busy;
}

/** A wait until something is quiet. */
export interface IdleCheck {
  /** The thing that is waited for, as a sentence names it: a host, a target. */
  readonly what: string;
  /** Describes what is not quiet yet. Undefined if that is unknown before the next look. */
  read(): Promise<readonly string[] | undefined>;
}

export interface WaitingFor {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly signal: AbortSignal;
  /** Whether a user requested a pause or a stop. */
  asked(): boolean;
  /** Milliseconds between two looks; 1000 if absent. */
  readonly pollMs?: number;
}

/** A wait that has ended. `busy`: what was still going on when its patience was over; empty: it is quiet. */
export interface Waited {
  readonly seconds: number;
  readonly busy: readonly string[];
}

/** Waits until it is quiet, at most for the patience in seconds; looks at least once. Undefined if a user intervenes. */
export async function waitUntil(
  idleCheck: Pick<IdleCheck, 'read'>,
  timeoutSeconds: number,
  waiting: WaitingFor,
): Promise<Waited | undefined> {
  const { clock, signal, pollMs = POLL_MS } = waiting;
  const start = clock.monotonic();
  const waited = (): number => (clock.monotonic() - start) / 1000;
  for (;;) {
    const busy = await idleCheck.read();
    if (busy?.length === 0) return { seconds: waited(), busy };
    if (waiting.asked() || signal.aborted) return undefined;
    if (busy && waited() >= timeoutSeconds) return { seconds: waited(), busy };
    await pauseFor(pollMs, signal);
  }
}

/** Waits before a trial. The finding has the seconds that it took; past the patience, also what was still going on. */
export async function untilIdle(
  idleCheck: IdleCheck,
  timeoutSeconds = TIMEOUT_SECONDS,
  waiting: WaitingFor,
): Promise<EngineFinding[]> {
  const waited = await waitUntil(idleCheck, timeoutSeconds, waiting);
  if (!waited) return [];
  const { seconds, busy } = waited;
  return [busy.length === 0 ? idleFinding(idleCheck.what, seconds) : notIdleFinding(idleCheck.what, seconds, busy)];
}

/** Waits for the dirty pages and the device writes of a host. */
export function hostIdleCheck(machine: Machine, limits: Limits, signal: AbortSignal): IdleCheck {
  let before: Busy | undefined;
  return {
    what: machine.name,
    async read() {
      const now = await readHost(machine, signal);
      const busy = busyParts(before, now, limits);
      before = now;
      return busy;
    },
  };
}

async function readHost(machine: Machine, signal: AbortSignal): Promise<Busy> {
  const { stdout, stderr } = await machine.exec(SCRIPT, { signal });
  const busy = readBusy(stdout);
  if (busy) return busy;
  const message = stderr.trim().split('\n').at(-1)?.slice(0, 300);
  throw new KneepointError({
    code: 'change-not-possible',
    message: `${machine.name} does not report dirty pages and device writes${message ? `: ${message}` : ''}.`,
    host: machine.name,
    safe: 'The tool was not started.',
    next: 'This wait needs Linux with /proc. Remove “dirty” and “writes”.',
  });
}

const idleFinding = (what: string, seconds: number): EngineFinding => ({
  code: 'waited-until-quiet',
  severity: 'note',
  message: `Waited ${formatDuration(seconds)} before the trial until ${what} was quiet.`,
});

const notIdleFinding = (what: string, seconds: number, busy: readonly string[]): EngineFinding => ({
  code: 'not-quiet',
  severity: 'warn',
  message: `The trial started after a wait of ${formatDuration(seconds)} although ${what} was not quiet yet: ${busy.join('; ')}.`,
  next: 'Measure the trial again, or allow a longer wait with “patience” under measure.before.',
});
