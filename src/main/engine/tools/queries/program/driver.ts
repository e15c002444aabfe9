/** What a statement gave: `rows` of a question, or as many as it changed. Values as the server wrote them; null is NULL. */
export interface Answer {
  rows: number;
  columns: string[];
  values: readonly (readonly (string | Uint8Array | null)[])[];
}

/** Rows that the server read, and the bytes of their columns before compression. */
export interface Reads {
  rows: number;
  bytes: number;
}

/** A connection to a server of one kind. Another kind is a file beside these and a line in `connect.ts`. */
export interface Driver {
  /** Product and version, in the server's words. */
  readonly server: string;
  /** Protocol and cipher, or `none`. */
  readonly encryption: string;
  run(statement: string): Promise<Answer>;
  /** The statement that asks for the plan; undefined: the server has no such thing. */
  explain(statement: string, how: 'explain' | 'analyze'): string | undefined;
  /** Executes it once more with the server's profile; undefined: it has none. */
  profile?(statement: string): Promise<Answer>;
  /** Rows and bytes read for each execution of this statement so far, on average; undefined: it keeps no account of it, or the account may not ask. */
  reads?(statement: string): Promise<Reads | undefined>;
  /** Ends what the server is doing for us, from a second connection. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** The server asked for the password in a form from which it can be read back. Thrown in place of sending it. */
export class PasswordKept extends Error {
  readonly code = 'PASSWORD_KEPT';
  constructor(asked: string) {
    super(`The server asked for the password ${asked}, without TLS. It was not sent.`);
    this.name = 'PasswordKept';
  }
}
