import type { Finding } from '../../../shared/model/finding.ts';
import type { FactsSnapshot, GrantedDevice } from '../../../shared/model/session-snapshot.ts';
import type { Seen } from '../data/index.ts';
import type { Clock } from '../outside.ts';

/** What a preflight learnt is taken as it is for this long: a start follows it at once. */
const FRESH_MS = 10_000;

/** What a preflight found out and a start needs not ask again. */
export interface StartKnowledge {
  /** Devices that may be overwritten, as they were seen. */
  granted: readonly GrantedDevice[];
  /** Warnings that did not keep it from starting. */
  findings: readonly Finding[];
  /** What a person typed to go ahead with what cannot be undone, or is used by others too. */
  confirmed: readonly string[];
  /** Absent when not all of it could be read. */
  facts?: FactsSnapshot;
  /** What was seen of data, by the key of its preparation. */
  seen: ReadonlyMap<string, Seen>;
  /** When the preflight had ended, on the clock of waits. */
  at: number;
}

export const isFresh = ({ at }: StartKnowledge, clock: Clock): boolean => clock.monotonic() - at <= FRESH_MS;
