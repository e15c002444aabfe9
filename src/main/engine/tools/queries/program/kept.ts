/** The server asked for the password in a form from which it can be read back. Thrown in place of sending it. */
export class PasswordKept extends Error {
  readonly code = 'PASSWORD_KEPT';
  constructor(asked: string) {
    super(`The server asked for the password ${asked}, without TLS. It was not sent.`);
    this.name = 'PasswordKept';
  }
}
