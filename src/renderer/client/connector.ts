import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';

/**
 * A way to connect to the engine: `onConnected` is called for every connection, again after one was lost; `onBlocked` if none can be made for a
 * reason that the user can fix. Returns a function that stops it.
 */
export type EngineConnector = (onConnected: OnConnected, onBlocked?: OnBlocked) => () => void;
type OnConnected = (transport: Transport) => void;
type OnBlocked = (why: Obstacle) => void;

/** The same connector, called immediately: later callers get the connection made so far. */
export function connectNow(connector: EngineConnector): EngineConnector {
  let notifyLatest: ((onConnected: OnConnected, onBlocked?: OnBlocked) => void) | undefined;
  let listeners: Parameters<EngineConnector> | undefined;
  const notify = (latest: NonNullable<typeof notifyLatest>): void => {
    if (listeners) latest(...listeners);
    else notifyLatest = latest;
  };
  const stop = connector(
    (transport) => notify((onConnected) => onConnected(transport)),
    (why) => notify((_onConnected, onBlocked) => onBlocked?.(why)),
  );
  return (...given) => {
    listeners = given;
    notifyLatest?.(...given);
    return stop;
  };
}
