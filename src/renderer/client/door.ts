import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';

/**
 * A way to connect to the engine: `arrived` is called for every connection, again after one was lost; `hindered` if none can be made for a
 * reason that the user can fix. Returns a function that stops it.
 */
export type EngineDoor = (arrived: Arrived, hindered?: Hindered) => () => void;
type Arrived = (transport: Transport) => void;
type Hindered = (why: Obstacle) => void;

/** The same door, opened immediately: later callers get the connection made so far. */
export function openedNow(door: EngineDoor): EngineDoor {
  let tellLatest: ((arrived: Arrived, hindered?: Hindered) => void) | undefined;
  let listeners: Parameters<EngineDoor> | undefined;
  const tell = (latest: NonNullable<typeof tellLatest>): void => {
    if (listeners) latest(...listeners);
    else tellLatest = latest;
  };
  const stop = door(
    (transport) => tell((arrived) => arrived(transport)),
    (why) => tell((_arrived, hindered) => hindered?.(why)),
  );
  return (...given) => {
    listeners = given;
    tellLatest?.(...given);
    return stop;
  };
}
