import type { OutputIndex, PlacedSample } from '../zero.ts';

/** How a tool prints, and how its host reads the output. Seconds. */
export interface OutputWorld {
  seconds: number;
  /** Interval between two lines. */
  interval: number;
  /** Lines per interval. */
  lines?: number;
  /** Mean delay of a line. */
  jitter: number;
  /** Share of lines that are independently up to 10 s late. */
  straggling?: number;
  /** Period in which nothing is printed; everything due follows at its end. */
  pause?: { from: number; to: number };
  /** The tool writes when this many bytes are buffered; otherwise each line immediately. */
  buffer?: number;
  /** Interval between two looks. */
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
    // Lines are in sequence, in one file.
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
  // The first look is at the start of the tool, a moment before its second 0; its loop itself takes a little time.
  for (let moment = zero - random(); moment < end; moment += world.look + 0.004 + 0.004 * random())
    clock.push(Math.round(moment * 100) / 100);
  clock.push(end);
  return { index: { clock, bytes: clock.map(size) }, samples };
}
