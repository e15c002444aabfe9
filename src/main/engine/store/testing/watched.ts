import type { DamagedSamples } from '../../../../shared/model/monitored.ts';
import { openStore } from '../open.ts';

/** A host or server as a library has it: jobs that watched it, and every stored counter by name; NaN: absent. */
export interface StoredSource {
  kind: string;
  name: string;
  jobs: string[];
  t: number[];
  columns: Map<string, number[]>;
  damaged: readonly DamagedSamples[];
}

/** What was watched by jobs in a session, of a library that nobody else has open. */
export function storedSources(dataDir: string, sessionId: number): StoredSource[] {
  const store = openStore(dataDir);
  try {
    const watched = store.sources.ofSession(sessionId).filter(({ kind }) => kind !== 'generator');
    return watched.map(({ id, kind, name }) => {
      const { t, columns, damaged } = store.monitored.columns(id, store.monitored.names(id));
      return {
        kind,
        name,
        jobs: store.monitored.jobs(id).map(({ jobId }) => jobId),
        t: [...t],
        columns: new Map([...columns].map(([counter, values]) => [counter, [...values]])),
        damaged,
      };
    });
  } finally {
    store.close();
  }
}
