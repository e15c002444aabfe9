import { CHECKS, type Check } from '../../src/shared/checks/index.ts';
import { ProblemCode } from '../../src/shared/model/problem.ts';
import { type WrittenFinding, writtenFindings } from './findings.ts';
import { table } from './page-words.ts';

export const CHECKS_PAGE = 'docs/checks.md';

const HEAD = `# Checks

What Kneepoint checks so that a result means what it seems to mean. \`npm run format\` generates this page from the code, and
\`npm run check\` fails if it is out of date.

- **block**: a session does not start. **warn**, **note**: shown before the start or with the result, on screens, in reports and on the command line.
- Checks of a run need series of hosts and servers. Missing series never count as zero: the only finding is then \`not-monitored\`.
- Every finding is listed: checks with their explanation, all others with their message in the code.
- *Traps* are the numbers of the methodological traps that a check detects, as the project counts them.
`;

const WHEN: readonly (readonly [Check['when'], title: string, text: string])[] = [
  ['start', 'Before a start', 'Judged from the experiment, the hosts and the target.'],
  [
    'run',
    'In a run',
    'Judged from every second of the tool, the hosts and the server; in a run of more than half an hour, series of hosts and server are first averaged over several seconds. Definition: [bottlenecks of a run](statistics/bounds.md).',
  ],
  ['session', 'In a session', 'Judged from the throughput of all runs: [is it steady?](statistics/steady.md).'],
  ['comparison', 'In a comparison', 'Reasons to doubt a comparison: [fair comparisons](statistics/fairness.md).'],
];

/** The text of docs/checks.md. Throws if a check has no texts, or has them twice, or if a finding cannot be listed. */
export function checksPage(root: string): string {
  const known = CHECKS.map(({ code }) => code);
  const twice = known.filter((code, index) => known.indexOf(code) !== index);
  const written = writtenFindings(root);
  const missing = written.filter(
    ({ file, code }) => PLACES.some((place) => file.startsWith(place)) && !known.includes(code),
  );
  if (twice.length > 0 || missing.length > 0)
    throw new Error(
      `Checks without an explanation in src/shared/checks: ${missing.map(({ code }) => code).join(', ') || 'none'}. Explained twice: ${twice.join(', ') || 'none'}.`,
    );
  const others = written.filter(({ code }) => !known.includes(code));
  return [HEAD, ...WHEN.flatMap(section), ...othersOf(others), ...problems(), UNSEEN].join('\n');
}

/** Findings that are not checks, by their source. */
const OTHERS: readonly (readonly [title: string, text: string, isOf: (file: string) => boolean])[] = [
  [
    'In the output of a tool',
    'From the output of a tool, and from how it ended. An *error* means that the run is not a result. `…` is a placeholder.',
    (file) => file.startsWith('src/main/engine/tools/'),
  ],
  [
    'In a document, a preflight and a running trial',
    'Obstacles to a start, actions before a trial, and events while it ran.',
    (file) => !file.startsWith('src/main/engine/tools/'),
  ],
];

function othersOf(all: readonly WrittenFinding[]): string[] {
  return OTHERS.flatMap(([title, text, isOf]) => {
    const codes = Map.groupBy(
      all.filter(({ file }) => isOf(file)),
      ({ code }) => code,
    );
    const rows = [...codes]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([code, found]) => otherRow(code, found));
    return [`## ${title}\n`, `${text}\n`, table(['finding', 'severity', 'message', 'source'], rows)];
  });
}

function otherRow(code: string, found: readonly WrittenFinding[]): string[] {
  const words = found.map(({ message }) => message).find((message) => /[a-z]{3}/.test(message));
  const places = found.map(({ file }) => /^src\/(?:main\/engine|shared)\/(?:tools\/)?([\w-]+)/.exec(file)?.[1] ?? file);
  const severities = [...new Set(found.flatMap(({ severity }) => severity.split(' or ')))];
  return [
    `\`${code}\``,
    severities.join(' or '),
    words ?? 'the message of the tool or the server',
    [...new Set(places)].join(', '),
  ];
}

/** A refusal, or a query that failed, is a line of a preflight with the code of the problem. */
const problems = (): string[] => [
  '## Problems as findings\n',
  `Anything that could not be checked before a start blocks with the code of the problem (\`src/shared/model/problem.ts\`): ${ProblemCode.options.map((code) => `\`${code}\``).join(', ')}.\n`,
];

const UNSEEN = `## Not checked, and why

- **Staleness of a proxy's cache (T19)**: a cache of results in a proxy (ProxySQL, MaxScale, ScaleArc) is visible only in its administration interface, not over a connection through it. Caches of the server itself are detected (\`results-cached\`).
- **Cipher of the tool's own connections (T34)**: MySQL and MariaDB report the cipher of a connection only to that connection. PostgreSQL reports those of all connections to accounts with pg_monitor; they are counted each second (*Connections by encryption*). For all servers, Kneepoint records whether the tool encrypts, the cipher of its own connection, and the server's TLS library; PostgreSQL reports the name of the library without a version, ClickHouse and MongoDB report nothing.
- **From a pooler to its server (T32)**: the round trip from each generator to the address that it connects to is measured. Only the pooler knows the path behind it.
- **Environment and NUMA policy of a server (T78)**: only the server's own account and root can read them. Any account can read parent, control group, limits, CPUs and memory nodes. In a container without its host's /proc nothing can be read.
- **Working set of a custom workload (T05)**: the rows that custom scripts and statements read, and the final size of their data, are unknown beforehand. For other workloads the title of each chart shows the size of the data in relation to the server’s cache, and a finding (\`few-rows-met\`) how few rows half of the accesses use.
`;

function section([when, title, text]: (typeof WHEN)[number]): string[] {
  const checks = CHECKS.filter((check) => check.when === when);
  return [`## ${title}\n`, `${text}\n`, table(['check', 'severity', 'why', 'what to do', 'traps'], checks.map(rowOf))];
}

const rowOf = ({ code, title, severity, traps, why, avoid }: Check): string[] => [
  `**${title}** \`${code}\``,
  [severity].flat().join(' or '),
  why,
  avoid,
  traps.join(', '),
];

/** Places where a finding is that of a check, and so is explained. */
const PLACES = ['src/shared/checks/', 'src/shared/stats/', 'src/main/engine/comparing/', 'src/main/engine/results/'];
