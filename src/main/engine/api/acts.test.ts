import { afterEach, beforeEach, expect, it } from 'vitest';
import { toolWords } from '../../../shared/model/session-words.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { windowOf } from '../monitored/index.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { libraryFolder } from '../store/testing/library.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const FACTORS = { threads: [1] };
const STEPS = [
  { name: 'index', tool: 'step-statement', metric: 'took_s' },
  { name: 'reads', tool: 'sysbench', metric: 'tps' },
];

it('shows a step that ends by itself from its start to its end, whatever its planned time', () => {
  const runs = STEPS.map((_, step) => ({ cell: 0, repeat: 0, step, seconds: { tps: [1, 2] } }));
  const id = storeSession(store, cellsOf(FACTORS), runs, experimentOf(FACTORS), undefined, STEPS);
  const [index, reads] = store.runs.ofSession(id).map((run) => {
    const startedAt = 1_800_000_000_000;
    return store.runs.update(run.id, { startedAt, endedAt: startedAt + 90_000, jobs: [] });
  });
  if (!index || !reads) throw new Error('There are two runs.');
  const seconds = (run: typeof index): number => {
    const { zero = 0, to = 0 } = windowOf(store, run) ?? {};
    return (to - zero) / 1000;
  };
  expect(seconds(index)).toBe(90);
  expect(seconds(reads)).toBe(reads.warmup + reads.duration);
});

it('lists the tools of the workload, not those of waits, statements and commands', () => {
  expect(toolWords({ steps: STEPS, tool: 'sysbench' })).toBe('sysbench');
  expect(toolWords({ steps: STEPS.slice(0, 1), tool: 'step-statement' })).toBe('step-statement');
  expect(toolWords({ tool: 'fio' })).toBe('fio');
});
