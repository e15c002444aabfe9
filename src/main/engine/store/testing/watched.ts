import type { DamagedSamples } from '../../../../shared/model/monitored.ts';
import { openStore } from '../open.ts';

/** A host or server as stored in a library: its monitoring jobs, and every stored counter by name; NaN if absent. */
export interface StoredSource {
  kind: string;
  name: string;
  jobs: string[];
  t: number[];
  columns: Map<string, number[]>;
  damaged: readonly DamagedSamples[];
}

/** Monitored sources of a session with their jobs, from a library that no other process has open. */
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
