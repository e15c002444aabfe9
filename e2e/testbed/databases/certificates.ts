import { chmodSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { runToEnd } from './processes.ts';

export interface Certificates {
  caFile: string;
  certificateFile: string;
  keyFile: string;
}

/** A certificate authority created for one server, and that server's certificate for the given names. Ten days are enough for a test. */
export function makeCertificates(directory: string, names: readonly string[]): Certificates {
  const file = (name: string): string => join(directory, name);
  const [caKey, caFile, keyFile, request, certificateFile, extensions] = [
    file('ca-key.pem'),
    file('ca.pem'),
    file('server-key.pem'),
    file('server.csr'),
    file('server.pem'),
    file('extensions.cnf'),
  ];
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  const subject = (name: string): string[] => ['-subj', `/CN=${name}`];
  runToEnd([
    'openssl',
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    caKey,
    '-out',
    caFile,
    '-days',
    '10',
    ...subject('Kneepoint test CA'),
  ]);
  runToEnd(['openssl', 'req', ...newKey, '-keyout', keyFile, '-out', request, ...subject(names[0] ?? 'localhost')]);
  writeFileSync(
    extensions,
    `subjectAltName=${names.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',')}\n`,
  );
  const sign = ['-CA', caFile, '-CAkey', caKey, '-CAcreateserial', '-days', '10', '-extfile', extensions];
  runToEnd(['openssl', 'x509', '-req', '-in', request, '-out', certificateFile, ...sign]);
  // The format that old servers can also read.
  runToEnd(['openssl', 'rsa', '-traditional', '-in', keyFile, '-out', keyFile]);
  chmodSync(keyFile, 0o600);
  return { caFile, certificateFile, keyFile };
}
