import { describe, expect, it } from 'vitest';
import { isLoopback, publicKeyBody, publicKeyPem } from './virtual-disk.ts';

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

it.each(['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'LOCALHOST'])('%s is this machine', (address) => {
  expect(isLoopback(address)).toBe(true);
});

it.each(['', '10.0.0.1', '127.0.0.1.example.org', 'localhost.example.org', '127.1', '::2', '0.0.0.0'])(
  '%s may be another machine',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
