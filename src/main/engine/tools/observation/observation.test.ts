import { describe, expect, it } from 'vitest';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import { ObservationOptions, observationTool } from './index.ts';

const plan = (seconds: Partial<{ warmup: number; duration: number }> = {}) =>
  observationTool.plan({
    options: ObservationOptions.parse({}),
    connection: { kind: 'host' },
    ...{ warmup: 0, duration: 60, seed: 1, nodePath: '/n/node', assetsDir: '/a', ...seconds },
  });

/** The outcome of a trial whose wait had this output and exit status. */
function judged(output: readonly string[], exit: ExitStatus | undefined, untilStopped = false) {
  const seen = { samples: 0, findings: [] as string[], unparsed: [] as string[] };
  const parser = observationTool.parser('run', ObservationOptions.parse({ 'until-stopped': untilStopped }), {
    sample: () => (seen.samples += 1),
    finding: ({ code }) => seen.findings.push(code),
    unparsed: (line) => seen.unparsed.push(line),
  });
  for (const line of output) parser.line(line, 'stdout');
  const { ok, summary, reason } = parser.end(exit);
  return { ok, summary, reason: reason?.code, ...seen };
}

const WHOLE = ['Watching for 60 s.', 'The whole time has passed.'];
const NOTHING = { summary: {}, samples: 0, unparsed: [] };

describe('a monitored trial', () => {
  it('is one wait on the generator for warm-up and measured time', () => {
    const { run, prepare, cleanup } = plan({ warmup: 5.5, duration: 60 });
    expect(run.argv.slice(-1)).toEqual(['66']);
    expect(run).toMatchObject({ plannedSeconds: 66, files: [] });
    expect([prepare, cleanup]).toEqual([undefined, undefined]);
  });

  it('is complete after its time, without figures of its own', () => {
    expect(judged(WHOLE, { code: 0 })).toEqual({ ...NOTHING, ok: true, reason: undefined, findings: [] });
  });

  it('is incomplete if the wait ended early, whatever its exit code', () => {
    expect(judged(WHOLE.slice(0, 1), { code: 0 })).toMatchObject({ ok: false, reason: 'output-truncated' });
    expect(judged(WHOLE.slice(0, 1), { code: 143, signal: 'SIGTERM' })).toMatchObject({
      ok: false,
      reason: 'killed-by-signal',
    });
    expect(judged([], { code: 127 })).toMatchObject({ ok: false, reason: 'tool-missing' });
  });

  it('that is open-ended is complete only if it was stopped', () => {
    const judgement = judged(WHOLE.slice(0, 1), { code: 143, signal: 'SIGTERM' }, true);
    expect(judgement).toEqual({ ...NOTHING, ok: true, reason: undefined, findings: ['ended-when-told'] });
    expect(judged(WHOLE, { code: 0 }, true)).toMatchObject({ ok: true, findings: [] });
    expect(judged(WHOLE.slice(0, 1), { code: 137, signal: 'SIGKILL' }, true)).toMatchObject({ ok: false });
    expect(judged(WHOLE.slice(0, 1), undefined, true)).toMatchObject({ ok: false });
  });

  it('keeps other output as unread lines', () => {
    expect(judged(['sleep: invalid time interval'], { code: 1 })).toMatchObject({
      ok: false,
      unparsed: ['sleep: invalid time interval'],
    });
  });
});
