import type { CheckedDocument, PreflightLine } from '../../../../shared/contract/experiments.ts';
import type { PriceCatalogue } from '../../../../shared/costs/index.ts';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { LOG_KINDS, type LogEntry, type RunState } from '../../../../shared/model/session.ts';
import type { TargetDescription, TargetSpec } from '../../../../shared/model/target.ts';
import type { Changer } from '../../factors/change.ts';
import { CHANGERS } from '../../factors/index.ts';
import { FakeMachines } from '../../hosts/testing/fake-machines.ts';
import type { FakeJob } from '../../jobs/testing/fake-job.ts';
import { FakeJobs } from '../../jobs/testing/fake-jobs.ts';
import { checkText } from '../../preflight/check-text.ts';
import { preflight, requirePreflight } from '../../preflight/preflight.ts';
import type { TargetAccess } from '../../runs/context.ts';
import type { Servers } from '../../servers/server.ts';
import { openStore } from '../../store/open.ts';
import type { RunRow, SessionRow, Store } from '../../store/store.ts';
import { libraryFolder } from '../../store/testing/library.ts';
import type { Room, SettingsControl, TargetSession } from '../../targets/target.ts';
import type { Tool } from '../../tools/tool.ts';
import { Lags } from '../../trial/context.ts';
import { reingest } from '../../trial/reingest.ts';
import { OneByOne } from '../../watching/context.ts';
import type { SessionContext } from '../activity.ts';
import { Sessions } from '../sessions.ts';
import { fakeTool } from './fake-tool.ts';

export interface SessionOptions {
  trials?: number;
  /** Seconds between trials. */
  pause?: number;
  /** Whether a job creates data before the first trial. */
  prepare?: boolean;
  /** Seconds. */
  warmup?: number;
  /** Whether its jobs get a password file. */
  secret?: boolean;
  hosts?: readonly string[];
  /** More options of the tool, and factors, as a document writes them. */
  options?: string;
  factors?: string;
  data?: 'keep' | 'create' | 'recreate';
  target?: string;
  /** Steps of a trial, as a document writes them: “- { name: one }”. Absent: one step. */
  steps?: string;
  /** More settings of the measurement: “, before: { rest: 1 }”. */
  measure?: string;
  /** Measured seconds of a trial; 1 if absent. */
  duration?: number;
  /** Monitors, as a document writes them; absent: sizes are not read. */
  monitors?: string;
  /** Captures, as a document writes them. */
  captures?: string;
}

/** A database server in memory: rows of its tables, and how often it was asked. */
export interface FakeServer {
  rows: Map<string, number>;
  opened: number;
  described: number;
  counted: number;
  /** How it stores its tables, if it reports that; called at each description. */
  storage?: () => TargetDescription['storage'];
  isDown?: boolean;
  settings?: Readonly<Record<string, string>>;
  counters?: Readonly<Record<string, number>>;
  /** Its report on the disk of its data. */
  room?: Room;
  /** Seconds since its start; called before and after each trial. */
  up?: () => number | undefined;
  /** Answers a statement with its first value. */
  run?: TargetSession['run'];
  /** Answers statements of captures. */
  readTable?: TargetSession['readTable'];
  /** Its sizes on disk; a document has to ask for them. */
  stored?: TargetSession['stored'];
}

/** The disk of a host in memory: bytes of its files, and a hook that runs at each look at them. */
export interface FakeDisk {
  sizes: Map<string, number>;
  onLook: () => void;
}

const START = Date.UTC(2025, 0, 1);

/** Sessions executed against hosts in memory, on a real library in a folder of its own. */
export class SessionBed {
  readonly #folder = libraryFolder();
  readonly store: Store = openStore(this.#folder.path, { mode: 'test' });
  readonly machines: FakeMachines;
  readonly #tools: readonly Tool[];
  readonly jobs: FakeJobs;
  sessions: Sessions;
  /** Actions of the next jobs at their launch, in turn; jobs without a script keep running. */
  readonly script: ((job: FakeJob) => void)[] = [];
  /** Milliseconds on the clock of waits; a test moves it. */
  monotonic = 0;
  /** Epoch milliseconds. */
  now = START;
  /** Clock offsets of the hosts. */
  readClock: SessionContext['readClock'] = async () => ({ offsetMs: 0, roundTripMs: 1 });
  /** Number of calls of `hostsChanged`. */
  hostsChanges = 0;
  /** Replaces the facts of a host. */
  readFacts: SessionContext['readFacts'] = async (machine) => factsOf(machine.name);
  targets: TargetAccess = {
    spec: () => ({ name: 'none', kind: 'host', via: null, config: {} }),
    shown: () => undefined,
    nodes: () => [],
    connection: async () => ({ kind: 'host' }),
    connectionThroughApp: async () => ({ kind: 'host' }),
    open: async () => undefined,
  };

  catalogue: PriceCatalogue = {
    ...{ format: 'kneepoint-prices/1', compiled: '', disclaimer: '' },
    ...{ confidence: {}, sources: {}, entries: [] },
  };

  /** The folder of the app. */
  assetsDir = '/opt/kneepoint';

  /** Findings of a run from all that was monitored in it. */
  judge: (run: RunRow) => Finding[] = () => [];
  /** Hides what a test treats as a secret. */
  redact: (text: string) => string = (text) => text;
  /** Runs that were sealed, in order. */
  readonly sealed: RunRow[] = [];
  /** Sessions whose monitoring was sealed. */
  readonly sealedWatched: number[] = [];
  /** Programs that monitor hosts: none, unless a test has some. */
  monitors: SessionContext['monitors'] = {};
  #changers: readonly Changer[] = CHANGERS;
  servers: Servers = {
    of: (target) => {
      throw new Error(`The server of ${target} is not controlled.`);
    },
  };

  constructor(hosts: readonly string[] = ['one', 'two'], tools: readonly Tool[] = [fakeTool]) {
    this.#tools = tools;
    this.machines = new FakeMachines(hosts);
    this.jobs = new FakeJobs({ onLaunch: (job) => this.script.shift()?.(job) });
    this.sessions = new Sessions(this.runsContext());
  }

  /** Replaces the changers of hosts and servers from now on. */
  useChanger(changer: Changer): void {
    this.#changers = [changer];
    this.crash();
  }

  start(options: SessionOptions = {}): number {
    return this.sessions.start(documentOf(options)).id;
  }

  /** Starts as a user does, after a preflight. `later`: milliseconds between the two. */
  async startChecked(options: SessionOptions = {}, later = 0): Promise<number> {
    return this.startText(documentOf(options), later);
  }

  /** The same with a complete document. */
  async startText(text: string, later = 0): Promise<number> {
    const { signal } = new AbortController();
    const known = await requirePreflight(this.runsContext(), this.sessions, { text, destroy: [] }, { signal });
    this.monotonic += later;
    return this.sessions.start(text, known).id;
  }

  /** The last list of lines of a preflight. */
  async preflight(options: SessionOptions = {}): Promise<PreflightLine[]> {
    return this.preflightOf(documentOf(options));
  }

  /** The same for a document. */
  async preflightOf(text: string): Promise<PreflightLine[]> {
    const request = { text, destroy: [] };
    let lines: PreflightLine[] = [];
    for await (const now of preflight(this.runsContext(), this.sessions, request, new AbortController().signal))
      lines = now;
    return lines;
  }

  /** The result of `kneepoint check` for a document. */
  check(text: string): CheckedDocument {
    return checkText(this.runsContext(), text);
  }

  /** Adds a target, which is reached through the first host. */
  addServer(name = 'db', more: Pick<TargetSpec, 'server' | 'behind'> = {}): FakeServer {
    const spec: TargetSpec = { name, kind: 'mysql', via: 'one', config: {}, ...more };
    this.store.targets.insert(spec, START);
    const server: FakeServer = { rows: new Map(), opened: 0, described: 0, counted: 0 };
    const others = this.targets;
    const of = (wanted: string): boolean => wanted === name;
    const facts = { kind: 'mysql' } as const;
    this.targets = {
      spec: (wanted) => (of(wanted) ? spec : others.spec(wanted)),
      shown: (wanted) => (of(wanted) ? facts : others.shown(wanted)),
      nodes: () => [],
      connection: async (wanted) => (of(wanted) ? facts : others.connection(wanted)),
      connectionThroughApp: async (wanted) => (of(wanted) ? facts : others.connectionThroughApp(wanted)),
      open: async (wanted, signal) => (of(wanted) ? this.#connect(server) : others.open(wanted, signal)),
    };
    return server;
  }

  /** Adds a disk to the first host: a look at a folder there finds these files. */
  addDisk(): FakeDisk {
    const disk: FakeDisk = { sizes: new Map(), onLook: () => {} };
    const one = this.machines.get('one');
    one.answer = () => {
      disk.onLook();
      one.requireUp();
      const stdout = [...disk.sizes].map(([name, bytes]) => `${bytes} ${name}\n`).join('');
      return { code: 0, stdout, stderr: '' };
    };
    return disk;
  }

  #connect(server: FakeServer): TargetSession {
    const one = this.machines.get('one');
    one.requireUp();
    if (server.isDown)
      throw new KneepointError({
        code: 'target-unreachable',
        message: 'The server of “db” does not answer.',
        target: 'db',
      });
    server.opened += 1;
    return {
      ping: async () => 1,
      describe: async () => {
        server.described += 1;
        const storage = server.storage?.();
        return {
          ...{ product: 'Fake', version: '1', settings: [], readAt: START },
          ...(storage && { storage, durability: { level: 'safe', why: 'It waits.' } }),
        };
      },
      counters: async () => ({ ...server.counters }),
      countRows: async (table) => {
        one.requireUp();
        server.counted += 1;
        return server.rows.get(table);
      },
      ...(server.settings && {
        settings: async () => Object.entries(server.settings ?? {}).map(([name, value]) => ({ name, value })),
      }),
      ...(server.room && { room: async () => server.room }),
      ...(server.up && { settingsControl: async () => controlOf(server.up) }),
      ...(server.run && { run: server.run }),
      ...(server.readTable && { readTable: server.readTable }),
      ...(server.stored && { stored: server.stored }),
      close: async () => {},
    };
  }

  row(id: number): SessionRow {
    const row = this.store.sessions.get(id);
    if (!row) throw new Error(`There is no session ${id}.`);
    return row;
  }

  runs(id: number): RunRow[] {
    return this.store.runs.ofSession(id);
  }

  states(id: number): RunState[] {
    return this.runs(id).map(({ state }) => state);
  }

  log(id: number): LogEntry[] {
    return this.store.events.ofSession(id, LOG_KINDS, 0, 1000);
  }

  /** Resolves when the condition is true; checks it at each change of the session. */
  async until(id: number, condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const end = this.sessions.changes.watch(id, () => {
          end();
          resolve();
        });
      });
    }
  }

  /** The job of the running trial, as soon as one runs. */
  async running(id: number, trial: number): Promise<FakeJob> {
    await this.until(id, () => this.runs(id)[trial]?.state === 'running');
    return this.jobOf(id, trial);
  }

  jobOf(id: number, trial: number, generator = 0): FakeJob {
    const jobId = this.runs(id)[trial]?.jobs[generator]?.jobId;
    const job = this.jobs.all.find(({ spec }) => spec.id === jobId);
    if (!job) throw new Error(`Trial ${trial} of session ${id} has no job.`);
    return job;
  }

  readAgain(run: RunRow): Promise<RunRow> {
    return reingest(this.runsContext(), run);
  }

  /** Simulates that the engine is killed and started again: executed sessions of the old one never continue. */
  crash(): void {
    this.sessions = new Sessions(this.runsContext());
  }

  /** Closes the app and opens it again; nothing continues by itself. */
  async reopen(): Promise<void> {
    await this.sessions.close();
    this.sessions = new Sessions(this.runsContext());
  }

  async close(): Promise<void> {
    await this.sessions.close();
    this.store.close();
    this.#folder.remove();
  }

  #figureOf(run: RunRow, metric: string): number | undefined {
    const [series] = this.store.samples.series(run.id, metric);
    const measured = series ? [...series.v].filter((_, index) => (series.t[index] ?? 0) > run.warmup) : [];
    return measured.length > 0 ? measured.reduce((sum, value) => sum + value, 0) / measured.length : undefined;
  }

  /** The context of the engine's rooms. */
  runsContext(): SessionContext {
    return {
      store: this.store,
      machines: this.machines,
      jobs: this.jobs,
      tools: this.#tools,
      servers: this.servers,
      monitors: this.monitors,
      changers: this.#changers,
      library: 'tester@here, /library',
      targets: {
        spec: (name) => this.targets.spec(name),
        shown: (name) => this.targets.shown(name),
        nodes: (name) => this.targets.nodes(name),
        connection: (name) => this.targets.connection(name),
        connectionThroughApp: (name) => this.targets.connectionThroughApp(name),
        open: (name, signal) => this.targets.open(name, signal),
      },
      readFacts: (machine, signal) => this.readFacts(machine, signal),
      readClock: (machine, signal) => this.readClock(machine, signal),
      judge: async (run) => ({ version: 1, findings: this.judge(run), isStill: () => true }),
      judgings: new OneByOne(),
      sealed: (run) => this.sealed.push(run),
      sealedWatched: (sessionId) => this.sealedWatched.push(sessionId),
      figureOf: (run, metric) => this.#figureOf(run, metric),
      prices: () => this.catalogue,
      shownCommand: ({ argv, shown }) => shown ?? argv.join(' '),
      redact: (text) => this.redact(text),
      dataWork: new Map(),
      lags: new Lags(),
      jobsAtWork: new Set(),
      dataChanged: () => {},
      hostsChanged: () => {
        this.hostsChanges += 1;
      },
      clock: { now: () => this.now, monotonic: () => this.monotonic },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      nodePath: '/usr/bin/node',
      assetsDir: this.assetsDir,
      version: '0.1.0',
    };
  }
}

/** Control of a server that only reports its uptime. */
function controlOf(up: FakeServer['up']): SettingsControl {
  const none = async () => new Map<string, never>();
  return {
    look: async (names) => names.map(() => undefined),
    set: async () => {},
    restore: async () => {},
    changeable: async () => [],
    inMemory: none,
    ofTables: none,
    shared: async () => ({ clients: [], replicas: [], upSeconds: up?.() }),
  };
}

const documentOf = ({
  trials = 2,
  pause = 0,
  prepare = false,
  secret = false,
  warmup = 0,
  hosts = ['one'],
  ...more
}: SessionOptions): string => `kneepoint: ${more.steps === undefined ? 1 : 2}
name: Of a test
workload: { tool: fake, data: ${more.data ?? 'create'}, options: { prepare: ${prepare}, secret: ${secret}${more.options ?? ''} } }
where: { generators: [${hosts.join(', ')}]${more.target === undefined ? '' : `, target: ${more.target}`} }
${more.steps === undefined ? '' : `steps: ${more.steps}\n`}factors: ${more.factors ?? '[]'}
measure: { warmup: ${warmup}, duration: ${more.duration ?? 1}, repeats: ${trials}, pause: ${pause}${more.measure ?? ''} }
monitors: ${more.monitors ?? '{ sizes: false }'}
${more.captures === undefined ? '' : `captures: ${more.captures}\n`}`;

const factsOf = (hostname: string): HostFacts => ({
  hostname,
  os: 'Debian GNU/Linux 12',
  kernel: 'Linux 6.1',
  architecture: 'x86_64',
  cpuCount: 2,
  disks: [],
  networks: [],
  filesystems: [],
  tools: [{ tool: 'fake', found: true, version: '1.0' }],
  readAt: START,
});
