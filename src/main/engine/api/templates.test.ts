import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answerSentences } from '../../../shared/model/answer.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { NO_FACTOR_UNDER_TEST } from '../../../shared/model/finding.ts';
import { isOpenFolder } from '../../../shared/model/open-folders.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import { isMeasured, wholeSteps } from '../../../shared/model/step.ts';
import { normalFrom } from '../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { atDepth, leastOf } from '../../../shared/util/testing/depth.ts';
import { answerOf } from '../comparing/index.ts';
import { checkDocument, formatDocument, readDocument, smallForm } from '../plans/index.ts';
import { targetByKind } from '../targets/index.ts';
import { shownCommand, TOOLS } from '../tools/index.ts';
import { describeText, templates } from './templates.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const reached: [done: number, of: number][] = [];
const ALL = await templates(ROOT, (...at) => reached.push(at));
const FILES = ALL.filter(({ row }) => row === undefined);
const ROWS = ALL.filter(({ row }) => row !== undefined);

/** A document completed by a user: with a target where the template leaves the choice open. */
const completed = (text: string): string => text.replace(/^where:$/m, 'where:\n  target: my database');

/** Plans every cell as well: a template with conflicting options fails here. */
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

/** The check of a document, completed where it needs that. */
const planOf = (text: string): ReturnType<typeof check> =>
  asItIs(text).problems.length > 0 ? check(completed(text)) : asItIs(text);

/** The same for the document of this experiment, which mostly shows that without a check. */
function planOfWhole(text: string, { workload, where, factors }: Experiment): ReturnType<typeof check> {
  const needs = TOOLS.find(({ id }) => id === workload.tool)?.needs(workload.options) ?? [];
  const isOpen = where.target === undefined && !factors.some(({ kind }) => kind === 'target');
  const needsOne = needs.length > 0 && needs.every((kind) => targetByKind(kind).withoutTarget === undefined);
  if (isOpen && needsOne) return check(completed(text));
  const whole = check(text);
  return whole.problems.length > 0 ? check(completed(text)) : whole;
}

const known = new Map<string, ReturnType<typeof check>>();
/** The check of a template as it is, once. */
function asItIs(text: string): ReturnType<typeof check> {
  const checked = known.get(text) ?? check(text);
  known.set(text, checked);
  return checked;
}

test('reading them reports how many of all are read', () => {
  expect(reached).toEqual(ALL.map((_, at) => [at + 1, ALL.length]));
});

test('a published experiment is listed as its text reads', () => {
  // Reading a text takes long, and all are listed in the same way.
  for (const { id: _id, origin: _origin, row: _row, ...listed } of ROWS.filter((_, at) => at % 8 === 0))
    expect(describeText(listed.text)).toEqual(listed);
});

test('each step of a template has its use of the data', () => {
  const usesOf = (id: string) => planOf(FILES.find((file) => file.id === id)?.text ?? '').dataUses;
  expect(usesOf('sysbench-report-during-load')).toEqual([
    'changes',
    'reads',
    'may-change',
    'changes',
    'reads',
    'may-change',
  ]);
  expect(usesOf('sysbench-load-versions')?.slice(0, 2)).toEqual(['prepares', 'may-change']);
  expect(usesOf('fileio-erased-drive')).toContain('changes');
  expect(usesOf('quickstart')).toBeUndefined();
});

test('the quick start comes first, and template names differ', () => {
  expect(FILES[0]?.id).toBe('quickstart');
  expect(new Set(FILES.map((file) => file.name)).size).toBe(FILES.length);
});

test('each template belongs to one question, and each question has templates', () => {
  const questions = parse(readFileSync(`${ROOT}workloads/questions.yaml`, 'utf8')) as { templates: string[] }[];
  const listed = questions.flatMap((question) => question.templates);
  expect(listed.toSorted()).toEqual(FILES.map(({ id }) => id).toSorted());
  expect(FILES.filter(({ topic }) => topic === undefined)).toEqual([]);
  expect(questions.every(({ templates: own }) => own.length > 0)).toBe(true);
});

test('each storage template leaves its folder open, unless its own steps mount it', () => {
  const folders = FILES.flatMap(({ id, text }) => {
    const { tool, options } = asItIs(text).experiment?.workload ?? {};
    const { directory } = options ?? {};
    return (tool === 'fio' || tool === 'sysbench') && directory !== undefined ? [[id, directory] as const] : [];
  });
  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter(([, directory]) => !isOpenFolder(String(directory)))).toEqual([
    ['fileio-erased-drive', '/mnt/drive'],
  ]);
});

function once<T>(work: () => T): () => T {
  let known: { value: T } | undefined;
  return () => {
    known ??= { value: work() };
    return known.value;
  };
}

/** Durations in the head of a template, in minutes. */
const MINUTES: Readonly<Record<string, number>> = {
  'half an hour': 30,
  'three quarters of an hour': 45,
  'an hour': 60,
  'an hour and a half': 90,
  'two hours': 120,
};

describe.each(FILES.map((file) => [file.id, file] as const))('template %s', (_id, file) => {
  const planned = once(() => planOf(file.text));

  test('is complete except for the target', () => {
    const left = asItIs(file.text).problems.filter((problem) => !problem.message.includes('needs a target'));
    expect(left).toEqual([]);
    const checked = planned();
    expect(checked.problems).toEqual([]);
    expect(checked.plan?.trials.length).toBeGreaterThan(0);
    expect(checked.commands).toHaveLength(checked.plan?.cells.length ?? 0);
    expect(checked.plan?.findings.map(({ code }) => code)).not.toContain(NO_FACTOR_UNDER_TEST);
  });

  test('asks a question and describes its model', () => {
    expect(file.question).toMatch(/\?$/);
    expect(file.tags.length).toBeGreaterThan(1);
    expect(file.text).toMatch(/^# /);
    expect(file.text).toContain('# Models ');
  });

  test('has the trials of its plan and about the duration in its header', () => {
    const { outline } = file;
    const { plan } = planned();
    expect(outline).toMatchObject({ cells: plan?.cells.length, trials: plan?.trials.length, seconds: plan?.seconds });
    // Plans exclude loading data, and executions that end before their time.
    const stated =
      /^# .*seconds(?: with pauses)?: (?:about|just under|a bit over) (.+?)(?:[.,]|\b (?:for|without|on)\b|$)/m;
    const [, words] = stated.exec(file.text) ?? [];
    if (!words || !outline) return;
    const minutes = MINUTES[words] ?? Number(/^(\d+) minutes$/.exec(words)?.[1]);
    expect(Math.abs(outline.seconds / 60 - minutes) / minutes).toBeLessThan(0.26);
  });

  test('states for each price whether it is per hour, month or year', () => {
    expect(file.text).not.toMatch(/amount: [\d.]+\}/);
  });

  test('states the correct number of trials', () => {
    const stated = /^# (?:(?<count>\d+) trials|(?<one>One) trial)/m.exec(file.text)?.groups;
    if (!stated) return;
    const { plan } = planned();
    expect(plan?.trials.length).toBe(stated.one ? 1 : Number(stated.count));
  });
});

/**
 * A small form takes about two minutes, plus its data; the time around each run is a guess of three seconds, and 41 runs of one second take longer.
 */
const SMALL_SECONDS = 120;
const LONGEST_SUITE = 180;

test('there are 64 published experiments, each with a unique id and name', () => {
  expect(new Set(ROWS.map(({ id }) => id)).size).toBe(64);
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});

describe.each(ROWS.map((file) => [file.id, file] as const))('published experiment %s', (id, file) => {
  const read = once(() => readDocument(file.text).experiment as Experiment);

  test('has the published number of points and a known template', () => {
    expect(FILES.map((template) => template.id)).toContain(file.row?.template);
    const whole = planOfWhole(file.text, read());
    expect(whole.problems).toEqual([]);
    const { steps } = read();
    const measured = steps ? wholeSteps(steps).filter(isMeasured).length : 1;
    if (file.row?.points !== undefined) expect((whole.plan?.cells.length ?? 0) * measured).toBe(file.row.points);
    expect(file.text).toMatch(new RegExp(`^# ${id}: `));
    expect(file.question).toMatch(/[?.]$/);
  });

  test('names missing parts, or is complete', () => {
    expect(file.row?.state === 'partly').toBe(file.row?.missing !== undefined);
  });

  test('has a small form of at most two minutes that is mechanics only', () => {
    const small = smallForm(read()) as Experiment;
    const planned = planOfWhole(formatDocument(small), small);
    expect(planned.problems).toEqual([]);
    expect(planned.plan?.findings.map(({ code }) => code)).toContain('mechanics-only');
    const { steps = [] } = planned.experiment ?? {};
    expect(planned.plan?.seconds).toBeLessThanOrEqual(wholeSteps(steps).length > 40 ? LONGEST_SUITE : SMALL_SECONDS);
  });
});

describe('the quick start', () => {
  const { plan, problems } = check(readFileSync(`${ROOT}workloads/experiments/quickstart.yaml`, 'utf8'));

  test('takes about three minutes and needs no installation', () => {
    expect(problems).toEqual([]);
    expect(plan?.cells).toHaveLength(9);
    expect(plan?.seconds).toBeLessThan(200);
  });

  test('answers with the cost of FULL on simulated computers whose trials differ by 15 %', () => {
    const normal = normalFrom(randomFrom(20_261_127));
    const rate: Readonly<Record<string, number>> = { OFF: 80_000, NORMAL: 40_000, FULL: 8_000 };
    const factors: SessionResult['factors'] = [
      { name: 'synchronous', levels: ['OFF', 'NORMAL', 'FULL'] },
      { name: 'threads', levels: [1, 2, 4], load: 'concurrency' },
    ];
    const sessions = atDepth(400, 40);
    let [stated, held] = [0, 0];
    for (let time = 0; time < sessions; time++) {
      const cells = (plan?.cells ?? []).map(({ index, levels }): CellResult => {
        const trials = (plan?.trials ?? []).flatMap((trial, place) => (trial.cell === index ? [place] : []));
        const means = trials.map(() => (rate[String(levels.synchronous)] ?? 0) * Math.exp(0.15 * normal()));
        const value = means.reduce((sum, mean) => sum + mean, 0) / means.length;
        return { cell: index, levels, runs: [], means, trials, value, errors: 0, partial: false };
      });
      const asked = { baselines: {}, later: [], trialSeconds: 4, steps: 1 };
      const [sentence = ''] = answerSentences({ answer: answerOf({ metric: 'ops', factors, cells }, asked) });
      const [, low, high] =
        /^Fastest: synchronous OFF \(100 %\);.* FULL .*\(([\d.]+) – ([\d.]+) %\)\.$/.exec(sentence) ?? [];
      if (low === undefined) continue;
      stated += 1;
      if (Number(low) <= 10 && 10 <= Number(high)) held += 1;
    }
    expect(stated).toBe(sessions);
    expect(held).toBeGreaterThanOrEqual(leastOf(sessions, 0.95));
  });
});
