import type { LiftableFinding } from '../model/finding.ts';
import { named } from '../util/named.ts';

/** Requirements of a cell for a pooler, and the pooler's settings in it; absent: unknown. */
export interface PooledCell {
  connections: number;
  mode?: string;
  /** Connections to the server; 0: no limit. */
  size?: number;
  mostClients?: number;
  /** Levels of the cell in words; empty without levels. */
  name?: string;
  /** How the tool sends its statements; absent: its options do not show it. */
  statements?: { transactions: boolean; prepared: boolean };
  /** Prepared statements that the pooler tracks for each connection: `max_prepared_statements`; absent: unsupported or not reported. */
  keepsPrepared?: number;
}

/** The feature that a pool mode breaks for the workload of a cell; undefined: they fit, as far as both are known. */
function misfitOf({ mode, statements, keepsPrepared }: PooledCell): 'transactions' | 'prepared' | undefined {
  if (mode === 'statement' && statements?.transactions) return 'transactions';
  return (mode === 'statement' || mode === 'transaction') && statements?.prepared && keepsPrepared === 0
    ? 'prepared'
    : undefined;
}

const MISFITS = {
  transactions: {
    why: 'With statement pooling, each statement may use another server connection, but the workload has transactions of several statements: the pooler refuses them.',
    next: 'Use transaction or session pooling, or a workload without transactions (skip-trx of sysbench, select-only of pgbench).',
  },
  prepared: {
    why: 'The workload uses prepared statements, but each execution may use another server connection that does not have them.',
    next: 'Set max_prepared_statements of PgBouncer (1.21 or later) above 0, send statements as text (db-ps-mode: disable of sysbench, protocol: simple of pgbench), or use session pooling.',
  },
} as const;

/** Cells whose statements cannot pass the pooler in its mode: each of their trials would fail, or measure errors. */
function modeFindings(cells: readonly PooledCell[]): LiftableFinding[] {
  return (['transactions', 'prepared'] as const).flatMap((misfit): LiftableFinding[] => {
    const unfit = cells.filter((cell) => misfitOf(cell) === misfit);
    const [first] = unfit;
    if (!first) return [];
    const names = unfit.flatMap(({ name }) => name || []);
    const which = unfit.length === cells.length || names.length === 0 ? '' : ` Cells: ${named(names)}.`;
    const kept = misfit === 'prepared' ? `, max_prepared_statements = ${first.keepsPrepared}` : '';
    return [
      {
        code: 'pool-mode-unfit',
        severity: 'block',
        liftedBy: { word: 'pool mode' },
        message: `${MISFITS[misfit].why}${which}`,
        evidence: `pool_mode = ${first.mode}${kept}`,
        next: MISFITS[misfit].next,
      },
    ];
  });
}

/** Whether the pooler holds every client, and whether all of them can work. */
export function poolerLimits(cells: readonly PooledCell[]): LiftableFinding[] {
  const findings: LiftableFinding[] = modeFindings(cells);
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
      message: `With session pooling, a client keeps its server connection until it disconnects: of ${worst.connections} clients, ${worst.size} work while the others wait.`,
      evidence: `pool_mode = session, default_pool_size = ${worst.size}`,
      next: 'Make the pool as large as the number of clients, use transaction pooling, or exclude such cells.',
    });
  return findings;
}
