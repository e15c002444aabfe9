import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { formSchema } from '../../shared/model/form-schema.ts';
import { readFields } from './fields.ts';
import {
  groupFields,
  isChanged,
  matchesQuery,
  problemsOf,
  problemWith,
  readText,
  shownFields,
  valueInForce,
  withValue,
} from './values.ts';

const schema = z.object({
  script: z.enum(['oltp_read_write', 'fileio']).default('oltp_read_write').meta({ title: 'Script', group: 'Workload' }),
  threads: z
    .number()
    .int()
    .min(1)
    .max(4096)
    .default(1)
    .meta({ title: 'Threads', unit: 'threads', description: 'Connections.' }),
  ssl: z
    .boolean()
    .default(false)
    .meta({ title: 'TLS', when: { option: 'script', in: ['oltp_read_write'] } }),
  cipher: z
    .string()
    .regex(/^[A-Z0-9-]+$/, 'Capital letters, digits and hyphens.')
    .optional()
    .meta({ title: 'Cipher', when: { option: 'ssl', in: [true] } }),
  rate: z
    .union([z.number(), z.literal('off')])
    .default('off')
    .meta({ title: 'Rate', unit: 'per s' }),
  percentile: z.number().nullable().default(null),
  pages: z.union([z.literal(4), z.literal(16)]).default(16),
  user: z.string().min(1),
  limit: z.number().min(1).max(86_400).default(60).meta({ unit: 's' }),
  stops: z
    .string()
    .regex(/^\d*(,\d+)*$/)
    .default('')
    .meta({ unit: 's' }),
});
const fields = readFields(formSchema(schema));
const field = (name: string) => {
  const found = fields.find((entry) => entry.name === name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
};

describe('reading a schema', () => {
  test('keeps order, words, units and defaults', () => {
    expect(fields.map((entry) => entry.name)).toEqual(Object.keys(schema.shape));
    expect(field('threads')).toMatchObject({
      title: 'Threads',
      unit: 'threads',
      description: 'Connections.',
      default: 1,
    });
    expect(field('percentile').title).toBe('percentile');
  });

  test('derives the shape, including unions and nullable types', () => {
    expect(field('script').shape).toEqual({ kind: 'choice', choices: ['oltp_read_write', 'fileio'] });
    expect(field('threads').shape).toEqual({ kind: 'number', integer: true, words: [], minimum: 1, maximum: 4096 });
    expect(field('rate').shape).toEqual({ kind: 'number', integer: false, words: ['off'] });
    expect(field('percentile').shape).toEqual({ kind: 'number', integer: false, words: [] });
    expect(field('pages').shape).toEqual({ kind: 'choice', choices: [4, 16] });
    expect(field('ssl').shape).toEqual({ kind: 'switch' });
  });

  test('requires only fields without default that are not optional', () => {
    expect(fields.filter((entry) => entry.required).map((entry) => entry.name)).toEqual(['user']);
  });

  test('ignores the limits of the number type', () => {
    const [whole] = readFields(z.toJSONSchema(z.object({ n: z.number().int() })) as Record<string, unknown>);
    expect(whole?.shape).toEqual({ kind: 'number', integer: true, words: [] });
  });
});

describe('visible fields', () => {
  const names = (values: Record<string, string | number | boolean>) =>
    shownFields(fields, values).map((entry) => entry.name);

  test('follow the effective values, including defaults', () => {
    expect(names({})).toContain('ssl');
    expect(names({ script: 'fileio' })).not.toContain('ssl');
  });

  test('exclude those that depend on a hidden one', () => {
    expect(names({ ssl: true })).toContain('cipher');
    expect(names({ ssl: true, script: 'fileio' })).not.toContain('cipher');
  });

  test('keep the order of groups by their first field', () => {
    expect(groupFields(fields).map(({ group, fields: members }) => [group, members.length])).toEqual([
      ['Workload', 1],
      ['', 9],
    ]);
  });

  test('match a search for any of their words', () => {
    expect(matchesQuery(field('threads'), 'conn')).toBe(true);
    expect(matchesQuery(field('threads'), 'conn thr')).toBe(true);
    expect(matchesQuery(field('threads'), 'conn tls')).toBe(false);
  });
});

describe('values', () => {
  test('use defaults if missing, and count as changed only if different', () => {
    expect(valueInForce(field('threads'), {})).toBe(1);
    expect(isChanged(field('threads'), {})).toBe(false);
    expect(isChanged(field('threads'), { threads: 1 })).toBe(false);
    expect(isChanged(field('threads'), { threads: 2 })).toBe(true);
    expect(withValue({ threads: 2, ssl: true }, field('threads'), undefined)).toEqual({ ssl: true });
  });

  test('are parsed from typed text, or stay as typed', () => {
    expect(readText(field('threads').shape, ' 16 ')).toBe(16);
    expect(readText(field('threads').shape, '16x')).toBe('16x');
    expect(readText(field('threads').shape, '0x10')).toBe('0x10');
    expect(readText(field('rate').shape, 'off')).toBe('off');
    expect(readText(field('pages').shape, '4')).toBe(4);
    expect(readText(field('ssl').shape, 'on')).toBe(true);
    expect(readText(field('user').shape, ' a ')).toBe(' a ');
  });

  test('accept a duration with its unit', () => {
    expect(readText(field('limit').shape, '1h30')).toBe(5400);
    expect(readText(field('limit').shape, ' 5m ')).toBe(300);
    expect(readText(field('limit').shape, '5 parsecs')).toBe('5 parsecs');
    expect(readText(field('stops').shape, '1m, 90s,100')).toBe('60,90,100');
    expect(readText(field('threads').shape, '5m')).toBe('5m');
    expect(problemWith(field('limit'), '5x')).toBe('Enter seconds, or a time such as 90s, 5m or 1h30.');
    expect(problemWith(field('limit'), 90_000)).toBe('At most 1 d.');
  });

  test.each([
    ['threads', 0, 'At least 1.'],
    ['threads', 5000, 'At most 4096.'],
    ['threads', 1.5, 'Enter a whole number.'],
    ['threads', '16x', 'Enter a whole number.'],
    ['rate', 'fast', 'Enter a number or off.'],
    ['rate', 'off', undefined],
    ['script', 'nothing', 'Choose one of oltp_read_write, fileio.'],
    ['cipher', 'aes', 'Capital letters, digits and hyphens.'],
    ['stops', 'soon', 'This does not have the expected format.'],
    ['user', '', 'Required.'],
    ['user', undefined, 'Required.'],
    ['percentile', undefined, undefined],
  ] as const)('%s = %s: %s', (name, value, problem) => {
    expect(problemWith(field(name), value)).toBe(problem);
  });

  test('of hidden fields have no problems', () => {
    expect(problemsOf(fields, { user: 'a', ssl: true, cipher: 'aes' })).toHaveProperty('cipher');
    expect(problemsOf(fields, { user: 'a', cipher: 'aes' })).toEqual({});
  });
});
