import type { Finding } from '../model/finding.ts';

/** What a cell asks of a pooler, with the settings that it has there; absent: not told. */
export interface PooledCell {
  connections: number;
  mode?: string;
  /** Connections to the server; 0: no limit. */
  size?: number;
  mostClients?: number;
}

/** Whether the pooler holds every client, and whether all of them can work. */
export function poolerLimits(cells: readonly PooledCell[]): Finding[] {
  const findings: Finding[] = [];
  const tooMany = cells.filter(({ connections, mostClients }) => connections > (mostClients ?? Infinity));
  const [first] = tooMany;
  if (first) {
    const all = tooMany.length === cells.length;
    findings.push({
      code: 'pooler-clients',
      severity: all ? 'block' : 'warn',
      message: `${all ? 'Every cell opens' : 'The largest cell opens'} more connections than the pooler accepts: ${Math.max(...tooMany.map(({ connections }) => connections))}, where ${first.mostClients} are allowed.`,
      evidence: `max_client_conn = ${first.mostClients}`,
      next: 'Raise max_client_conn of the pooler, or lower the number of threads or clients.',
    });
  }
  const waiting = cells.filter(({ mode, connections, size }) => mode === 'session' && connections > (size || Infinity));
  const [worst] = [...waiting].sort((a, b) => b.connections / (b.size ?? 1) - a.connections / (a.size ?? 1));
  if (worst)
    findings.push({
      code: 'pool-smaller-than-clients',
      severity: 'warn',
      message: `In session pooling a client keeps its connection to the server until it leaves: of ${worst.connections} clients ${worst.size} work, and the others wait until these have ended.`,
      evidence: `pool_mode = session, default_pool_size = ${worst.size}`,
      next: 'Make the pool as large as the number of clients, take transaction pooling, or leave such cells out.',
    });
  return findings;
}
