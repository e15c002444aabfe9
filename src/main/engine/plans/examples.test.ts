import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { KINDS } from '../factors/index.ts';
import { shownCommand, TOOLS } from '../tools/index.ts';
import { checkDocument } from './index.ts';

/** Generated from the code by `npm run format`; `npm run check` fails if it is outdated. */
const PAGE = readFileSync(new URL('../../../../docs/factors.md', import.meta.url), 'utf8');

const EXAMPLES = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

/** Adds the parts that an example leaves out. */
function completed(example: string): string {
  const { measure, ...parts } = parse(example) as Record<string, object>;
  return stringify({
    kneepoint: 1,
    name: 'Example',
    workload: { tool: 'sysbench', options: { threads: 8 } },
    where: { generators: ['load-1'], target: 'mysql-8.0' },
    ...parts,
    measure: { duration: 60, ...measure },
  });
}

const check = (text: string) =>
  checkDocument(text, {
    tools: TOOLS,
    connection: () => ({ kind: 'mysql', host: 'db', port: 3306, user: 'u', database: 'd' }),
    steps: (tool, { options }, { measure: { warmup, duration, seed } }, connection) => ({
      run: shownCommand(
        tool.plan({ options, connection, warmup, duration, seed, nodePath: 'node', assetsDir: '/app' }).run,
      ),
    }),
  });

test('has a section with an example for each kind', () => {
  for (const { kind, title } of KINDS)
    expect(PAGE).toMatch(new RegExp(`^## ${title}\n\n\`kind: ${kind}\`[^#]*\`\`\`yaml`, 'm'));
  expect(EXAMPLES.length).toBeGreaterThan(KINDS.length);
});

describe.each(EXAMPLES.map((example) => [example.split('\n')[1]?.trim() ?? '', example] as const))(
  'the example “%s”',
  (_first, example) => {
    test('passes the check and plans trials', () => {
      const { problems, plan } = check(completed(example));
      expect(problems).toEqual([]);
      expect(plan?.trials.length).toBeGreaterThan(0);
    });
  },
);
