import { describe, expect, it } from 'vitest';
import { keepClearText, PasswordKept, publicKeyBody, publicKeyPem, serverKeyCheck } from './password-guard.ts';

const BODY = 'QUJD'.repeat(40);
const PEM = publicKeyPem(BODY);

describe('a public key of a server', () => {
  it.each([
    ['as a file', PEM],
    ['with line ends of Windows', PEM.replaceAll('\n', '\r\n')],
    ['as MySQL’s client prints it', PEM.replaceAll('\n', '\\n')],
    ['on one line', PEM.replaceAll('\n', ' ')],
    ['as a server sends it', `${PEM}\0`],
  ])('is parsed %s', (_how, text) => {
    expect(publicKeyBody(text)).toBe(BODY);
  });

  it.each([
    ['nothing', ''],
    ['a private key', PEM.replaceAll('PUBLIC', 'PRIVATE')],
    ['two keys', PEM + PEM],
    ['a key after something else', `x${PEM}`],
    ['what is no base64', PEM.replace('QUJD', 'Q#JD')],
  ])('is not parsed from %s', (_what, text) => {
    expect(publicKeyBody(text)).toBeUndefined();
  });

  it('is formatted in lines of 64 characters', () => {
    expect(
      PEM.split('\n')
        .slice(1, -2)
        .map((line) => line.length),
    ).toEqual([64, 64, 32]);
  });
});

describe('the driver of PostgreSQL', () => {
  /** A client with a connection that records what it sends and the errors that it reports. */
  const guarded = (secret: string) => {
    const sent: string[] = [];
    const errors: unknown[] = [];
    const connection = {
      password: (text: string) => void sent.push(text),
      emit: (_event: string, error: unknown) => void errors.push(error),
    };
    keepClearText({ connection }, secret);
    return { connection, sent, errors };
  };

  it('sends a hash, and no password in clear text', () => {
    const hash = `md5${'0'.repeat(32)}`;
    const { connection, sent, errors } = guarded('geheim');
    connection.password(hash);
    connection.password('geheim');
    expect(sent).toEqual([hash]);
    expect(errors).toEqual([expect.any(PasswordKept)]);
  });

  it('does not send a password that looks like a hash', () => {
    const secret = `md5${'a'.repeat(32)}`;
    const { connection, sent } = guarded(secret);
    connection.password(secret);
    expect(sent).toEqual([]);
  });

  it('is refused if it has no such message', () => {
    expect(() => keepClearText({ connection: {} }, 'geheim')).toThrow(/cannot be kept/);
  });
});

describe('a key that a server sends for the password', () => {
  const way = { encrypted: false, endsOnServerHost: false, serverKey: undefined };

  it('is not checked over TLS, or without a pinned key on the server host', () => {
    expect(serverKeyCheck({ ...way, encrypted: true, serverKey: PEM })).toBeUndefined();
    expect(serverKeyCheck({ ...way, endsOnServerHost: true })).toBeUndefined();
  });

  it('has to be the pinned one', () => {
    const check = serverKeyCheck({ ...way, serverKey: PEM })?.('sha256_password');
    expect(() => check?.(`${PEM}\0`)).not.toThrow();
    expect(() => check?.(publicKeyPem('REVG'.repeat(40)))).toThrow(/a key other than the one pinned/);
    expect(() => serverKeyCheck(way)?.('sha256_password')(PEM)).toThrow(/a key that is not pinned/);
  });
});
