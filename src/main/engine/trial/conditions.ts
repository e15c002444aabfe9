import { KneepointError } from '../../../shared/model/problem.ts';
import { untilWords, type WaitUntil } from '../../../shared/model/step.ts';
import { digitsFor, formatNumber } from '../../../shared/util/format.ts';
import { meantWords } from '../../../shared/util/nearest.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Step } from '../plans/index.ts';
import { atServer, untilReachable, untilTargetReachable, type Waiting } from '../runs/index.ts';
import { hostIdleCheck, type IdleCheck } from './before/idle.ts';
import { ask, isTrue, requireTarget, serverHosts, withSession } from './before/target.ts';
import type { TrialContext } from './context.ts';
import { commandHost } from './scenario-acts.ts';

type Context = Pick<TrialContext, 'targets' | 'machines' | 'servers' | 'clock'>;
type Place = Pick<Step, 'target' | 'generators'>;

/** Looks at the hosts or the target that a step waits for. Throws `change-not-possible` if a place is unknown or missing. */
export function conditionOf(context: Context, cell: Place, until: WaitUntil, waiting: Waiting): IdleCheck {
  const place = atServer(context, cell);
  const what = untilWords(until);
  const { status, sql, file, port, on } = until;
  if (status !== undefined) return { what, read: statusReader(context, asked(place), status, until, waiting) };
  if (sql !== undefined) return { what, read: queryReader(context, asked(place), sql, until, waiting) };
  if (file !== undefined || port !== undefined) {
    const machine = context.machines.get(on ?? commandHost(context, place));
    const script = file === undefined ? listening(port ?? 0) : `[ -e ${shellQuote(file)} ] && echo yes; exit 0`;
    const missing = file === undefined ? `nothing listens on port ${port}` : `${file} does not exist`;
    return {
      what,
      read: () => untilReachable(machine, waiting, () => readOnHost(machine, script, missing, waiting.signal)),
    };
  }
  const machines = (on === undefined ? serverHosts(context, place) : [on]).map((host) => context.machines.get(host));
  const idleChecks = machines.map((machine) => ({ machine, quiet: hostIdleCheck(machine, until, waiting.signal) }));
  return {
    what,
    read: async () => {
      const seen = await Promise.all(
        idleChecks.map(({ machine, quiet }) => untilReachable(machine, waiting, () => quiet.read())),
      );
      return seen.includes(undefined) ? undefined : seen.flatMap((busy) => busy ?? []);
    },
  };
}

const asked = (place: Place): string => requireTarget(place, 'to check a condition on');

/** A server that does not respond yet has not reached the condition: it may be starting. */
async function unlessDown(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'target-unreachable') return [error.message];
    throw error;
  }
}

const statusReader =
  (context: Context, target: string, status: string, until: WaitUntil, waiting: Waiting) =>
  (): Promise<readonly string[]> =>
    unlessDown(async () => {
      const counters = await untilTargetReachable(context, target, waiting, () =>
        withSession(
          context,
          target,
          waiting.signal,
          async ({ counters: read }): Promise<Record<string, number>> => read?.() ?? {},
        ),
      );
      const value = counters[status];
      if (value === undefined) throw noStatus(target, status, Object.keys(counters));
      return compared(status, value, until);
    });

const queryReader =
  (context: Context, target: string, sql: string, until: WaitUntil, waiting: Waiting) =>
  (): Promise<readonly string[]> =>
    unlessDown(async () => {
      const value = await ask(context, target, sql, waiting);
      const shown = value === null ? 'nothing' : `“${value.slice(0, 100)}”`;
      if (until.below === undefined && until.above === undefined)
        return isTrue(value) ? [] : [`the query returns ${shown}`];
      const number = value === null || value.trim() === '' ? Number.NaN : Number(value);
      return Number.isNaN(number) ? [`the query returns ${shown}`] : compared('the value', number, until);
    });

function compared(what: string, value: number, { below, above }: WaitUntil): string[] {
  const isMet = (below === undefined || value < below) && (above === undefined || value > above);
  return isMet ? [] : [`${what} is ${formatNumber(value, Number.isInteger(value) ? 0 : digitsFor([value]))}`];
}

async function readOnHost(machine: Machine, script: string, missing: string, signal: AbortSignal): Promise<string[]> {
  const { stdout, stderr, code } = await machine.exec(script, { signal });
  if (code !== 0)
    throw new KneepointError({
      code: 'change-not-possible',
      host: machine.name,
      message: `${machine.name} cannot report the condition that the step waits for: ${stderr.trim().slice(0, 300) || `exit code ${code}`}.`,
      safe: 'Nothing was changed.',
      next: 'Use another condition there. Ports are read from /proc/net, which requires Linux.',
    });
  return stdout.trim() === 'yes' ? [] : [missing];
}

/** Whether a socket listens, by the kernel's own tables: no program has to be installed, and nothing connects. */
const listening = (port: number): string => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return `[ -r /proc/net/tcp ] || { echo "/proc/net/tcp cannot be read" >&2; exit 3; }
for table in /proc/net/tcp /proc/net/tcp6; do
  [ -r "$table" ] || continue
  while read -r slot local remote state rest; do
    case $state:$local in 0A:*:${hex}) echo yes; exit 0 ;; esac
  done <"$table"
done
exit 0`;
};

const noStatus = (target: string, status: string, known: readonly string[]): KneepointError =>
  new KneepointError({
    code: 'change-not-possible',
    message: `“${target}” has no status named “${status}”.${meantWords(status, known)}`,
    target,
    safe: 'Nothing was changed.',
    next: 'Correct the name under “until”, or use a query (sql).',
  });
