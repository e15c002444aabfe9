import { readFileSync } from 'node:fs';
import { Client } from 'ssh2';
import type { TestHost } from '../e2e/testbed/sshd/index.ts';

/*
 * The minimal work of a client: a connection to each host of the first message, and a channel for each of these lengths from which a line of that
 * many bytes is read and discarded each second. Responds when all are open, and to each further message with the CPU of this process so far, in
 * microseconds.
 */

/** The first message. */
export interface Bare {
  readonly hosts: readonly TestHost[];
  readonly lengths: readonly number[];
}

function connect({ address, port, user, keyFile }: TestHost): Promise<Client> {
  const client = new Client();
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('ready', () => {
      client.setNoDelay(true);
      resolve(client);
    });
    client.connect({ host: address, port, username: user, privateKey: readFileSync(keyFile) });
  });
}

/** Resolves with the first line. */
const follow = (client: Client, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = `exec sh -c 'while printf "%0${bytes}d\\n" 7; do sleep 1; done'`;
    client.exec(script, (error, channel) => {
      if (error) reject(error);
      else channel.once('data', () => resolve()).resume();
    });
  });

const answer = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
};

process.once('disconnect', () => process.exit());
process.once('message', async (message) => {
  const { hosts, lengths } = message as Bare;
  for (const host of hosts) {
    const client = await connect(host);
    for (const bytes of lengths) await follow(client, bytes);
  }
  process.on('message', answer);
  answer();
});
