import type { z } from 'zod';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { ServerPlace, type TargetSpec } from '../../../../shared/model/target.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import type { Machine } from '../../hosts/machine.ts';
import { createJobs } from '../../jobs/index.ts';
import { targetByKind } from '../../targets/index.ts';
import type { TargetSession } from '../../targets/target.ts';
import { directly } from '../../targets/testing/servers.ts';
import { openServer } from '../index.ts';
import type { Server, ServersContext } from '../server.ts';

/** Saved targets and the hosts of their servers, as in a library. */
export interface ServersBed {
  readonly context: ServersContext;
  /** Logged warnings. */
  readonly warnings: string[];
  /** Without `place`, it is unknown where the server runs. */
  save(spec: Omit<TargetSpec, 'via' | 'server'>, password: string, place?: z.input<typeof ServerPlace>): void;
  server(target: string): Server;
  connect(target: string): Promise<Required<TargetSession>>;
}

/** Connections go directly from this computer. The machines are the given ones and this computer. */
export function createServersBed(machines: Readonly<Record<string, Machine>> = {}): ServersBed {
  const saved = new Map<string, { spec: TargetSpec; password: string }>();
  const warnings: string[] = [];
  const local = createLocalMachine();
  const find = (name: string) => {
    const found = saved.get(name);
    if (found) return found;
    throw new KneepointError({ code: 'not-found', message: `There is no target named “${name}”.` });
  };
  const typed = (name: string) => {
    const { spec, password } = find(name);
    const type = targetByKind(spec.kind);
    return { type, config: type.config.parse(spec.config), password };
  };
  const open = (name: string, signal?: AbortSignal) => {
    const { type, config, password } = typed(name);
    return type.open?.(config, password, directly, signal) ?? Promise.reject(new Error('This kind has no server.'));
  };
  const context: ServersContext = {
    machines: { get: (name) => machines[name] ?? local },
    jobs: createJobs({ pollMs: 200 }),
    targets: {
      spec: (name) => find(name).spec,
      connection(name) {
        const { type, config, password } = typed(name);
        return Promise.resolve(type.facts(config, password));
      },
      open,
    },
    redact: (text) =>
      [...saved.values()].reduce((all, { password }) => (password ? all.replaceAll(password, '[hidden]') : all), text),
    log: { warn: (sentence) => void warnings.push(sentence) },
  };
  return {
    context,
    warnings,
    save: (spec, password, place) =>
      void saved.set(spec.name, {
        spec: { ...spec, via: null, ...(place && { server: ServerPlace.parse(place) }) },
        password,
      }),
    server: (target) => openServer(context, target),
    async connect(target) {
      const session = await open(target);
      if (!session.settings || !session.sizes || !session.sessions) throw new Error('This kind has no server.');
      return session as Required<TargetSession>;
    },
  };
}

/** Reads a setting from the server, over a separate connection. */
export async function settingOf(bed: ServersBed, target: string, name: string): Promise<string | undefined> {
  const session = await bed.connect(target);
  try {
    return (await session.settings()).find((setting) => setting.name === name)?.value;
  } finally {
    await session.close();
  }
}
