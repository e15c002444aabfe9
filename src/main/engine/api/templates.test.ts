import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../plans/index.ts';
import { shownCommand, TOOLS } from '../tools/index.ts';
import { templates } from './experiments.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FILES = templates(ROOT);

/** A document as a person completes it: with a target where the template leaves the choice open. */
const completed = (text: string): string => text.replace(/^where:$/m, 'where:\n  target: my database');

/** Plans every cell as well: a template whose options do not go together fails here. */
const check = (text: string) =>
  checkDocument(text, {
    tools: TOOLS,
    connection: () => ({ kind: 'host', host: 'db', port: 3306, user: 'u', database: 'd' }),
    steps: (tool, { options }, { measure }, facts) => {
      const { warmup, duration, seed } = measure;
      const connection = { ...facts, kind: tool.needs(options)[0] ?? 'host' };
      const plan = tool.plan({ options, connection, warmup, duration, seed, nodePath: 'node', assetsDir: '/app' });
      return { run: shownCommand(plan.run) };
    },
  });

test('the quick start comes first, and names differ', () => {
  expect(FILES[0]?.id).toBe('quickstart');
  expect(new Set(FILES.map((file) => file.name)).size).toBe(FILES.length);
});

describe.each(FILES.map((file) => [file.id, file] as const))('template %s', (_id, file) => {
  test('is complete but for the choice of a target', () => {
    const asItIs = check(file.text);
    const left = asItIs.problems.filter((problem) => !problem.message.includes('needs a target'));
    expect(left).toEqual([]);
    const checked = asItIs.problems.length > 0 ? check(completed(file.text)) : asItIs;
    expect(checked.problems).toEqual([]);
    expect(checked.plan?.trials.length).toBeGreaterThan(0);
    expect(checked.commands).toHaveLength(checked.plan?.cells.length ?? 0);
  });

  test('asks a question and says what it models', () => {
    expect(file.question).toMatch(/\?$/);
    expect(file.tags.length).toBeGreaterThan(1);
    expect(file.text).toMatch(/^# /);
    expect(file.text).toContain('# Models ');
  });

  test('says truthfully how many trials it has', () => {
    const said = /^# (?:(?<count>\d+) trials|(?<one>One) trial)/m.exec(file.text)?.groups;
    if (!said) return;
    const asItIs = check(file.text);
    const { plan } = asItIs.problems.length > 0 ? check(completed(file.text)) : asItIs;
    expect(plan?.trials.length).toBe(said.one ? 1 : Number(said.count));
  });
});

test('the quick start takes about two minutes and needs nothing', () => {
  const { plan, problems } = check(readFileSync(`${ROOT}workloads/experiments/quickstart.yaml`, 'utf8'));
  expect(problems).toEqual([]);
  expect(plan?.cells).toHaveLength(9);
  expect(plan?.seconds).toBeLessThan(150);
});
