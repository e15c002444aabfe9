import { z } from 'zod';
import { HostKey, type HostSpec, type HostTest } from '../../../shared/model/host.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import { createMachines, type HostMachines, JOBS_KEEP_RUNNING, readFacts } from '../hosts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import type { Identity } from '../store/store.ts';
import { toolsSoughtOn } from '../tools/index.ts';
import { machineIdentity } from '../world/index.ts';
import { type ApiContext, hostOwner } from './context.ts';

const LIMIT_MS = 20_000;
const ChangedKeys = z.object({ key: HostKey, known: HostKey });

/** Connects, measures a round trip, reads facts and tools. An obstacle is part of the result, not an error. */
export async function testHost(
  context: ApiContext,
  machines: HostMachines,
  name: string,
  signal: AbortSignal,
): Promise<HostTest> {
  try {
    const machine = machines.get(name);
    await reach(machine, signal);
    const facts = await readFacts(machine, toolsSoughtOn(machine.name), signal);
    return { result: 'ok', facts, roundTripMs: facts.clockRoundTripMs ?? (await timed(context, machine, signal)) };
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'host-key-unknown') {
      return { result: 'key-unknown', key: HostKey.parse(error.problem.details) };
    }
    if (error instanceof KneepointError && error.code === 'host-key-changed') {
      const changed = ChangedKeys.safeParse(error.problem.details);
      if (changed.success) return { result: 'key-changed', ...changed.data };
    }
    return { result: 'failed', problem: { host: name, ...problemOf(error) } };
  }
}

/** A test must not report a connection that was lost before it: it connects again. */
async function reach(machine: Machine, signal: AbortSignal): Promise<void> {
  const isOld = machine.link().state === 'up';
  const run = () => machine.exec('exit 0', { signal, timeoutMs: LIMIT_MS });
  await run().catch((error: unknown) => {
    if (isOld && error instanceof KneepointError && error.code === 'host-unreachable') return run();
    throw error;
  });
}

/** Milliseconds that a script takes there; for hosts that do not report their time. */
async function timed({ outside: { clock } }: ApiContext, machine: Machine, signal: AbortSignal): Promise<number> {
  const before = clock.monotonic();
  await machine.exec('exit 0', { signal, timeoutMs: LIMIT_MS });
  return clock.monotonic() - before;
}

/** Tests a host that is not saved. */
export async function testUnsaved(
  context: ApiContext,
  spec: HostSpec,
  secret: string | undefined,
  signal: AbortSignal,
): Promise<HostTest> {
  const machines = unsavedMachines(context, spec, secret);
  try {
    const test = await testHost(context, machines, spec.name, signal);
    return context.store.hosts.byName(spec.name) ? test : withoutJobs(test, spec.name);
  } finally {
    await machines.close();
  }
}

/** Identity of the machine that an unsaved host leads to. Undefined if it cannot be read. */
export async function identityOfUnsaved(
  context: ApiContext,
  spec: HostSpec,
  secret: string | undefined,
): Promise<Identity | undefined> {
  const machines = unsavedMachines(context, spec, secret);
  try {
    return await machineIdentity(machines.get(spec.name), AbortSignal.timeout(LIMIT_MS));
  } catch {
    return undefined;
  } finally {
    await machines.close();
  }
}

/** Uses its own connections, to leave saved hosts undisturbed. */
function unsavedMachines({ store, secrets }: ApiContext, spec: HostSpec, secret: string | undefined): HostMachines {
  return createMachines({
    resolve(name) {
      const saved = store.hosts.byName(name);
      const stored = async (): Promise<string | undefined> => (saved ? secrets.get(hostOwner(saved.id)) : undefined);
      if (name === spec.name) return { spec, secret: async () => secret ?? stored() };
      return saved && { spec: saved.spec, secret: stored };
    },
    trustedKey: (address, port) => store.hosts.key(address, port),
  });
}

/** No job can run on a host that is not saved. */
function withoutJobs(test: HostTest, name: string): HostTest {
  if (test.result !== 'failed' || test.problem.host !== name) return test;
  const { safe = '', ...problem } = test.problem;
  const rest = safe.replace(JOBS_KEEP_RUNNING, '').trim();
  return { ...test, problem: { ...problem, ...(rest !== '' && { safe: rest }) } };
}
