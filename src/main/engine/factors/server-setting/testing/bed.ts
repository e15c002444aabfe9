import { commanded, type DatabaseServer } from '../../../../../../e2e/testbed/databases/index.ts';
import { createServersBed, type ServersBed } from '../../../servers/testing/bed.ts';
import type { At, Change, Changer, DesiredSetting, Found } from '../../change.ts';

/** Actions of a session on the server of a saved target, before and after trials. */
export interface SettingSession {
  readonly at: At;
  setting(what: string, value: string): DesiredSetting;
  /** Applies settings that differ, and returns their first state. */
  reach(changer: Changer, settings: readonly DesiredSetting[]): Promise<Change[]>;
  read(changer: Changer, settings: readonly DesiredSetting[]): Promise<(string | null)[]>;
  restore(changer: Changer, changes: readonly Change[]): Promise<void>;
}

/** The same for a server started with given settings. */
export interface SettingBed extends SettingSession {
  /** Settings file that Kneepoint writes; MySQL and MariaDB only. */
  readonly settingsFile: string;
  readonly pidFile: string;
  close(): Promise<void>;
}

interface BedOptions {
  /** Settings left out of its command line, where they would override everything else. */
  readonly without?: readonly string[];
  /** `unknown`: the target does not have the server's place. */
  readonly control?: 'commands' | 'none' | 'unknown';
  readonly config?: Readonly<Record<string, unknown>>;
  readonly password?: string;
  readonly kind?: string;
}

const signal = new AbortController().signal;

/** The same server started by custom commands, so it can be restarted with other settings. */
export async function settingBed(database: DatabaseServer, options: BedOptions = {}): Promise<SettingBed> {
  const { without = [], control = 'commands' } = options;
  const isPostgres = database.product === 'postgres';
  const commands = commanded(database, without);
  const { start, stop, settingsFile, pidFile } = commands;
  const bed = createServersBed();
  const { address, port, user, password, database: name } = database;
  bed.save(
    {
      name: 'db',
      kind: options.kind ?? (isPostgres ? 'postgres' : 'mysql'),
      config: { address, port, user, database: name, ...options.config },
    },
    options.password ?? password,
    control === 'unknown'
      ? undefined
      : {
          host: 'db1',
          control: control === 'none' ? { kind: 'none' } : { kind: 'commands', start, stop },
          ...(isPostgres ? {} : { settingsFile }),
          limitSeconds: 30,
        },
  );
  if (control === 'commands') {
    await database.kill(isPostgres ? 'SIGINT' : 'SIGTERM');
    await bed.server('db').start(signal);
  }
  const session = sessionOn(bed, 'db');
  return {
    ...session,
    settingsFile,
    pidFile,
    async close() {
      if (control === 'commands') await bed.server('db').stop(signal);
      await database.stop();
      commands.remove();
    },
  };
}

export function sessionOn(bed: ServersBed, target: string): SettingSession {
  const at: At = {
    place: { kind: 'server', name: target },
    machine: () => bed.context.machines.get('db1'),
    server: () => bed.server(target),
    target: () => bed.context.targets.spec(target),
    async connected(use) {
      const session = await bed.context.targets.open(target);
      if (!session) throw new Error('This kind has no server.');
      try {
        return await use(session);
      } finally {
        await session.close();
      }
    },
    signal,
  };
  return {
    at,
    setting: (what, value) => ({ changer: 'server-setting', place: at.place, what, value }),
    async reach(changer, settings) {
      const first = await changer.read(at, settings);
      const changes = settings.flatMap((setting, index): Change[] =>
        changer.matches(setting, first[index]?.value ?? null) ? [] : [{ setting, first: first[index] as Found }],
      );
      await changer.apply(at, changes);
      return changes;
    },
    read: async (changer, settings) => (await changer.read(at, settings)).map(({ value }) => value),
    restore: (changer, changes) =>
      changer.restore(
        at,
        changes.map(({ setting, first }) => ({ what: setting.what, first })),
      ),
  };
}
