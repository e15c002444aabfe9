import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectSame, expectSameBytes } from '../../scripts/test/recorded.ts';
import type { AppContract } from '../../src/shared/contract/index.ts';
import type { Client } from '../../src/shared/rpc/define.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { createHosts, type TestHost, type TestHosts } from '../testbed/sshd/index.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';

const LIMIT_MIB = 64;
/**
 * V8 does not collect garbage while there is room: it doubles the space for young objects, or does not, and fills up to 180 MiB with old ones
 * before it checks them, of which 42 were alive. That is no measure of our own memory. With little more than that, it has to collect.
 */
const ROOM = ['--max-semi-space-size=8', '--max-old-space-size=80'];
const SECONDS = 5;
const FLOOD = process.env.KNEEPOINT_DEPTH === 'night' ? 400e6 : 100e6;

let network: TestHosts;
let host: TestHost;
let dataDir: string;
let engine: KillableEngine;
beforeAll(async () => {
  network = await createHosts(1);
  host = network.hosts[0] as TestHost;
  dataDir = newLibraryFolder('flood');
  engine = startKillable(dataDir, ROOM);
  const { address, port, user, keyFile } = host;
  const auth = { method: 'key', keyFile } as const;
  const { id } = await engine.client.hosts.save({ spec: { kind: 'ssh', name: 'loadgen', address, port, user, auth } });
  const first = await engine.client.hosts.test({ id });
  if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
  await engine.client.hosts.trustKey({ key: first.key });
});
afterAll(async () => {
  await engine?.kill();
  await network?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Lines like those of a verbose tool: all different, and no samples. */
function chatter(bytes: number): Buffer {
  let text = '';
  for (let line = 0; text.length < bytes; line++)
    text += `${line} request ${line * 7} took ${((line * 7919) % 99_991) / 1000} ms path=/item/${(line * 48_271) % 2_147_483_647}\n`;
  return Buffer.from(text);
}

const experiment = (eachSecond: string): string => `kneepoint: 1
name: Flood
workload:
  tool: command
  options:
    command: |
      i=0
      while [ $i -lt ${SECONDS} ]; do
        i=$((i + 1)); echo "second $i: $((i * 10)) done"; ${eachSecond}; sleep 1
      done
    pattern: '^second (?<t>\\d+): (?<ops>\\d+) done'
    metrics: ''
where: { generators: [loadgen] }
measure: { warmup: 0, duration: ${SECONDS}, repeats: 1 }
`;

/** Runs it to its end and returns the id of its only run. */
async function run(client: Client<AppContract>, eachSecond: string): Promise<number> {
  const { id } = await client.sessions.start({ text: experiment(eachSecond) });
  for await (const _ of client.sessions.watch({ id }));
  const [only, ...others] = await client.sessions.runs({ id });
  expect(others).toEqual([]);
  expect(only).toMatchObject({ state: 'done', partial: false, exit: { code: 0 } });
  return only?.id ?? 0;
}

/** All of the output, in pieces; each promise is awaited before the next piece is requested. */
async function* outputOf(client: Client<AppContract>, runId: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    const { bytes, total } = await client.results.raw({ runId, stream: 'stdout', offset, limit: 4_000_000 });
    yield bytes;
    offset += bytes.length;
    if (offset >= total) return;
  }
}

/**
 * The kernel's high-water mark of the memory of the engine's process (VmHWM). Samples would miss the peak, which occurs while the event loop is
 * busy; V8's figures exclude SQLite's cache and the allocator's; and getrusage's maximum is inherited from the test's process by a fork. It never
 * falls, so a quiet run and then a flood in the same process give both peaks, without the difference between two processes.
 */
function peakMiB(): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${engine.pid}/status`, 'latin1')) ?? [];
  if (kib === undefined) throw new Error('The kernel does not tell the peak of the process.');
  return Number(kib) / 1024;
}

it.skipIf(process.platform !== 'linux')(
  `keeps memory within ${LIMIT_MIB} MiB of the usual while a tool prints ${FLOOD / 1e6} MB, and loses none of it`,
  async () => {
    const { client } = engine;
    await run(client, ':');
    const quiet = peakMiB();
    const piece = chatter(FLOOD / SECONDS);
    const file = path.join(host.home, 'piece');
    writeFileSync(file, piece);
    const flooded = await run(client, `cat ${file}`);
    const flood = peakMiB();
    console.log(`peak of a quiet run ${quiet.toFixed(0)} MiB, of a flood ${flood.toFixed(0)} MiB`);
    const second = (number: number): Buffer =>
      Buffer.concat([Buffer.from(`second ${number}: ${number * 10} done\n`), piece]);
    let expected = Buffer.alloc(0);
    let seconds = 0;
    for await (const bytes of outputOf(client, flooded)) {
      while (expected.length < bytes.length && seconds < SECONDS)
        expected = Buffer.concat([expected, second(++seconds)]);
      expectSameBytes(bytes, expected.subarray(0, bytes.length));
      expected = expected.subarray(bytes.length);
    }
    expectSame('seconds of the output, and bytes that are missing', [seconds, expected.length], [SECONDS, 0]);
    expect(flood - quiet).toBeLessThan(LIMIT_MIB);
  },
);
