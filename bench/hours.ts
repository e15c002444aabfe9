import { randomUUID } from 'node:crypto';
import { makePlan, readDocument } from '../src/main/engine/plans/index.ts';
import { openStore } from '../src/main/engine/store/open.ts';
import { toolById } from '../src/main/engine/tools/index.ts';
import { batches } from './library.ts';

export const RUNS = 64;
export const SECONDS = 36_000;
export const METRICS = 20;
const WARMUP = 600;
const START = 1_700_000_000_000;
const ROWS_PER_BATCH = 4000;

const DOCUMENT = `kneepoint: 1
name: Sixty-four runs of ten hours
workload: { tool: sysbench }
where: { generators: [this computer] }
factors:
  - { name: threads, levels: [${Array.from({ length: 16 }, (_, index) => 2 * (index + 1)).join(', ')}] }
measure: { warmup: ${WARMUP}, duration: ${SECONDS - WARMUP}, repeats: 4 }
`;

/** Stores a session of sixteen cells with four runs of ten hours each, twenty metrics per second; returns its id. */
export function addHours(dataDir: string): number {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    const { experiment, problems } = readDocument(DOCUMENT);
    const tool = toolById('sysbench');
    if (!experiment || !tool) throw new Error(problems[0]?.message ?? 'There is no sysbench.');
    const plan = makePlan(experiment, { tool, kindOf: () => 'mysql' });
    if (plan.trials.length !== RUNS) throw new Error(`The plan has ${plan.trials.length} trials and not ${RUNS}.`);
    const snapshot = {
      ...{ experiment, experimentText: DOCUMENT, plan, findings: plan.findings },
      ...{ appVersion: '0.1.0', steps: [{ tool: 'sysbench', metric: 'tps' }] },
    };
    const { id } = store.sessions.insert(
      { uuid: randomUUID(), state: 'done', tags: [], createdAt: START, snapshot },
      plan.trials.map(({ index, cell, repeat }) => ({
        ...{ trial: index, cell, repeat },
        levels: plan.cells[cell]?.levels ?? {},
        ...{ warmup: experiment.measure.warmup, duration: experiment.measure.duration },
      })),
    );
    store.sessions.update(id, { startedAt: START, endedAt: START + RUNS * SECONDS * 1000 });
    for (const [index, run] of store.runs.ofSession(id).entries()) {
      for (const batch of batches(run.id, SECONDS, ROWS_PER_BATCH)) store.samples.ingest(batch);
      const startedAt = START + index * SECONDS * 1000;
      store.runs.update(run.id, {
        ...{ state: 'done', exit: { code: 0 }, startedAt, endedAt: startedAt + SECONDS * 1000 },
        jobs: [{ host: 'this computer', jobId: randomUUID() }],
      });
      store.samples.seal(run.id);
    }
    return id;
  } finally {
    store.close();
  }
}
