import { z } from 'zod';
import { partMetric, placePart } from '../../../../shared/metrics/index.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { type Command, defineTool } from '../../tools/tool.ts';

interface Options {
  size: number;
  secret: boolean;
}

const command = (name: string, { size, secret }: Options, { password }: ConnectionFacts): Command => ({
  argv: [name, '@settings@'],
  env: {},
  files: [
    { name: 'settings', content: [size, password ?? []].flat().join(' '), mode: 0o600, secret: false },
    ...(secret ? [{ name: 'my.cnf', content: 'password=hidden', mode: 0o600, secret: true }] : []),
  ],
  plannedSeconds: 0,
});

/** Operations of all places together, and of each if there are several. */
const sampleOf = (parts: readonly number[]): Record<string, number> => ({
  ops: parts.reduce((sum, part) => sum + part, 0),
  ...(parts.length > 1 &&
    Object.fromEntries(parts.map((part, place) => [partMetric(placePart(`/${place}`), 'ops'), part]))),
});

/**
 * A tool whose data is a table of `rows` rows, a file of `bytes` bytes, or the result of its `prepare`, which cannot be inspected. A line `T OPS` is
 * a sample, `T OPS+OPS` one of two places, `T - ROUNDS` an intermediate report, `! WORDS` an immediate warning. Exit code 0 is success.
 */
export const fakeTool = defineTool(
  {
    id: 'fake',
    title: 'Fake',
    options: z.strictObject({
      size: z.number().default(1),
      prepare: z.boolean().default(false),
      secret: z.boolean().default(false),
      rows: z.number().default(0),
      bytes: z.number().default(0),
      writes: z.boolean().default(false),
      operations: z.number().default(0),
    }),
    metrics: { primary: () => 'ops' },
    parser: (_step, _options, events) => {
      const checkpoints: { t: number; summary: Record<string, number> }[] = [];
      return {
        line(text) {
          const [t = '', ops, rounds] = text.split(' ');
          if (t === '!')
            events.finding(
              { code: 'fake-held', severity: 'warn', message: 'It is held up.', evidence: text.slice(2) },
              true,
            );
          else if (ops === undefined) events.unparsed(text);
          else if (rounds !== undefined) checkpoints.push({ t: Number(t), summary: { rounds: Number(rounds) } });
          else events.sample({ t: Number(t), metrics: sampleOf(ops.split('+').map(Number)) });
        },
        end: (exit) =>
          exit?.code === 0
            ? { ok: true, summary: { rounds: 1 }, checkpoints }
            : {
                ok: false,
                summary: {},
                reason: {
                  code: 'fake-failed',
                  severity: 'error',
                  message: `It ended with ${exit?.code ?? 'nothing'}.`,
                },
              },
      };
    },
  },
  {
    summary: 'Prints what a test says.',
    drives: ['host', 'mysql'],
    needs: ({ rows }) => [rows > 0 ? 'mysql' : 'host'],
    endsAfter: ({ operations }) => operations || undefined,
    data: ({ rows, writes }) =>
      rows === 0
        ? undefined
        : { title: `${rows} rows`, tables: [{ name: 'things', rows }], shape: 'plain', written: writes },
    files: ({ bytes, writes }) =>
      bytes === 0
        ? undefined
        : {
            title: `1 file of ${bytes} bytes`,
            ...{ base: '/data', directory: '/data/fake', files: [{ name: 'things', bytes }], written: writes },
          },
    plan: ({ options, connection }) => ({
      run: command('run', options, connection),
      ...((options.prepare || options.rows > 0) && { prepare: command('prepare', options, connection) }),
      ...(options.prepare && { cleanup: command('cleanup', { ...options, size: 0 }, connection) }),
    }),
    load: { divide: (options) => options },
  },
);
