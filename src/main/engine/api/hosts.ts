import type { AppContract } from '../../../shared/contract/index.ts';
import type {
  Host,
  HostFacts,
  HostSpec,
  HostTest,
  SshConfigEntry,
  SshHostSpec,
  Tunnel,
  TunnelSpec,
} from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { defaultAgent, readFacts, readFolder, readSshConfig, testSyncs } from '../hosts/index.ts';
import type { Store } from '../store/store.ts';
import { toolsSoughtOn } from '../tools/index.ts';
import { isSameMachine } from '../world/index.ts';
import { type ApiContext, changeSecret, hostOwner } from './context.ts';
import { identityOfUnsaved, testHost, testUnsaved } from './host-test.ts';
import {
  changesAt,
  changesToGiveUp,
  giveUpChanges,
  placesAtHost,
  pointsElsewhere,
  refuseWhileHostUsed,
  refuseWhileMeasured,
} from './in-use.ts';
import { leftoversOnHosts } from './left-behind.ts';
import { eachChange } from './watch-session.ts';

const TUNNEL_SPACING_MS = 500;

export function hostsApi(context: ApiContext): Implementation<AppContract['hosts']> {
  const { store, machines, events } = context;
  const get = (id: number): Host => existingHost(store, id);
  /** Result of the last test of an unsaved host, for a user who then saves the same settings. */
  let tested: { spec: string; facts: HostFacts } | undefined;
  return {
    list: () => store.hosts.list().map((host) => withSecretMark(context, host)),
    async save({ id, spec, secret, giveUp }) {
      const host = await saveHost(context, id, spec, secret, giveUp);
      if (tested?.spec === JSON.stringify(spec)) store.hosts.setFacts(host.id, tested.facts);
      return host;
    },
    async remove({ id, giveUp }) {
      const host = get(id);
      const { name } = host.spec;
      refuseWhileHostUsed(store, name);
      const left = changesToGiveUp(context, { name, kind: 'host', places: [{ kind: 'host', name }], giveUp });
      await context.secrets.set(hostOwner(id), null);
      machines.drop(host.spec.name);
      store.hosts.remove(id);
      giveUpChanges(context, left);
      events.changed('hosts');
      return {};
    },
    async test({ id }, { signal }): Promise<HostTest> {
      const host = get(id);
      // The user retries, so an earlier refused login no longer counts.
      machines.retry(host.spec.name);
      const test = await testHost(context, machines, host.spec.name, signal);
      if (test.result === 'ok') {
        context.sessions.wake();
        const syncs = store.hosts.facts(id)?.syncs;
        store.hosts.setFacts(id, { ...test.facts, ...(syncs && { syncs }) });
        events.changed('hosts');
      }
      return test;
    },
    async testSpec({ spec, secret }, { signal }) {
      const test = await testUnsaved(context, spec, secret ?? undefined, signal);
      tested = test.result === 'ok' ? { spec: JSON.stringify(spec), facts: test.facts } : undefined;
      return test;
    },
    ...keysApi(context),
    ...sshConfigApi(context, (spec) => saveHost(context, undefined, spec, undefined)),
    facts({ id }) {
      const facts = store.hosts.facts(get(id).id);
      return facts ? { facts } : {};
    },
    async testSyncs({ id, path }, { signal }) {
      const { name } = get(id).spec;
      refuseWhileMeasured(store, name);
      const machine = machines.get(name);
      const found = await testSyncs(machine, path, context.now, signal);
      const facts = store.hosts.facts(id) ?? (await readFacts(machine, toolsSoughtOn(name), signal));
      const others = (facts.syncs ?? []).filter((each) => each.path !== found.path);
      store.hosts.setFacts(id, { ...facts, syncs: [...others, found] });
      events.changed('hosts');
      return found;
    },
    folder: ({ host, path }, { signal }) => readFolder(machines.get(host), path, signal),
    leftBehind: () => leftoversOnHosts(context),
    ...tunnelsApi(context),
  };
}

type Topic = Partial<Implementation<AppContract['hosts']>>;

/** Known host keys. */
function keysApi({ store, machines, sessions, events, now }: ApiContext) {
  return {
    trustKey({ key }) {
      const known = store.hosts.key(key.address, key.port);
      if (known && known.fingerprint !== key.fingerprint) {
        throw new KneepointError({
          code: 'host-key-changed',
          message: `A different key is stored for ${key.address}:${key.port}: ${known.fingerprint}.`,
          host: key.host,
          safe: 'Nothing was sent to the host.',
          next: 'Find out why it changed. If the host was reinstalled, forget the old key first.',
          details: { key, known },
        });
      }
      store.hosts.setKey(key, now());
      machines.retry(key.host);
      sessions.wake();
      events.changed('hosts');
      return {};
    },
    forgetKey({ address, port }) {
      store.hosts.removeKey(address, port);
      events.changed('hosts');
      return {};
    },
  } satisfies Topic;
}

function tunnelsApi(context: ApiContext) {
  const { store, machines, events, tunnels } = context;
  return {
    async *watchTunnels({ host }, { signal }) {
      const subscribe = (wake: () => void): (() => void) => {
        const ends = [tunnels.onChanged(wake), events.listen((topic) => topic === 'tunnels' && wake())];
        return () => {
          for (const end of ends) end();
        };
      };
      for await (const _ of eachChange(subscribe, signal, TUNNEL_SPACING_MS)) yield tunnelRows(context, host);
    },
    async saveTunnel({ id, spec }) {
      machines.get(spec.host);
      const saved = id ?? store.hosts.insertTunnel(spec);
      if (id !== undefined) store.hosts.updateTunnel(savedTunnel(context, id).id, spec);
      const open = tunnels.list().some((tunnel) => tunnel.kind === 'tunnel' && tunnel.id === saved);
      if (open) await tunnels.start(saved, spec);
      events.changed('tunnels');
      return tunnelRow(context, saved);
    },
    async removeTunnel({ id }) {
      await tunnels.stop(savedTunnel(context, id).id);
      store.hosts.removeTunnel(id);
      events.changed('tunnels');
      return {};
    },
    startTunnel: ({ id }) => tunnels.start(id, savedTunnel(context, id).spec),
    async stopTunnel({ id }) {
      await tunnels.stop(savedTunnel(context, id).id);
      return tunnelRow(context, id);
    },
  } satisfies Topic;
}

function existingHost(store: Store, id: number): Host {
  const host = store.hosts.get(id);
  if (!host) throw new KneepointError({ code: 'not-found', message: 'This host no longer exists.' });
  return host;
}

/**
 * Whether an edited host still leads to the machine on which all its journal entries were written: then they can be restored there, even at another
 * address. Under another name it would not be found.
 */
async function isKnownMachine(
  context: ApiContext,
  name: string,
  spec: HostSpec,
  secret: string | null | undefined,
): Promise<boolean> {
  const entries = changesAt(context.store, placesAtHost(context.store, name));
  if (entries.length === 0 || spec.name !== name) return false;
  const now = await identityOfUnsaved(context, spec, secret ?? undefined);
  return now !== undefined && entries.every(({ identity }) => isSameMachine(identity, now));
}

async function saveHost(
  context: ApiContext,
  id: number | undefined,
  spec: HostSpec,
  secret: string | null | undefined,
  giveUp?: string,
): Promise<Host> {
  const { store, machines } = context;
  const same = store.hosts.byName(spec.name);
  if (same && same.id !== id) {
    throw new KneepointError({
      code: 'conflict',
      message: `A host named “${spec.name}” already exists.`,
      next: 'Choose another name.',
    });
  }
  const before = id === undefined ? undefined : existingHost(store, id);
  if (before?.spec.kind === 'local' || (id === undefined && spec.kind === 'local')) {
    throw new KneepointError({ code: 'bad-request', message: 'This computer needs no settings.' });
  }
  if (before && before.spec.name !== spec.name) refuseWhileHostUsed(store, before.spec.name);
  const left =
    before && pointsElsewhere(before.spec, spec) && !(await isKnownMachine(context, before.spec.name, spec, secret))
      ? changesToGiveUp(context, {
          name: before.spec.name,
          kind: 'host',
          places: placesAtHost(store, before.spec.name),
          giveUp,
        })
      : [];
  const host = before ? store.hosts.update(before.id, spec) : store.hosts.insert(spec, context.now());
  await changeSecret(context, hostOwner(host.id), secret);
  if (before) machines.drop(before.spec.name);
  machines.retry(spec.name);
  giveUpChanges(context, left);
  context.sessions.wake();
  context.events.changed('hosts');
  return withSecretMark(context, store.hosts.get(host.id) ?? host);
}

/** A secret kept for this launch only is not in the library. */
const withSecretMark = (context: ApiContext, host: Host): Host => ({
  ...host,
  hasSecret: context.secrets.has(hostOwner(host.id)),
});

function savedTunnel(context: ApiContext, id: number): { id: number; spec: TunnelSpec } {
  const saved = context.store.hosts.tunnels().find((tunnel) => tunnel.id === id);
  if (!saved) throw new KneepointError({ code: 'not-found', message: 'This tunnel no longer exists.' });
  return saved;
}

/** Saved tunnels, open or not, then the app's own streams. */
function tunnelRows(context: ApiContext, host: string | undefined): Tunnel[] {
  const open = context.tunnels.list();
  const saved = context.store.hosts.tunnels().map(({ id, spec }): Tunnel => {
    const { localPort, ...rest } = spec;
    return (
      open.find((tunnel) => tunnel.kind === 'tunnel' && tunnel.id === id) ?? {
        ...rest,
        id,
        kind: 'tunnel',
        wantedPort: localPort,
        state: 'stopped',
        connections: 0,
        bytesIn: 0,
        bytesOut: 0,
      }
    );
  });
  const all = [...saved, ...open.filter((tunnel) => tunnel.kind === 'stream')];
  return host === undefined ? all : all.filter((tunnel) => tunnel.host === host);
}

function tunnelRow(context: ApiContext, id: number): Tunnel {
  const row = tunnelRows(context, undefined).find((tunnel) => tunnel.kind === 'tunnel' && tunnel.id === id);
  if (!row) throw new KneepointError({ code: 'not-found', message: 'This tunnel no longer exists.' });
  return row;
}

/** Opens the tunnels that a user wants open whenever the app runs. A failure is shown in the tunnel's row. */
export function startTunnels(context: ApiContext): void {
  for (const { id, spec } of context.store.hosts.tunnels()) {
    if (!spec.autoStart) continue;
    context.tunnels.start(id, spec).catch((error: unknown) => {
      context.outside.log.warn('a tunnel could not be opened', { tunnel: spec.name, message: String(error) });
    });
  }
}

type Calls = Pick<Implementation<AppContract['hosts']>, 'sshConfig' | 'importSshConfig'>;

/** `save` adds a host and notifies pages of it. */
function sshConfigApi({ store }: ApiContext, save: (spec: SshHostSpec) => Promise<Host>): Calls {
  const read = (config: { file?: string | undefined; text?: string | undefined }) =>
    readSshConfig({ ...config, hasAgent: defaultAgent() !== undefined });
  const isSaved = (name: string): boolean => store.hosts.byName(name) !== undefined;
  return {
    async sshConfig(config) {
      const { file, files, entries, notes } = await read(config);
      return { file, files, notes, entries: entries.map((entry) => ({ ...entry, saved: isSaved(entry.name) })) };
    },
    async importSshConfig({ names, ...config }) {
      const { entries, jumps } = await read(config);
      const known = new Map([...entries, ...jumps].map((entry) => [entry.name, entry]));
      const added: Host[] = [];
      const skipped: { name: string; why: string }[] = [];
      for (const name of names) {
        const entry = known.get(name);
        const why = whyNot(entry, isSaved(name) && !added.some(({ spec }) => spec.name === name));
        if (why !== undefined) skipped.push({ name, why });
        else for (const spec of withJumps(entry, known)) if (!isSaved(spec.name)) added.push(await save(spec));
      }
      return { added, skipped };
    },
  };
}

function whyNot(entry: SshConfigEntry | undefined, isSaved: boolean): string | undefined {
  if (!entry) return 'The configuration has no host of this name.';
  if (isSaved) return 'A host with this name is already saved; it is unchanged.';
  return entry.problem;
}

/** A host after its jump hosts, each once. */
function withJumps(entry: SshConfigEntry | undefined, known: ReadonlyMap<string, SshConfigEntry>): SshHostSpec[] {
  if (!entry?.spec) return [];
  return [...entry.spec.jumps.flatMap((jump) => withJumps(known.get(jump), known)), entry.spec];
}
