import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Finding } from '../../../shared/model/finding.ts';
import { RestartParser, withRestarts } from './restarts.ts';
import { perform } from './testing/perform.ts';
import type { Command, ParsedSample, ParseEvents, Parser } from './tool.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-again-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tool that prints a line per second until its time is over, or until it dies, which it does in its first starts. */
const TOOL = `echo start >>"$1/starts"
starts=$(grep -c . <"$1/starts"); seconds=\${2#--time=}; i=0
echo "for $seconds" >&2
while [ $i -lt "$seconds" ]; do
  i=$((i + 1)); sleep 1; echo "$i 100"
  [ $i -lt $3 ] || [ $starts -gt 1 ] || { echo 'FATAL: lost' >&2; exit 1; }
done
echo whole`;
const command = (seconds: number, lives: number): Command => ({
  argv: ['sh', '-c', TOOL, 'tool', folder, `--time=${seconds}`, String(lives)],
  env: {},
  files: [],
  plannedSeconds: seconds,
});

class Seconds implements Parser {
  readonly #events: ParseEvents;
  #isWhole = false;

  constructor(events: ParseEvents) {
    this.#events = events;
  }

  line(text: string): void {
    const [, t, rate] = /^(\d+) (\d+)$/.exec(text) ?? [];
    if (rate !== undefined) this.#events.sample({ t: Number(t), metrics: { tps: Number(rate), latency_avg_ms: 5 } });
    if (text === 'whole') this.#isWhole = true;
  }

  end() {
    const reason: Finding = { code: 'lost', severity: 'error', message: 'It lost its server.' };
    if (!this.#isWhole) this.#events.finding(reason);
    return { summary: { transactions_total: 7 }, ok: this.#isWhole, ...(!this.#isWhole && { reason }) };
  }
}

async function read(seconds: number, lives: number, from: number) {
  const { stdout, stderr, exit } = await perform(
    withRestarts(command(seconds, lives), { argument: '--time=', from }),
    folder,
  );
  const samples: ParsedSample[] = [];
  const findings: Finding[] = [];
  const parser = new RestartParser((events) => new Seconds(events), {
    sample: (sample) => samples.push(sample),
    finding: (finding) => findings.push(finding),
    unparsed: () => {},
  });
  // One stream is read to its end before the other, as when stored output is read again.
  for (const line of stdout.split('\n')) parser.line(line, 'stdout');
  for (const line of stderr.split('\n')) parser.line(line, 'stderr');
  return { outcome: parser.end(exit), samples, findings, stderr };
}

it('restarts a tool that dies after the first event for the remaining time, on the same seconds', async () => {
  const { outcome, samples, findings, stderr } = await read(6, 2, 1);
  expect(outcome).toMatchObject({ ok: true, summary: { tool_restarts: 1 } });
  expect(outcome.summary.tool_down_s).toBeLessThan(2);
  // Counts of one start are not figures of the run.
  expect(outcome.summary).not.toHaveProperty('transactions_total');
  const [first, second] = [...stderr.matchAll(/^for (\d+)$/gm)].map(([, left]) => Number(left));
  expect(first).toBe(6);
  expect(second).toBeGreaterThanOrEqual(3);
  expect(second).toBeLessThanOrEqual(4);
  const times = samples.map(({ t }) => t);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times[2]).toBeGreaterThan(2.9);
  expect(times.at(-1)).toBeLessThan(7.5);
  expect(findings).toMatchObject([
    {
      code: 'tool-restarted',
      severity: 'warn',
      message: expect.stringContaining('restarted 1 time'),
      evidence: 'It lost its server.',
    },
  ]);
});

it('fails if a tool dies before the first event, and changes nothing if it does not die', async () => {
  const died = await read(6, 1, 3);
  expect(died.outcome).toMatchObject({ ok: false, reason: { code: 'lost' } });
  expect(died.findings.map(({ code }) => code)).toEqual(['lost']);
  rmSync(path.join(folder, 'starts'));
  const whole = await read(2, 9, 1);
  expect(whole.outcome).toEqual({ ok: true, summary: { transactions_total: 7 } });
  expect([whole.findings, whole.samples.map(({ t }) => t)]).toEqual([[], [1, 2]]);
});

it('counts seconds without a tool as zero work, also at the end', () => {
  const samples: ParsedSample[] = [];
  const parser = new RestartParser((events) => new Seconds(events), {
    sample: (sample) => samples.push(sample),
    finding: () => {},
    unparsed: () => {},
  });
  // Both streams contain the lines, and the one without samples may be read first.
  const announce = (text: string): void => {
    parser.line(`kneepoint-again: ${text}`, 'stderr');
    parser.line(`kneepoint-again: ${text}`, 'stdout');
  };
  announce('starts 1000.00');
  parser.line('1 100', 'stdout');
  parser.line('kneepoint-again: died 1003.40 1', 'stderr');
  for (const t of [2, 3]) parser.line(`${t} 100`, 'stdout');
  parser.line('kneepoint-again: died 1003.40 1', 'stdout');
  for (const at of ['1003.60', '1004.70', '1006.10']) {
    announce(`starts ${at}`);
    announce(`died ${at} 1`);
  }
  announce('starts 1006.50');
  parser.line('1 80', 'stdout');
  announce('died 1008.20 1');
  announce('over 1010.30');
  expect(samples.map(({ t, metrics }) => [t, metrics.tps])).toEqual([
    ...[1, 2, 3].map((t) => [t, 100]),
    ...[4, 5, 6].map((t) => [t, 0]),
    [7.5, 80],
    ...[8.5, 9.5].map((t) => [t, 0]),
  ]);
  // Only rates: without work there is no latency.
  expect(samples[4]?.metrics).toEqual({ tps: 0 });
  const { ok, summary } = parser.end({ code: 0 });
  expect([ok, summary.tool_restarts]).toEqual([true, 4]);
  expect(summary.tool_down_s).toBeCloseTo(3.1 + 2.1, 1);
});
