import { openStore } from '../open.ts';

/** A host as a library has it: jobs that watched it, and every stored counter by name; NaN: absent. */
export interface StoredHost {
  name: string;
  jobs: string[];
  t: number[];
  columns: Map<string, number[]>;
  damaged: number;
}

/** Hosts that were watched in a session, of a library that nobody else has open. */
export function storedHosts(dataDir: string, sessionId: number): StoredHost[] {
  const store = openStore(dataDir);
  try {
    const hosts = store.sources.ofSession(sessionId).filter(({ kind }) => kind === 'host');
    return hosts.map(({ id, name }) => {
      const { t, columns, damaged } = store.monitored.columns(id, store.monitored.names(id));
      return {
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
