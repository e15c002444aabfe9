import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHECKS, type Check } from '../../src/shared/checks/index.ts';
import { table } from './page-words.ts';

export const CHECKS_PAGE = 'docs/checks.md';

const HEAD = `# Checks

What Kneepoint looks for so that a result means what it seems to mean. This page is written from the checks' own words by \`npm run format\`,
and \`npm run check\` tells when it is not current.

- **block**: a session does not start. **warn**, **note**: shown before the start or beside the result, on screens, in reports and on the command line.
- Checks of a run need series of hosts and servers. What was not watched is never taken for zero: then only \`not-monitored\` is said.
- *Traps* are the numbers of the methodological traps that a check is about, as the project counts them.
`;

const WHEN: readonly (readonly [Check['when'], title: string, text: string])[] = [
  ['start', 'Before a start', 'Judged from the experiment, the hosts and the target.'],
  [
    'run',
    'Of a run',
    'Judged from every second of the tool, the hosts and the server; in a run of more than half an hour, series of hosts and server are first averaged over stretches of seconds. What bounds a run is defined in [statistics](statistics.md#what-bounds-a-run).',
  ],
  [
    'session',
    'Of a session',
    'Judged from the throughput of all runs: [warm-up and steady state](statistics.md#warm-up-and-steady-state).',
  ],
  [
    'comparison',
    'In a comparison',
    'What makes a comparison doubtful: [statistics](statistics.md#what-makes-a-comparison-unfair).',
  ],
];

/** The text of docs/checks.md. Throws where a check has no words, or has them twice. */
export function checksPage(root: string): string {
  const known = CHECKS.map(({ code }) => code);
  const twice = known.filter((code, index) => known.indexOf(code) !== index);
  const missing = codesIn(root).filter((code) => !known.includes(code));
  if (twice.length > 0 || missing.length > 0)
    throw new Error(
      `Checks without an explanation in src/shared/checks: ${missing.join(', ') || 'none'}. Explained twice: ${twice.join(', ') || 'none'}.`,
    );
  return [HEAD, ...WHEN.flatMap(section)].join('\n');
}

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

/** Where checks are written, and how a finding of one is. */
const PLACES = ['src/shared/checks', 'src/shared/stats', 'src/main/engine/results'];
const CODES = [/\bcode: '([a-z-]+)',\s*severity: /g, /\bwarning\(\s*'([a-z-]+)'/g];

/** Codes of the findings that the code of checks can make. */
function codesIn(root: string): string[] {
  const files = PLACES.flatMap((place) =>
    readdirSync(path.join(root, place), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => path.join(root, place, file)),
  );
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  return [
    ...new Set(
      CODES.flatMap((form) => texts.flatMap((text) => [...text.matchAll(form)].map(([, code]) => code ?? ''))),
    ),
  ];
}
