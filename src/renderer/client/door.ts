import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';

/**
 * Ways to the engine: `arrived` is called for every connection made, again after one was lost; `hindered` when none can
 * be made for a reason that a person can fix. Returns how to stop.
 */
export type EngineDoor = (arrived: Arrived, hindered?: Hindered) => () => void;
type Arrived = (transport: Transport) => void;
type Hindered = (why: Obstacle) => void;

/** The same door, gone through at once: whoever asks for it later gets what has come of it by then. */
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
