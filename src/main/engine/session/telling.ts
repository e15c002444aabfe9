import type { At, Changer, DesiredSetting } from '../factors/change.ts';
import type { Server, Servers } from '../servers/server.ts';
import { placeWords } from '../world/index.ts';
import type { SessionContext } from './activity.ts';

/** Number of things that a step names; it counts the others. */
const NAMED = 2;

/** Returns the same context with changers and servers that report each step: “Restarting the server of “db””. */
export function telling(context: SessionContext, tell: (words: string) => void): SessionContext {
  return {
    ...context,
    changers: context.changers.map((changer) => toldChanger(changer, tell)),
    servers: toldServers(context.servers, tell),
  };
}

function toldChanger(changer: Changer, tell: (words: string) => void): Changer {
  const at = (words: string, { place }: At): void => tell(`${words} ${placeWords(place)}`);
  return {
    name: changer.name,
    ...(changer.needsData && { needsData: true }),
    ...(changer.ofTables && { ofTables: changer.ofTables.bind(changer) }),
    ...(changer.beside && { beside: changer.beside.bind(changer) }),
    ...(changer.isJoint && { isJoint: changer.isJoint.bind(changer) }),
    examine: (place, settings) => changer.examine(place, settings),
    isSo: (setting, value) => changer.isSo(setting, value),
    read(place, settings) {
      at(`Reading ${named(settings.map(({ what }) => what))} of`, place);
      return changer.read(place, settings);
    },
    apply(place, changes, soAlready) {
      at(`Setting ${named(changes.map(({ setting }) => settingWords(setting)))} on`, place);
      return changer.apply(place, changes, soAlready);
    },
    restore(place, things) {
      at(`Restoring ${named(things.map(({ what }) => what))} of`, place);
      return changer.restore(place, things);
    },
  };
}

const settingWords = ({ what, value }: DesiredSetting): string => `${what} = ${value}`;

const named = (all: readonly string[]): string =>
  [...all.slice(0, NAMED), ...(all.length > NAMED ? [`${all.length - NAMED} more`] : [])].join(', ');

function toldServers(servers: Servers, tell: (words: string) => void): Servers {
  return {
    of(target) {
      const server = servers.of(target);
      const told =
        (words: string, act: (signal: AbortSignal) => Promise<void>): Server['start'] =>
        (signal) => {
          tell(`${words} the server of “${target}”`);
          return act(signal);
        };
      return {
        control: server.control,
        settingsFile: server.settingsFile,
        state: (signal) => server.state(signal),
        start: told('Starting', (signal) => server.start(signal)),
        stop: told('Stopping', (signal) => server.stop(signal)),
        restart: told('Restarting', (signal) => server.restart(signal)),
        reload: told('Reloading', (signal) => server.reload(signal)),
      };
    },
  };
}
