import type { Finding, LiftableFinding } from '../model/finding.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';
import { named } from '../util/format.ts';

/** Facts known before a start about the connections that its cells open; of the largest cell unless noted. */
export interface LimitFacts {
  /** Total of all generators. */
  connections: number;
  /**
   * The same of the smallest cell: what cannot hold even that is refused; otherwise there is a warning about the larger cells, which fail
   * when they run.
   */
  fewest: number;
  generators: readonly {
    name: string;
    /** Number of connections that this one opens. */
    share: number;
    /** Threads of its tool in the largest and in the smallest cell; absent: unknown. */
    threads?: { most: number; fewest: number };
    facts?: HostFacts;
    /** Known maximum of the tool's version, and its source. */
    tool?: { most: number; why: string };
  }[];
  /** Absent: the target is not reached by address and port. */
  targetAddress?: string;
  /** Number of addresses of the target that the connections alternate between. Default: 1. */
  addresses?: number;
  target?: TargetDescription;
  /** Requirements of each cell, if a pooler is in front of the target. */
  pooled?: readonly PooledCell[];
}

/** Files that a tool has open in addition to its connections: libraries, scripts, output. */
const OTHER_FILES = 50;
/** Processes and threads in addition to those of the load: shells, the connection that starts them, the tool's own. */
const OTHER_THREADS = 20;

/**
 * Whether generators and target can hold every connection: otherwise trials fail in the middle of a ladder, with only a number as the
 * reason.
 */
export function limitChecks(facts: LimitFacts): LiftableFinding[] {
  return [
    ...facts.generators.flatMap((generator) => generatorLimits(facts, generator)),
    ...targetLimits(facts),
    ...poolerLimits(facts.pooled ?? []),
  ];
}

function generatorLimits(
  { connections, fewest, generators, targetAddress, addresses = 1 }: LimitFacts,
  { name, share, facts, tool, threads }: LimitFacts['generators'][number],
): Finding[] {
  const findings: Finding[] = [];
  const enough = (most: number): string =>
    `${Math.ceil(connections / Math.max(1, most))} generators like this one can open all ${connections}${generators.length > 1 ? `; the experiment has ${generators.length}` : ''}.`;
  const fewestHere = Math.ceil(fewest / Math.max(1, generators.length));
  const files = facts?.openFilesLimit;
  if (files !== undefined && share + OTHER_FILES > files) {
    findings.push({
      code: 'open-files-limit',
      severity: fewestHere + OTHER_FILES > files ? 'block' : 'warn',
      message: `${name} allows ${files} open files per program, but ${share} connections need ${share + OTHER_FILES}.`,
      evidence: `ulimit -n = ${files}`,
      next: `Raise the limit of the account on ${name} (nofile in limits.conf, or LimitNOFILE of sshd). ${enough(files - OTHER_FILES)}`,
    });
  }
  findings.push(...threadsFindings(name, threads, facts?.threadsLimit));
  const ports = facts?.localPorts;
  const each = ports && ports.last - ports.first + 1;
  const count = each && each * addresses;
  if (targetAddress !== undefined && ports && count !== undefined && share > count) {
    findings.push({
      code: 'ports-limit',
      severity: fewestHere > count ? 'block' : 'warn',
      message:
        addresses > 1
          ? `${name} has ${each} ports for connections to each of ${addresses} addresses, ${count} in all, but ${share} are needed.`
          : `${name} has ${count} ports for connections to one address and port, but ${share} are needed.`,
      evidence: `net.ipv4.ip_local_port_range = ${ports.first} ${ports.last}; target address ${targetAddress}`,
      next: `Widen net.ipv4.ip_local_port_range on ${name} (1024 65535 gives 64512), or give the target additional addresses of the server. ${enough(count)}`,
    });
  }
  if (tool && share > tool.most) {
    findings.push({
      code: 'tool-limit',
      severity: 'warn',
      message: `${share} connections from ${name} exceed a known limit of the tool: ${tool.why}`,
      next: enough(tool.most),
    });
  }
  return findings;
}

/** A thread that cannot be created ends the tool when the load begins. */
function threadsFindings(
  name: string,
  threads: LimitFacts['generators'][number]['threads'],
  limit: HostFacts['threadsLimit'],
): Finding[] {
  if (!threads || !limit) return [];
  const remaining = Math.max(0, limit.most - limit.used - OTHER_THREADS);
  if (threads.most <= remaining) return [];
  const how =
    limit.from === 'ulimit -u'
      ? `Raise the limit of the account on ${name} (nproc in limits.conf, or LimitNPROC of sshd).`
      : `Raise the limit of the control group on ${name} (TasksMax of the user’s slice or of sshd, or that of the container).`;
  return [
    {
      code: 'threads-limit',
      severity: threads.fewest > remaining ? 'block' : 'warn',
      message: `${name} allows the account ${limit.most} processes and threads; ${limit.used} are in use, and the tool needs ${threads.most} more.`,
      evidence: `${limit.from} = ${limit.most}`,
      next: `${how} Or divide the load between more generators.`,
    },
  ];
}

function targetLimits({ connections, fewest, target }: LimitFacts): Finding[] {
  // A pooler in between holds more clients than its server.
  if (target?.middleware) return [];
  const setting = target?.settings.find(({ name }) => name === 'max_connections');
  const most = Number(setting?.value);
  if (!setting || !Number.isInteger(most) || most <= 0 || connections <= most) return [];
  return [
    {
      code: 'max-connections',
      severity: fewest > most ? 'block' : 'warn',
      message: `${fewest > most ? 'Every cell opens' : 'The largest cell opens'} more connections than the target accepts: ${connections}, where ${most} are allowed.`,
      evidence: `max_connections = ${setting.value}`,
      next: 'Raise max_connections on the target, or lower the number of threads or clients.',
    },
  ];
}

/** Requirements of a cell for a pooler, and the pooler's settings in it; absent: unknown. */
interface PooledCell {
  connections: number;
  mode?: string;
  /** Connections to the server; 0: no limit. */
  size?: number;
  mostClients?: number;
  /** Setting that limits them. Default: `max_client_conn`. */
  limitedBy?: string | undefined;
  /** Levels of the cell in words; empty without levels. */
  name?: string;
  /** How the tool sends its statements; absent: its options do not show it. */
  statements?: { transactions: boolean; prepared: boolean };
  /** Prepared statements that the pooler tracks for each connection: `max_prepared_statements`; absent: unsupported or not reported. */
  keepsPrepared?: number;
}

/** The feature that a pool mode breaks for the workload of a cell; undefined: they fit, as far as both are known. */
function mismatchOf({ mode, statements, keepsPrepared }: PooledCell): 'transactions' | 'prepared' | undefined {
  if (mode === 'statement' && statements?.transactions) return 'transactions';
  return (mode === 'statement' || mode === 'transaction') && statements?.prepared && keepsPrepared === 0
    ? 'prepared'
    : undefined;
}

const MISMATCHES = {
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
  return (['transactions', 'prepared'] as const).flatMap((mismatch): LiftableFinding[] => {
    const affected = cells.filter((cell) => mismatchOf(cell) === mismatch);
    const [first] = affected;
    if (!first) return [];
    const names = affected.flatMap(({ name }) => name || []);
    const which = affected.length === cells.length || names.length === 0 ? '' : ` Cells: ${named(names)}.`;
    const kept = mismatch === 'prepared' ? `, max_prepared_statements = ${first.keepsPrepared}` : '';
    return [
      {
        code: 'pool-mode-unfit',
        severity: 'block',
        liftedBy: { word: 'pool mode' },
        message: `${MISMATCHES[mismatch].why}${which}`,
        evidence: `pool_mode = ${first.mode}${kept}`,
        next: MISMATCHES[mismatch].next,
      },
    ];
  });
}

/** Whether the pooler holds every client, and whether all of them can work. */
function poolerLimits(cells: readonly PooledCell[]): LiftableFinding[] {
  const findings: LiftableFinding[] = modeFindings(cells);
  const tooMany = cells.filter(({ connections, mostClients }) => connections > (mostClients ?? Infinity));
  const [first] = tooMany;
  if (first) {
    const setting = first.limitedBy ?? 'max_client_conn';
    const all = tooMany.length === cells.length;
    findings.push({
      code: 'pooler-clients',
      severity: all ? 'block' : 'warn',
      message: `${all ? 'Every cell opens' : 'The largest cell opens'} more connections than the proxy accepts: ${Math.max(...tooMany.map(({ connections }) => connections))}, where ${first.mostClients} are allowed.`,
      evidence: `${setting} = ${first.mostClients}`,
      next: `Raise ${setting} of the proxy, or lower the number of threads or clients.`,
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
