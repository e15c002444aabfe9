import type { Transport } from '../../shared/rpc/define.ts';
import type { Obstacle } from './access.ts';

/**
 * Ways to the engine: `arrived` is called for every connection made, again after one was lost; `hindered` when none can
 * be made for a reason that a person can fix. Returns how to stop.
 */
export type EngineDoor = (arrived: (transport: Transport) => void, hindered?: (why: Obstacle) => void) => () => void;
