import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, Target, TargetSpec } from '../../../shared/model/target.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import type { Relays } from '../hosts/index.ts';
import type { Machines } from '../hosts/machine.ts';
import type { TargetAccess } from '../runs/index.ts';
import type { Secrets } from '../secrets/index.ts';
import type { Store } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import type { Reach, TargetSession } from '../targets/target.ts';
import { targetOwner } from './context.ts';

interface AccessContext {
  store: Store;
  secrets: Secrets;
  machines: Machines;
  relays: Relays;
}

export function createTargetAccess(context: AccessContext): TargetAccess {
  const find = (name: string): Target => {
    const target = context.store.targets.byName(name);
    if (target) return target;
    throw new KneepointError({
      code: 'not-found',
      message: `There is no target named “${name}”.`,
      target: name,
      next: 'Add it under Targets, or choose another one in the experiment.',
    });
  };
  /** A problem with the secret names the target, so the user is asked for the right one. */
  const secretOf = async ({ id, spec }: Target): Promise<string | undefined> => {
    try {
      return await context.secrets.get(targetOwner(id));
    } catch (error) {
      if (!(error instanceof KneepointError)) throw error;
      throw new KneepointError({ target: spec.name, ...error.problem }, { cause: error });
    }
  };
  return {
    spec: (name) => find(name).spec,
    shown(name) {
      const target = context.store.targets.byName(name);
      return target && factsOf(target.spec, undefined);
    },
    nodes(name) {
      const own = context.store.targets.byName(name);
      const [, ...further] = (own && addressesOf(own)) ?? [];
      if (!own || further.length === 0) return [];
      const others = context.store.targets
        .list()
        .filter(({ id, spec }) => id !== own.id && spec.kind === own.spec.kind);
      return further.flatMap((address) => {
        const same = others.filter((other) => addressesOf(other)[0] === address);
        return (same.find(({ spec }) => spec.server) ?? same[0])?.spec.name ?? [];
      });
    },
    async connection(name) {
      const target = find(name);
      return factsOf(target.spec, await secretOf(target));
    },
    async connectionThroughApp(name) {
      const target = find(name);
      const { id, spec } = target;
      const facts = factsOf(spec, await secretOf(target));
      const { host, port, socket } = facts;
      if (spec.via === null || host === undefined || port === undefined) return facts;
      const machine = context.machines.get(spec.via);
      const dial = () => (socket === undefined ? machine.dial(host, port, name) : machine.dialSocket(socket, name));
      // Data put into the relay leaves on the far host; beyond that is a network again.
      const ends = spec.via !== LOCAL_HOST_NAME && (socket !== undefined || isLoopback(host));
      const relay = await context.relays.path(String(id), dial);
      return { ...facts, relay, ...(ends && { endsOnServerHost: true }) };
    },
    async open(name, signal) {
      const target = find(name);
      return openTarget(context.machines, target.spec, await secretOf(target), signal);
    },
  };
}

/** All addresses of a target, its own first; empty for one without an address, or with unreadable settings. */
function addressesOf({ spec }: Target): string[] {
  if (!targetByKind(spec.kind).config.safeParse(spec.config).success) return [];
  const { host, port, addresses } = factsOf(spec, undefined);
  const all = addresses ?? (host === undefined ? [] : [{ host, port }]);
  return all.map((each) => `${each.host.toLowerCase()} ${each.port}`);
}

/** Connection facts for tools, from a target's settings. Throws `bad-request` if they do not fit its kind. */
export function factsOf(spec: TargetSpec, secret: string | undefined): ConnectionFacts {
  const type = targetByKind(spec.kind);
  return type.facts(readConfig(spec), secret);
}

/** The app's own connection, through the host's SSH connection if the target is reached that way. */
export async function openTarget(
  machines: Machines,
  spec: TargetSpec,
  secret: string | undefined,
  signal?: AbortSignal,
): Promise<TargetSession | undefined> {
  const type = targetByKind(spec.kind);
  if (!type.open) return undefined;
  const machine = machines.get(spec.via ?? LOCAL_HOST_NAME);
  const reach: Reach = {
    ...(spec.via === null || spec.via === LOCAL_HOST_NAME ? {} : { through: spec.via }),
    dial: (address, port) => machine.dial(address, port, spec.name),
    dialSocket: (path) => machine.dialSocket(path, spec.name),
    exec: (script, signal) => machine.exec(script, signal && { signal }),
  };
  return type.open(readConfig(spec), secret, reach, signal);
}

function readConfig(spec: TargetSpec): Record<string, unknown> {
  const parsed = targetByKind(spec.kind).config.safeParse(spec.config);
  if (parsed.success) return parsed.data;
  const words = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issueWords(issue)}`).join('; ');
  throw new KneepointError({ code: 'bad-request', message: `Target “${spec.name}”: ${words}`, target: spec.name });
}
