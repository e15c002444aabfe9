import { CHECKS, type Check } from '../../src/shared/checks/index.ts';
import { ProblemCode } from '../../src/shared/model/problem.ts';
import { type WrittenFinding, writtenFindings } from './findings.ts';
import { table } from './page-words.ts';

export const CHECKS_PAGE = 'docs/checks.md';

const HEAD = `# Checks

What Kneepoint looks for so that a result means what it seems to mean. This page is written from the checks' own words by \`npm run format\`,
and \`npm run check\` tells when it is not current.

- **block**: a session does not start. **warn**, **note**: shown before the start or beside the result, on screens, in reports and on the command line.
- Checks of a run need series of hosts and servers. What was not watched is never taken for zero: then only \`not-monitored\` is said.
- Every finding is listed: checks by their words, all others as the code writes them.
- *Traps* are the numbers of the methodological traps that a check is about, as the project counts them.
`;

const WHEN: readonly (readonly [Check['when'], title: string, text: string])[] = [
  ['start', 'Before a start', 'Judged from the experiment, the hosts and the target.'],
  [
    'run',
    'Of a run',
    'Judged from every second of the tool, the hosts and the server; in a run of more than half an hour, series of hosts and server are first averaged over stretches of seconds. Definition: [what bounds a run](statistics/bounds.md).',
  ],
  ['session', 'Of a session', 'Judged from the throughput of all runs: [is it steady?](statistics/steady.md).'],
  ['comparison', 'In a comparison', 'What makes a comparison doubtful: [fair comparisons](statistics/fairness.md).'],
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
    'Read from what a tool printed, and from how it ended. An *error* says that the run is not a result. `…` stands for what is filled in.',
    (file) => file.startsWith('src/main/engine/tools/'),
  ],
  [
    'Of a document, a preflight and a run under way',
    'What stands against a start, what was done before a trial, and what happened while it ran.',
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
    return [`## ${title}\n`, `${text}\n`, table(['finding', 'severity', 'what it says', 'from'], rows)];
  });
}

function otherRow(code: string, found: readonly WrittenFinding[]): string[] {
  const words = found.map(({ message }) => message).find((message) => /[a-z]{3}/.test(message));
  const places = found.map(({ file }) => /^src\/(?:main\/engine|shared)\/(?:tools\/)?([\w-]+)/.exec(file)?.[1] ?? file);
  const severities = [...new Set(found.flatMap(({ severity }) => severity.split(' or ')))];
  return [
    `\`${code}\``,
    severities.join(' or '),
    words ?? 'as the tool or the server says it',
    [...new Set(places)].join(', '),
  ];
}

/** A refusal, or a query that failed, is a line of a preflight with the code of the problem. */
const problems = (): string[] => [
  '## Problems as findings\n',
  `Whatever could not be looked at before a start blocks with the code of the problem (\`src/shared/model/problem.ts\`): ${ProblemCode.options.map((code) => `\`${code}\``).join(', ')}.\n`,
];

const UNSEEN = `## Not looked for, and why

- **Staleness of a proxy's cache (T19)**: a cache of results in a proxy (ProxySQL, MaxScale, ScaleArc) is told by its own administration only, not over a connection through it. Caches of the server itself are found (\`results-cached\`).
- **Cipher of the tool's own connections (T34)**: MySQL and MariaDB tell the cipher of a connection to that connection alone; PostgreSQL tells those of all, which are counted each second (*Connections by encryption*), to accounts with pg_monitor. Of all servers are recorded whether the tool encrypts, the cipher that the server agrees on with Kneepoint, and the server's TLS library; of its library PostgreSQL tells the name without a version, ClickHouse and MongoDB tell nothing.
- **From a pooler to its server (T32)**: the round trip from each generator to what it connects to is measured. What lies behind that is known to the pooler alone.
- **Environment and NUMA policy of a server (T78)**: they can be read by the server's own account or root only. Parent, control group, limits, CPUs and memory nodes can be read by all. In a container without its host's /proc nothing is.
- **Working set of a workload of one's own (T05)**: which rows own scripts and statements read is not known beforehand, nor how large their data is to become. Of other workloads the title of each chart says how large the data is against the server’s cache, and a finding (\`few-rows-met\`) how few rows half of the accesses meet.
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
