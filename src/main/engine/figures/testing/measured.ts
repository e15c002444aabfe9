import { type Experiment, Experiment as ExperimentSchema } from '../../../../shared/model/experiment.ts';
import type { Cell, Plan, SessionStep } from '../../../../shared/model/plan.ts';
import type { IngestBatch, Latencies, RunRow, Store } from '../../store/store.ts';

/** One stored run: what its generators printed, second by second from t = 1 on. */
export interface Measured {
  cell: number;
  repeat?: number;
  /** If not 0, the run belongs to the same trial as the run before it. */
  step?: number;
  state?: RunRow['state'];
  partial?: boolean;
  errors?: number;
  /** Additional final figures by name. */
  summary?: Readonly<Record<string, number>>;
  /** Metric → value per second, of generator 0; an array of such for several generators. */
  seconds: Record<string, readonly number[]> | readonly Record<string, readonly number[]>[];
  /** Facts of hosts and servers read before the run. */
  facts?: RunRow['facts'];
  findings?: RunRow['findings'];
  /** Epoch milliseconds. */
  startedAt?: number;
  /** Start of each generator's tool, epoch milliseconds. Default: all at once. */
  started?: readonly number[];
}

export const WARMUP = 2;
export const DURATION = 4;

/** An experiment with these factors, a warm-up of 2 s and 4 measured seconds. */
export const experimentOf = (factors: Record<string, (string | number)[]>, options = {}): Experiment =>
  ExperimentSchema.parse({
    kneepoint: 1,
    name: 'Ladder',
    workload: { tool: 'sysbench', options },
    where: {},
    factors: Object.entries(factors).map(([name, levels]) => ({ name, levels })),
    measure: { warmup: WARMUP, duration: DURATION },
  });

/** All combinations; the last factor varies fastest. */
export const cellsOf = (factors: Record<string, (string | number)[]>): Cell[] =>
  Object.entries(factors)
    .reduce<Cell['levels'][]>(
      (cells, [name, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [name]: level }))),
      [{}],
    )
    .map((levels, index) => ({ index, levels }));

const stepOf = ({ workload: { tool } }: Experiment): SessionStep => ({
  tool,
  metric: tool === 'observation' ? null : 'tps',
});

/**
 * Stores a session with these runs and returns its id. `experiment` is stored with it, but warm-up and duration stay those of this module.
 */
export function storeSession(
  store: Store,
  cells: readonly Cell[],
  runs: readonly Measured[],
  experiment: Experiment = experimentOf({}),
  plan: Plan = { cells: [...cells], trials: [], seconds: 0, findings: [] },
  steps: readonly SessionStep[] = [stepOf(experiment)],
): number {
  let trial = -1;
  const { id } = store.sessions.insert(
    {
      uuid: crypto.randomUUID(),
      state: 'done',
      tags: [],
      createdAt: 1_700_000_000_000,
      snapshot: {
        experiment,
        experimentText: 'name: Ladder\n',
        plan,
        findings: [],
        appVersion: '0.1.0',
        steps,
      },
    },
    runs.map(({ cell, repeat, step = 0 }) => ({
      trial: step > 0 ? trial : ++trial,
      step,
      cell,
      repeat: repeat ?? 0,
      levels: cells[cell]?.levels ?? {},
      warmup: experiment.measure.warmup,
      duration: experiment.measure.duration,
    })),
  );
  store.runs.ofSession(id).forEach((row, index) => {
    const run = runs[index] as Measured;
    const generators = 'length' in run.seconds ? (run.seconds as Record<string, readonly number[]>[]) : [run.seconds];
    generators.forEach((metrics, generator) => {
      ingest(store, row.id, generator, metrics as Record<string, readonly number[]>);
    });
    store.runs.update(row.id, {
      state: run.state ?? 'done',
      partial: run.partial ?? false,
      ...(run.facts && { facts: run.facts }),
      ...(run.findings && { findings: run.findings }),
      ...(run.startedAt !== undefined && { startedAt: run.startedAt }),
      jobs: generators.map((_, index) => ({
        host: `generator ${index}`,
        jobId: `job ${index}`,
        startedAt: run.started?.[index] ?? 0,
      })),
      summary: { ...(run.errors !== undefined && { errors_total: run.errors }), ...run.summary },
    });
    store.samples.seal(row.id);
  });
  return id;
}

/** A tool's parsed output. */
interface ReadRun {
  samples: IngestBatch['samples'];
  summary: Record<string, number>;
  latencies?: Latencies;
}

/** Stores parsed outputs as the repeats of one cell, all measured from the tool's first second on. */
export const storeRead = (store: Store, reads: readonly ReadRun[]) =>
  storeReadCells(store, {}, [reads], { warmup: 0, duration: 100_000 });

/** Like `storeRead`, for the repeats of several cells, measured alternately. */
export function storeReadCells(
  store: Store,
  factors: Record<string, (string | number)[]>,
  reads: readonly (readonly ReadRun[])[],
  measure: { warmup: number; duration: number },
) {
  const cells = cellsOf(factors);
  const experiment = experimentOf(factors);
  experiment.measure = { ...experiment.measure, ...measure };
  const most = Math.max(...reads.map((runs) => runs.length));
  const order = Array.from({ length: most }, (_, repeat) =>
    reads.flatMap((runs, cell) => (runs[repeat] ? [{ cell, repeat, read: runs[repeat] }] : [])),
  ).flat();
  const runs = order.map(({ cell, repeat }) => ({ cell, repeat, seconds: {} }));
  const id = storeSession(store, cells, runs, experiment);
  store.runs.ofSession(id).forEach((run, index) => {
    const { samples = [], summary = {}, latencies = {} } = order[index]?.read ?? {};
    store.samples.clearSamples(run.id);
    const offset = store.samples.offset(run.id, 0, 'stdout');
    store.samples.ingest({ runId: run.id, generator: 0, stream: 'stdout', offset, bytes: new Uint8Array(0), samples });
    store.samples.seal(run.id);
    store.latencies.set(run.id, latencies);
    store.runs.update(run.id, { summary });
  });
  return { id, context: { experiment, plan: { cells, trials: [], seconds: 0, findings: [] } } };
}

function ingest(store: Store, runId: number, generator: number, metrics: Record<string, readonly number[]>): void {
  const length = Math.max(0, ...Object.values(metrics).map((values) => values.length));
  const samples = Array.from({ length }, (_, index) => ({
    t: index + 1,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, values]) => [name, values[index] as number])),
  }));
  store.samples.ingest({ runId, generator, stream: 'stdout', offset: 0, bytes: Buffer.from('output\n'), samples });
}
