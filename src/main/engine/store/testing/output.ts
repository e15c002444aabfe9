import { randomFrom } from '../../../../shared/util/numbers.ts';
import type { IngestBatch } from '../store.ts';

/** Output of a tool's first `lines` seconds; always the same. */
export function outputOf(lines: number): Buffer {
  const random = randomFrom(7);
  let text = '';
  for (let second = 1; second <= lines; second += 1) {
    const late = random() < 0.1 ? '' : ` lat: ${(random() * 20).toFixed(2)}`;
    text += `[ ${second}s ] tps: ${(3_000 + random() * 500).toFixed(2)}${late}\n`;
  }
  return Buffer.from(text);
}

export interface Parsed {
  t: number;
  metrics: Record<string, number>;
}

export function parseLines(text: string): Parsed[] {
  return [...text.matchAll(/^\[ (\d+)s \] tps: ([\d.]+)(?: lat: ([\d.]+))?\n/gm)].map(([, t, tps, latency]) => ({
    t: Number(t),
    metrics: { tps: Number(tps), ...(latency === undefined ? {} : { latency_p95_ms: Number(latency) }) },
  }));
}

/** Cuts the bytes at random positions, as they arrive over a link; samples are in the piece that completes their line. */
export function* randomBatches(runId: number, output: Buffer, random: () => number, from = 0): Generator<IngestBatch> {
  let offset = from;
  let line = output.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  if (offset === 0) line = 0;
  while (offset < output.length) {
    const bytes = output.subarray(offset, offset + 1 + Math.floor(random() ** 3 * 40_000));
    const complete = output.lastIndexOf('\n', offset + bytes.length - 1) + 1;
    const samples = complete > line ? parseLines(output.toString('latin1', line, complete)) : [];
    const index = samples.map(({ t }) => ({
      epoch: 1_700_000_000 + t,
      uptime: 100.25 + t,
      offset: offset + bytes.length,
      next: 30 * (t + 1),
    }));
    yield { runId, generator: 0, stream: 'stdout', offset, bytes, samples, index };
    offset += bytes.length;
    line = Math.max(line, complete);
  }
}
