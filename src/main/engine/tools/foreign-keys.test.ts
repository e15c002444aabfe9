import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMetric, metricOf } from '../../../shared/metrics/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { commandTool } from './command/index.ts';
import { fioTool } from './fio/index.ts';
import { normaliseOptions, parseText, TOOLS, tryText } from './index.ts';
import type { Tool } from './tool.ts';

/** Property names of every object, in spellings that a user, a program or a server may use. */
const OF_OBJECTS = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Function.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  'prototype',
];
const word = fc.constantFrom(...OF_OBJECTS);
const key = fc.oneof(
  { weight: 4, arbitrary: word },
  word.map((name) => name.toUpperCase()),
  fc.stringMatching(/^[A-Za-z_][\w.-]{0,12}$/),
);
const value = fc.oneof(fc.constantFrom('1', '', 'on', '0.5'), word);
/** Lines in the style of program outputs and files. */
const line = fc
  .tuple(
    fc.constantFrom(
      ...['%', '  %', '%:', '%: 1', '% = 1', '%=1', '[%]', '[%], %, 1', '[ 1s ] metrics: %=1', 'metrics total: %=1'],
      ...['    %:   12   (3 per sec.)', 'FATAL: %', "state = '%'", 'fio: %', '{"%": 1}', '"%" : {', '%(1)', '%,1,2'],
      ...['[%: Count=1, Max=2, Avg=3]', '3;fio-3.33;%;0;0', 'progress: 1.0 s, 5 tps, % 1'],
    ),
    key,
  )
  .map(([form, name]) => form.replaceAll('%', () => name));
const lines = fc.array(line, { minLength: 1, maxLength: 30 }).map((all) => `${all.join('\n')}\n`);

/** Every refusal must be a KneepointError with a message; any other error would be a crash. */
function refusedWell(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(KneepointError);
  }
}

describe.each(TOOLS.map((tool): [string, Tool] => [tool.id, tool]))(
  '%s, given names that every object has,',
  (_, tool) => {
    it('reads output without a crash and takes nothing from them', () => {
      fc.assert(
        fc.property(lines, (text) => {
          const { samples, summary } = parseText(tool, text, text);
          for (const figure of [...samples.flatMap(({ metrics }) => Object.values(metrics)), ...Object.values(summary)])
            expect(typeof figure).toBe('number');
          expect(tryText(tool, text).lines).toHaveLength(text.split('\n').length - 1);
        }),
      );
    });

    it('accepts none as an option or as a value', () => {
      const options = Object.keys(tool.options.shape);
      for (const option of options)
        for (const name of ['constructor', '__proto__'])
          expect(['string', 'number', 'boolean']).toContain(typeof normaliseOptions(tool, { [option]: name })[option]);
      fc.assert(
        fc.property(fc.oneof(key, fc.constantFrom(...options)), value, (name, given) => {
          const normal = normaliseOptions(tool, Object.fromEntries([[name, given]]));
          for (const known of Object.values(normal)) expect(['string', 'number', 'boolean']).toContain(typeof known);
          const known = options.some((option) => option === Object.keys(normal)[0]);
          if (!known) expect(tool.options.safeParse(normal).success).toBe(false);
        }),
      );
    });

    it('reads a job file with them', () => {
      const { file } = tool;
      if (!file) return;
      fc.assert(
        fc.property(fc.array(fc.tuple(key, value), { maxLength: 8 }), (pairs) => {
          const text = `[global]\n[job]\n${pairs.map(([name, given]) => `${name}=${given}`).join('\n')}\n`;
          refusedWell(() => {
            for (const { message } of file.read(text, {}).lines) expect(message).toMatch(/\w/);
          });
        }),
      );
    });
  },
);

it('fio refuses each of them in a job file, like any unknown option', () => {
  const { file } = fioTool;
  for (const name of OF_OBJECTS) {
    const read = file?.read(`[job]\nrw=randread\nsize=1m\n${name}=1\n`, {});
    expect(read?.lines.find(({ text }) => text === `${name}=1`)?.is, name).toMatch(/refused|not-in-form/);
  }
});

it('a command accepts none as a metric and reports each', () => {
  fc.assert(
    fc.property(key, (name) => {
      const options = { pattern: `(?<n>\\d+) ops`, metrics: `n = ${name}`, 'final-pattern': `(?<${name}>\\d+) in all` };
      refusedWell(() => {
        const { samples, summary } = parseText(commandTool, '5 ops\n6 in all\n', '', options);
        expect(samples.every(({ metrics }) => Object.values(metrics).every((figure) => figure === 5))).toBe(true);
        expect(summary).toEqual({ [name]: 6 });
      });
    }),
  );
});

it('a metric with such a name is unknown and is drawn as a plain one', () => {
  for (const name of OF_OBJECTS) {
    expect(isMetric(name), name).toBe(false);
    expect(metricOf(name)).toMatchObject({ id: name, label: name });
  }
});
