import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { KneepointError } from '../../../shared/model/problem.ts';
import { parseText, TOOLS, toolById } from './index.ts';
import type { Tool } from './tool.ts';

/**
 * Typical files of users, each in a folder: outputs with log prefixes, several runs in one file, outputs of related tools, faults, and job files.
 * `expected.json` contains the correct figures, or patterns that must match a finding or a line of an opened file.
 */
const CASES = join(import.meta.dirname, 'fixtures', 'cases');

const Figures = z.record(z.string(), z.number());
const Expected = z.strictObject({
  mode: z.enum(['parse', 'import']),
  tool: z.string(),
  input: z.string(),
  options: z.record(z.string(), z.string()).optional(),
  /** Relative. */
  tolerance: z.number().default(1e-3),
  summary: Figures.optional(),
  samples: z.array(z.strictObject({ t: z.number().optional(), metrics: Figures })).optional(),
  samples_count: z.number().optional(),
  must_say: z.array(z.string()).optional(),
  must_not_say: z.array(z.string()).optional(),
  /** An error or a warning. */
  some_finding: z.boolean().optional(),
  unparsed_max: z.number().optional(),
  /** Whether it can be planned once it has a place. */
  imports: z.boolean().optional(),
  duration: z.number().optional(),
  /** Seconds by section of the resulting job file. */
  stage_runtimes: Figures.optional(),
  min_runtime: Figures.optional(),
  factors: z.record(z.string(), z.array(z.union([z.string(), z.number()]))).optional(),
  form: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
type Expected = z.infer<typeof Expected>;

function differing(what: string, found: Readonly<Record<string, number>>, right: Figures, tolerance: number): string[] {
  return Object.entries(right).flatMap(([id, value]) =>
    Math.abs((found[id] ?? Number.NaN) - value) <= Math.max(1e-6, Math.abs(value) * tolerance)
      ? []
      : [`${what}${id}: ${found[id]} instead of ${value}`],
  );
}
type Figures = z.infer<typeof Figures>;

const wordingErrors = (message: string, { must_say: wanted = [], must_not_say: unwanted = [] }: Expected): string[] => [
  ...wanted.filter((pattern) => !new RegExp(pattern, 'i').test(message)).map((pattern) => `does not say ${pattern}`),
  ...unwanted.filter((pattern) => new RegExp(pattern, 'i').test(message)).map((pattern) => `says ${pattern}`),
];

function parsed(tool: Tool, folder: string, expected: Expected): string[] {
  const read = parseText(tool, readFileSync(join(folder, expected.input)), '', expected.options ?? {}, TOOLS);
  const { samples, tolerance } = expected;
  const count = samples?.length ?? expected.samples_count ?? read.samples.length;
  return [
    ...differing('', read.summary, expected.summary ?? {}, tolerance),
    ...(count === read.samples.length ? [] : [`${read.samples.length} samples instead of ${count}`]),
    ...(samples ?? []).flatMap(({ t, metrics }, index) => {
      const found = read.samples[index];
      return [
        ...differing(`sample ${index}: `, { t: found?.t ?? Number.NaN }, t === undefined ? {} : { t }, tolerance),
        ...differing(`sample ${index}: `, found?.metrics ?? {}, metrics, tolerance),
      ];
    }),
    ...wordingErrors(read.findings.map(({ message, next }) => `${message} ${next ?? ''}`).join('\n'), expected),
    ...(expected.some_finding && !read.findings.some(({ severity }) => severity !== 'note')
      ? ['no error or warning']
      : []),
    ...(read.unparsed.length > (expected.unparsed_max ?? Number.POSITIVE_INFINITY)
      ? [`${read.unparsed.length} lines not understood`]
      : []),
  ];
}

const siblings = (folder: string) => (name: string) =>
  readdirSync(folder).includes(name) ? readFileSync(join(folder, name), 'utf8') : undefined;

/** The runtime of each section of a job file, in seconds. */
function runtimesOf(text: string): Record<string, number> {
  const found: Record<string, number> = {};
  let section = 'global';
  for (const line of text.split('\n')) {
    section = /^\[(.+)\]$/.exec(line)?.[1] ?? section;
    if (line === `[${section}]`) found[section] ??= found.global ?? Number.NaN;
    const seconds = /^runtime=(\d+)s?$/.exec(line)?.[1];
    if (seconds !== undefined) found[section] = Number(seconds);
  }
  return found;
}

function opened(tool: Tool, folder: string, expected: Expected): string[] {
  const { file } = tool;
  if (!file) return [`${tool.id} has no file`];
  const read = file.read(readFileSync(join(folder, expected.input), 'utf8'), {}, siblings(folder));
  const message = read.lines.map(({ message }) => message);
  const duration = read.measure.duration ?? 60;
  let runtimes: Record<string, number> = {};
  let isPlanned = false;
  try {
    const options = tool.options.parse({ directory: read.options.device ? undefined : '/srv', ...read.options });
    const input = { options, connection: { kind: 'host' as const }, warmup: 0, duration, seed: 1 };
    runtimes = runtimesOf(file.write({ ...input, nodePath: '/n/node', assetsDir: '/a' }));
    tool.plan({ ...input, nodePath: '/n/node', assetsDir: '/a' });
    isPlanned = true;
  } catch (error) {
    if (!(error instanceof KneepointError)) throw error;
    message.push(`${error.message} ${error.problem.next ?? ''}`);
  }
  const levels = Object.fromEntries((read.factors ?? []).map((factor) => [factor.name, factor.levels]));
  return [
    ...wordingErrors(message.join('\n'), expected),
    ...(expected.imports === undefined || expected.imports === isPlanned ? [] : [`planned: ${isPlanned}: ${message}`]),
    ...(expected.duration === undefined || expected.duration === duration ? [] : [`duration ${duration}`]),
    ...differing('runtime of ', runtimes, expected.stage_runtimes ?? {}, 0.02),
    ...Object.entries(expected.min_runtime ?? {}).flatMap(([name, least]) =>
      (runtimes[name] ?? 0) >= least ? [] : [`${name} runs ${runtimes[name]} s`],
    ),
    ...Object.entries(expected.factors ?? {}).flatMap(([name, wanted]) =>
      JSON.stringify(levels[name]) === JSON.stringify(wanted) ? [] : [`${name}: ${JSON.stringify(levels[name])}`],
    ),
    ...Object.entries(expected.form ?? {}).flatMap(([name, value]) =>
      read.options[name] === value ? [] : [`${name} = ${read.options[name]} instead of ${value}`],
    ),
  ];
}

it.each(readdirSync(CASES))('%s is read correctly, or refused with the correct reason', (name) => {
  const folder = join(CASES, name);
  const expected = Expected.parse(JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')));
  const tool = toolById(expected.tool);
  if (!tool) throw new Error(`no tool ${expected.tool}`);
  expect(expected.mode === 'parse' ? parsed(tool, folder, expected) : opened(tool, folder, expected)).toEqual([]);
});
