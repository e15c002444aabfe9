/** The shares of operations of the core workloads, and what else their files set. */
export interface Mix {
  read: number;
  update: number;
  insert: number;
  scan: number;
  readmodifywrite: number;
}

export const WORKLOADS = ['A', 'B', 'C', 'D', 'E', 'F', 'own'] as const;
export type Workload = (typeof WORKLOADS)[number];

const NONE: Mix = { read: 0, update: 0, insert: 0, scan: 0, readmodifywrite: 0 };

/** As in the files workloada to workloadf that come with YCSB. */
export const CORE_MIXES: Readonly<Record<Exclude<Workload, 'own'>, Mix>> = {
  A: { ...NONE, read: 0.5, update: 0.5 },
  B: { ...NONE, read: 0.95, update: 0.05 },
  C: { ...NONE, read: 1 },
  D: { ...NONE, read: 0.95, insert: 0.05 },
  E: { ...NONE, scan: 0.95, insert: 0.05 },
  F: { ...NONE, read: 0.5, readmodifywrite: 0.5 },
};
