import { type Experiment, Experiment as ExperimentSchema } from '../../../../shared/model/experiment.ts';
import type { Cell } from '../../../../shared/model/plan.ts';
import type { RunRow, Store } from '../../store/store.ts';

/** One stored run: what its generators printed, second by second from t = 1 on. */
export interface Measured {
  cell: number;
  repeat?: number;
  state?: RunRow['state'];
  partial?: boolean;
  errors?: number;
  /** Further final figures, by name. */
  summary?: Readonly<Record<string, number>>;
  /** Metric → value per second, of generator 0; an array of such for several generators. */
  seconds: Record<string, readonly number[]> | readonly Record<string, readonly number[]>[];
  /** When the tool of each generator started, epoch milliseconds; together when absent. */
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

/** All combinations, the last factor fastest. */
export const cellsOf = (factors: Record<string, (string | number)[]>): Cell[] =>
  Object.entries(factors)
    .reduce<Cell['levels'][]>(
      (cells, [name, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [name]: level }))),
      [{}],
    )
    .map((levels, index) => ({ index, levels }));

/** Stores a session with these runs and gives its id. `experiment`: what it was started from; its warm-up and duration stay the bed's. */
export function storeSession(
  store: Store,
  cells: readonly Cell[],
  runs: readonly Measured[],
  experiment: Experiment = experimentOf({}),
): number {
  const { id } = store.sessions.insert(
    {
      uuid: crypto.randomUUID(),
      state: 'done',
      tags: [],
      createdAt: 1_700_000_000_000,
      snapshot: {
        experiment,
        experimentText: 'name: Ladder\n',
        plan: { cells: [...cells], trials: [], seconds: 0, findings: [] },
        findings: [],
        appVersion: '0.1.0',
        primaryMetric: 'tps',
      },
    },
    runs.map(({ cell, repeat }, trial) => ({
      trial,
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

function ingest(store: Store, runId: number, generator: number, metrics: Record<string, readonly number[]>): void {
  const length = Math.max(0, ...Object.values(metrics).map((values) => values.length));
  const samples = Array.from({ length }, (_, index) => ({
    t: index + 1,
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, values]) => [name, values[index] as number])),
  }));
  store.samples.ingest({ runId, generator, stream: 'stdout', offset: 0, bytes: Buffer.from('output\n'), samples });
}
