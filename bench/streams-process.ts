import { readFileSync } from 'node:fs';
import { Client } from 'ssh2';
import type { TestHost } from '../e2e/testbed/sshd/index.ts';

/*
 * The least that a client must do: a connection to each host of the first message, a line a second read and dropped. Answers when all are open, and
 * each further message with the CPU of this process so far, microseconds.
 */

function connect({ address, port, user, keyFile }: TestHost): Promise<void> {
  const client = new Client();
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('ready', () => {
      client.setNoDelay(true);
      const script = `exec sh -c 'while printf "%0128d\\n" 7; do sleep 1; done'`;
      client.exec(script, (error, channel) => {
        if (error) reject(error);
        else channel.once('data', () => resolve()).resume();
      });
    });
    client.connect({ host: address, port, username: user, privateKey: readFileSync(keyFile) });
  });
}

const answer = (): void => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
};

process.once('disconnect', () => process.exit());
process.once('message', async (hosts) => {
  for (const host of hosts as TestHost[]) await connect(host);
  process.on('message', answer);
  answer();
});
