import { hostname, userInfo } from 'node:os';
import type { AppContract } from '../../../shared/contract/index.ts';
import { describeProblem, KneepointError } from '../../../shared/model/problem.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { createRedactor, type Redactor } from '../../../shared/util/redact.ts';
import { CHANGERS } from '../factors/index.ts';
import { comparedCaptures, runDifferences } from '../figures/index.ts';
import { createMachines, createRelays, createTunnels, readClock, readFacts } from '../hosts/index.ts';
import { createJobs } from '../jobs/index.ts';
import { Precomputation } from '../judging/index.ts';
import { commandMonitor, hostMonitor } from '../monitors/index.ts';
import type { Log, Outside } from '../outside.ts';
import { figureOfRun, Overviews } from '../results/index.ts';
import { createSecrets } from '../secrets/index.ts';
import { openServer } from '../servers/index.ts';
import { type SessionContext, Sessions } from '../session/index.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { shownCommand, TOOLS, toolsSoughtOn } from '../tools/index.ts';
import { Lags } from '../trial/index.ts';
import { OneByOne } from '../watching/index.ts';
import { appApi } from './app.ts';
import { changesApi } from './changes.ts';
import { type ApiContext, Events, hostOwner, Prices, requireSession } from './context.ts';
import { costsApi } from './costs.ts';
import { dataSetsApi } from './data-sets.ts';
import type { Known } from './evidence-facts.ts';
import { experimentsApi } from './experiments.ts';
import { PendingFigures } from './figures.ts';
import { hostsApi, startTunnels } from './hosts.ts';
import { judgeRun } from './judging.ts';
import { monitorsApi, rulesOf } from './monitors.ts';
import { precomputeTasks } from './precompute.ts';
import { Rejudging } from './rejudging.ts';
import { reportsApi } from './reports.ts';
import { knownFigures } from './result-of.ts';
import { resultsApi } from './results.ts';
import { resumeInterrupted, takeStopRequests } from './resuming.ts';
import { sessionsApi } from './sessions.ts';
import { createTargetAccess } from './target-access.ts';
import { targetsApi } from './targets.ts';

function capturesApi({ store }: ApiContext): Implementation<AppContract['captures']> {
  return {
    list({ sessionId, runId }) {
      const all = store.captures.ofSession(requireSession({ store }, sessionId).id);
      return runId === undefined ? all : all.filter((each) => each.runId === runId);
    },
    content: ({ id }) => store.captures.content(id),
    differences({ runId }) {
      const run = store.runs.get(runId);
      if (!run) throw new KneepointError({ code: 'not-found', message: `There is no run ${runId}.`, run: runId });
      return store.reading(() => runDifferences(store, run));
    },
    compare({ one, other }) {
      const rows = (ids: readonly number[]) => ids.flatMap((id) => store.runs.get(id) ?? []);
      return store.reading(() => comparedCaptures(store, rows(one), rows(other)));
    },
  };
}

/** A server whose own client was tried in vain is read over the app's connection some seconds later. */
const FIRST_SAMPLE_MS = 10_000;

export interface Api {
  implementation: Implementation<AppContract>;
  close(): Promise<void>;
}

/** Opens the library and builds the rooms on it. If a room cannot be built, the library is closed again, for the next attempt. */
export async function createApi(outside: Outside): Promise<Api> {
  const { clock } = outside;
  const events = new Events();
  const store = openStore(outside.dataDir, {
    mode: outside.mode,
    nodePath: outside.nodePath,
    now: () => clock.now(),
    onCorrected: (sentence) => outside.log.warn(sentence),
    onConverting: (sentence) => outside.log.warn(sentence),
    shared: outside.shared ?? false,
    onReadOnly(problem) {
      outside.log.error(problem.message);
      events.changed('library');
    },
  });
  const readOnly = store.readOnly();
  if (readOnly && readOnly.code !== 'store-busy') outside.log.warn(describeProblem(readOnly));
  try {
    return await buildRooms(outside, store, events);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Builds the rooms in order of their dependencies, and the contract's topics on top. */
async function buildRooms(outside: Outside, store: Store, events: Events): Promise<Api> {
  const { clock } = outside;
  const redactor = createRedactor();
  const log = redactedLog(outside.log, redactor);
  const secrets = await createSecrets({
    dataDir: outside.dataDir,
    rows: store.secrets,
    known: (text) => redactor.add(text),
    ...(outside.keychain && { keychain: outside.keychain }),
    ...(outside.guessCost && { guessCost: outside.guessCost }),
  });
  const machines = createMachines({
    resolve(name) {
      const host = store.hosts.byName(name);
      return host && { spec: host.spec, secret: () => secrets.get(hostOwner(host.id)) };
    },
    trustedKey: (address, port) => store.hosts.key(address, port),
  });
  const relays = createRelays();
  const targets = createTargetAccess({ store, secrets, machines, relays });
  const redact = (text: string): string => redactor.redact(text);
  const prices = new Prices(outside.assetsDir);
  const known = { store, catalogue: () => prices.catalogue() };
  const runs = sessionContext({
    outside,
    store,
    events,
    log,
    machines,
    jobs: createJobs(),
    targets,
    redact,
    prices,
    known,
    precomputation: () => precomputation,
  });
  const sessions = new Sessions(runs);
  const overviews = new Overviews(store, knownFigures);
  const figures = new PendingFigures(overviews, log);
  const judging = new Rejudging(known, runs, (sessionId) => sessions.changes.changed(sessionId));
  const context: ApiContext = {
    outside: { ...outside, log },
    store,
    secrets,
    machines,
    tunnels: createTunnels(machines),
    runs,
    sessions,
    overviews,
    figures,
    prices,
    judging,
    events,
    now: () => clock.now(),
  };
  const precomputation = new Precomputation(precomputeTasks(context));
  const endRequests = store.readOnly() ? () => {} : takeStopRequests(context);
  const close = async (): Promise<void> => {
    endRequests();
    await figures.close();
    await precomputation.close();
    await judging.close();
    await sessions.close();
    await context.tunnels.close();
    await relays.close();
    await machines.close();
    store.close();
  };
  try {
    startTunnels(context);
    if (outside.resumeSessions !== false && !store.readOnly()) resumeInterrupted(context);
    if (!store.readOnly()) {
      judging.resume();
      precomputation.resume();
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { implementation: topics(context), close };
}

const topics = (context: ApiContext): Implementation<AppContract> => ({
  app: appApi(context),
  hosts: hostsApi(context),
  targets: targetsApi(context),
  dataSets: dataSetsApi(context),
  experiments: experimentsApi(context),
  sessions: sessionsApi(context),
  changes: changesApi(context),
  results: resultsApi(context),
  monitors: monitorsApi(context),
  captures: capturesApi(context),
  costs: costsApi(context),
  reports: reportsApi(context),
});

interface Parts extends Pick<SessionContext, 'store' | 'machines' | 'jobs' | 'targets' | 'redact' | 'log'> {
  readonly outside: Outside;
  readonly events: Events;
  readonly prices: Prices;
  readonly known: Known;
  /** A function, because it needs the sessions, which need this. */
  precomputation(): Precomputation;
}

/** Context of sessions and the rooms below them. */
function sessionContext(parts: Parts): SessionContext {
  const { outside, store, events, log, machines, jobs, targets, redact, prices, known, precomputation } = parts;
  return {
    store,
    machines,
    jobs,
    tools: TOOLS,
    targets,
    servers: {
      of: (target) => openServer({ machines, jobs, targets, redact, log }, target),
    },
    monitors: { host: hostMonitor, command: commandMonitor, servers: true, firstSampleMs: FIRST_SAMPLE_MS },
    changers: CHANGERS,
    library: `${userInfo().username}@${hostname()}, ${outside.dataDir}`,
    async readFacts(machine, signal) {
      const facts = await readFacts(machine, toolsSoughtOn(machine.name), signal);
      // A session reads the same facts of a host as a test.
      const host = store.hosts.byName(machine.name);
      if (host) {
        store.hosts.setFacts(host.id, facts);
        events.changed('hosts');
      }
      return facts;
    },
    readClock: (machine, signal) => readClock(machine, signal ? { signal } : {}),
    judge: (run, signal) => judgeRun(known, run, signal),
    judgings: new OneByOne(),
    figureOf: (run, metric) => figureOfRun(store, run, metric, rulesOf),
    sealed: (run) => precomputation().after(run),
    sealedWatched: (sessionId) => precomputation().session(sessionId),
    prices: () => prices.catalogue(),
    shownCommand,
    redact,
    dataWork: new Map(),
    lags: new Lags(),
    jobsAtWork: new Set(),
    dataChanged: () => events.changed('dataSets'),
    hostsChanged: () => events.changed('hosts'),
    clock: outside.clock,
    log,
    nodePath: outside.nodePath,
    assetsDir: outside.assetsDir,
    version: outside.version,
  };
}

/** Hides every known secret in all log entries. */
function redactedLog(log: Log, redactor: Redactor): Log {
  const hide = (value: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
    value && (JSON.parse(redactor.redact(JSON.stringify(value))) as Record<string, unknown>);
  return {
    info: (message, fields) => log.info(redactor.redact(message), hide(fields)),
    warn: (message, fields) => log.warn(redactor.redact(message), hide(fields)),
    error: (message, fields) => log.error(redactor.redact(message), hide(fields)),
  };
}
