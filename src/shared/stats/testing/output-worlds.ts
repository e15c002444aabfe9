import type { OutputIndex, PlacedSample } from '../zero.ts';

/** How a tool prints, and how its host looks at what it has printed. Seconds. */
export interface OutputWorld {
  seconds: number;
  /** Between two lines. */
  interval: number;
  /** Lines for each interval. */
  lines?: number;
  /** Mean lateness of a line. */
  jitter: number;
  /** Share of lines that are up to 10 s late, each for itself. */
  straggling?: number;
  /** Nothing is printed from one moment to another, and then all that was due. */
  pause?: { from: number; to: number };
  /** The tool writes when so many bytes have come together; else each line at once. */
  buffer?: number;
  /** Between two looks. */
  look: number;
}

export const LINE_BYTES = 80;

/** The looks and samples of a tool whose second 0 was at `zero`. */
export function outputOf(
  world: OutputWorld,
  zero: number,
  random: () => number,
): { index: OutputIndex; samples: PlacedSample[] } {
  const samples: (PlacedSample & { written: number })[] = [];
  let written = zero;
  for (let due = world.interval; due <= world.seconds + 1e-9; due += world.interval) {
    const straggles = random() < (world.straggling ?? 0) ? 10 * random() : 0;
    let at = zero + due - world.jitter * Math.log(1 - random()) + straggles;
    const { pause } = world;
    if (pause && at > zero + pause.from && at < zero + pause.to) at = zero + pause.to;
    // One line behind the other, in one file.
    written = Math.max(written, at);
    for (let line = 0; line < (world.lines ?? 1); line += 1)
      samples.push({ t: Number(due.toFixed(3)), end: (samples.length + 1) * LINE_BYTES, written });
  }
  const end = written + 0.2;
  const { buffer } = world;
  const size = (moment: number): number => {
    const lines = samples.filter((sample) => sample.written <= moment).length;
    const bytes = lines * LINE_BYTES;
    return buffer === undefined || moment >= end ? bytes : bytes - (bytes % buffer);
  };
  const clock: number[] = [];
  // The first look is when the tool is started, a moment before its second 0; its loop takes a little time itself.
  for (let moment = zero - random(); moment < end; moment += world.look + 0.004 + 0.004 * random())
    clock.push(Math.round(moment * 100) / 100);
  clock.push(end);
  return { index: { clock, bytes: clock.map(size) }, samples };
}
