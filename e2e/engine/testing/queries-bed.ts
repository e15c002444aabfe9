import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expectSame } from '../../../scripts/test/recorded.ts';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import { ENDED_SESSION, type Run } from '../../../src/shared/model/session.ts';
import type { TargetKind, TargetSpec } from '../../../src/shared/model/target.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { createHosts, type TestHost, type TestHosts } from '../../testbed/sshd/index.ts';
import { type KillableEngine, startKillable } from './killable-engine.ts';

/** The host of the bed, as documents name it. */
export const HOST = 'inside';
const PASSPHRASE = 'a passphrase of the vault';

/** A server that only the host of the bed reaches, or both reach. */
interface Server {
  address: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** A host behind SSH with Node, and an engine that can be killed and opened again. */
export class QueriesBed {
  readonly #network: TestHosts;
  readonly #dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-queries-'));
  #engine: KillableEngine | undefined;

  private constructor(network: TestHosts) {
    this.#network = network;
  }

  static async start(): Promise<QueriesBed> {
    const bed = new QueriesBed(await createHosts(1, { bashrc: 'PATH=$HOME/bin:$PATH' }));
    mkdirSync(path.join(bed.host.home, 'bin'));
    bed.giveNode();
    await bed.open();
    const { address, port, user, keyFile } = bed.host;
    const spec = { kind: 'ssh', name: HOST, address, port, user, auth: { method: 'key', keyFile } } as const;
    const { id } = await bed.client.hosts.save({ spec });
    const first = await bed.client.hosts.test({ id });
    if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
    await bed.client.hosts.trustKey({ key: first.key });
    return bed;
  }

  get host(): TestHost {
    return this.#network.hosts[0] as TestHost;
  }

  get client(): Client<AppContract> {
    if (!this.#engine) throw new Error('No engine is open.');
    return this.#engine.client;
  }

  /** Installs the Node of these tests, or a script that reports another version. */
  giveNode(version?: string): void {
    const node = path.join(this.host.home, 'bin', 'node');
    rmSync(node, { force: true });
    if (version === undefined) symlinkSync(process.execPath, node);
    else writeFileSync(node, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  }

  /** Replaces one with the same name. */
  async addTarget(name: string, kind: TargetKind, server: Server, more: Partial<TargetSpec> = {}): Promise<void> {
    const { address, port, user, password, database } = server;
    const place = kind === 'mongodb' ? { url: `mongodb://${address}:${port}/` } : { address, port };
    const spec = { name, kind, via: HOST, config: { ...place, user, database }, ...more };
    const known = (await this.client.targets.list({})).find((target) => target.spec.name === name);
    if (known) await this.client.targets.remove({ id: known.id });
    await this.client.targets.save({ spec, secret: password });
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

  /** Runs of a template, cut down to few executions, a tenth of its rows and at most `most` levels of each factor, on one generator. */
  async template(id: string, target: string, generator: string, most = 3): Promise<Run[]> {
    const template = (await this.client.experiments.list({})).find((file) => file.id === id);
    const { experiment } = await this.client.experiments.check({ text: template?.text ?? '' });
    if (!experiment) throw new Error(`The template ${id} cannot be read.`);
    experiment.where = { ...experiment.where, target, generators: [generator] };
    experiment.measure.repeats = 1;
    const { queries } = experiment.workload.options;
    experiment.workload.options.executions = 3;
    experiment.workload.options.queries = String(queries)
      .replace(' + 10000 * f.d', '')
      .replace(/^.*\) f$\n/m, '');
    experiment.factors = experiment.factors.map((factor) => ({ ...factor, levels: factor.levels.slice(0, most) }));
    const { text } = await this.client.experiments.format({ experiment });
    return this.ended((await this.client.sessions.start({ text })).id);
  }

  /** Runs of an ended session. */
  async ended(id: number): Promise<Run[]> {
    for await (const event of this.client.sessions.watch({ id }))
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
    return this.client.sessions.runs({ id });
  }

  async close(): Promise<void> {
    await this.kill();
    await this.#network.close();
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

/** Runs of variants of one query: they returned the same rows, in any order. */
export function expectSameResult(runs: readonly Run[]): void {
  const [first] = runs.map(resultOf);
  expectSame(
    'rows and checksums',
    runs.map(resultOf),
    runs.map(() => first),
  );
}

const resultOf = ({ summary }: Run): unknown => [summary.result_rows, summary.result_checksum];

/** The result of a run, which is the same wherever it ran. */
export const answerOf = ({ state, message, levels, summary }: Run): unknown => ({
  state,
  message,
  levels,
  rows: summary.result_rows,
  checksum: summary.result_checksum,
  executions: summary.executions_total,
});
