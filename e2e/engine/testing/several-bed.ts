import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import { ENDED_SESSION, type Run } from '../../../src/shared/model/session.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { type DatabaseServer, startMariaDb } from '../../testbed/databases/index.ts';
import { newLibraryFolder } from '../../testbed/library-folder.ts';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../../testbed/sshd/index.ts';
import { jobOutputs, toolOn } from './database-bed.ts';
import { type KillableEngine, startKillable } from './killable-engine.ts';

/** The hosts of the bed. The clock of the last one is three hours behind. */
export const NAMES = ['gen1', 'gen2', 'gen3', 'gen4'];
const PASSPHRASE = 'a passphrase of the vault';

/** Four generators behind SSH, a MariaDB that they reach, and an engine that can be killed and opened again. */
export class SeveralBed {
  readonly #network: TestHosts;
  readonly #database: DatabaseServer;
  readonly #dataDir = newLibraryFolder('several');
  #engine: KillableEngine | undefined;

  private constructor(network: TestHosts, database: DatabaseServer) {
    this.#network = network;
    this.#database = database;
  }

  static async start(): Promise<SeveralBed> {
    // A host with a folder "bare" has only the programs in it.
    const bashrc = '[ -d ~/bare ] && PATH=$HOME/bare || PATH=$HOME/bin:$PATH';
    const network = await createHosts(NAMES.length, { bashrc });
    // The database is on our side of the bridge, so its traffic crosses the generators' cables.
    const address = canMakeNetworks() ? network.hosts[0]?.address.replace(/\.\d+$/, '.254') : '127.0.0.1';
    const bed = new SeveralBed(network, await startMariaDb({ ...(address !== undefined && { address }) }));
    const bin = path.join(bed.hostOf('gen4').home, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'date'), '#!/bin/sh\nexec /bin/date -d "-3 hours" "$@"\n');
    chmodSync(path.join(bin, 'date'), 0o755);
    await bed.open();
    await bed.#addEverything();
    return bed;
  }

  get client(): Client<AppContract> {
    if (!this.#engine) throw new Error('No engine is open.');
    return this.#engine.client;
  }

  /** Does nothing if an engine is open. */
  async open(): Promise<void> {
    if (this.#engine) return;
    this.#engine = startKillable(this.#dataDir);
    await this.client.app.unlockVault({ passphrase: PASSPHRASE });
  }

  async kill(): Promise<void> {
    await this.#engine?.kill();
    this.#engine = undefined;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#database.stop();
    await this.#network.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }

  hostOf(name: string): TestHost {
    return this.#network.hosts[NAMES.indexOf(name)] as TestHost;
  }

  async #addEverything(): Promise<void> {
    const { client } = this;
    for (const name of NAMES) {
      const { address, port, user, keyFile } = this.hostOf(name);
      const host = await client.hosts.save({
        spec: { kind: 'ssh', name, address, port, user, auth: { method: 'key', keyFile } },
      });
      const first = await client.hosts.test({ id: host.id });
      if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
      await client.hosts.trustKey({ key: first.key });
    }
    const { address, port, user, password } = this.#database;
    await client.targets.save({
      spec: {
        name: 'mariadb',
        kind: 'mysql',
        via: 'gen1',
        config: { address, port, user, database: this.#database.database, allowCleartextPassword: true },
      },
      secret: password,
    });
  }

  /** Starts a trial, calls `meanwhile` once every generator has that many seconds, and returns the resulting run. */
  async trial(text: string, meanwhile: (run: Run) => unknown = () => {}, least = 3): Promise<Run> {
    const { id } = await this.client.sessions.start({ text });
    for await (const event of this.client.sessions.watch({ id })) {
      if (event.kind !== 'run' || event.run.state !== 'running') continue;
      const { generators = [] } = event.run;
      if (generators.length === 0 || generators.some(({ seconds }) => seconds < least)) continue;
      await meanwhile(event.run);
      break;
    }
    return this.ended(id);
  }

  async ended(id: number): Promise<Run> {
    for await (const event of this.client.sessions.watch({ id })) {
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
    }
    const [run] = await this.client.sessions.runs({ id });
    if (!run) throw new Error('There is no run.');
    return run;
  }

  /** Output of a host's jobs, by id. */
  jobsOf(name: string): Map<string, Buffer> {
    return jobOutputs(this.hostOf(name));
  }

  /** Only those of runs; preparing data starts no threads. */
  runsOf(name: string): [string, Buffer][] {
    return [...this.jobsOf(name)].filter(([, output]) => output.includes('Threads started!'));
  }

  outputsOf(name: string): Buffer[] {
    return this.runsOf(name).map(([, output]) => output);
  }

  async storedOutput(run: Run, generator: number): Promise<Buffer> {
    const { bytes } = await this.client.results.raw({ runId: run.id, generator, stream: 'stdout', limit: 1_000_000 });
    return Buffer.from(bytes);
  }

  /** The sysbench that is running on a host. */
  toolOf(name: string): number {
    return toolOn(this.hostOf(name));
  }
}

/** A trial of point selects. */
export const document = (generators: readonly string[], threads: number, seconds: number): string => `kneepoint: 1
name: Several
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 500, rate: 80, threads: ${threads} } }
where: { generators: [${generators.join(', ')}], target: mariadb }
measure: { warmup: 0, duration: ${seconds} }
`;
