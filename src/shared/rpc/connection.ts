import type { KneepointError } from '../model/problem.ts';
import type { Wire } from './wire.ts';

/** Receives what the far side sends for one id; `fail` when the connection ends. */
export interface Pending {
  receive(message: Wire): void;
  fail(error: KneepointError): void;
}

/** One end's view of a connection: what calls and streams need of it. */
export interface Connection {
  /** Why nothing can be asked any more. */
  readonly dead: () => KneepointError | undefined;
  open(pending: Pending): number;
  close(id: number): void;
  send(message: Wire): void;
}
