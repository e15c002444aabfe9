import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BenchRow } from './row.ts';
import { START, watchedSession } from './watched-session.ts';
import { WatchedText } from './watched-text.ts';

const SPEED = 600;
const MEMORY_HOSTS = 4;
const MEMORY_S = 7200;
/** Seconds printed at once: the fake host keeps each piece of output forever, which is not the engine's memory. */
const PIECE_S = 10;
const LOOK_EVERY_S = 300;

/** Two hours of four hosts at six hundred times their speed: growth of the heap per hour, after collecting all garbage. */
export async function memoryRows(): Promise<BenchRow[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let second = START;
  const session = await watchedSession(MEMORY_HOSTS, () => second * 1000);
  try {
    const texts = Array.from({ length: MEMORY_HOSTS }, (_, index) => new WatchedText(index + 1));
    session.look(() => {});
    const looks: { hour: number; mib: number; rss: number }[] = [];
    const began = performance.now();
    for (let done = 0; done < MEMORY_S; done += PIECE_S) {
      for (const [host, job] of session.jobs.entries())
        job.print(Array.from({ length: PIECE_S }, (_, index) => texts[host]?.block(second + index) ?? '').join(''));
      second += PIECE_S;
      await delay(Math.max(1, began + ((done + PIECE_S) * 1000) / SPEED - performance.now()));
      if ((done + PIECE_S) % LOOK_EVERY_S !== 0) continue;
      collect();
      const { heapUsed, rss } = process.memoryUsage();
      looks.push({ hour: (done + PIECE_S) / 3600, mib: heapUsed / 2 ** 20, rss: rss / 2 ** 20 });
    }
    const { samples } = session.store.monitored.extent(session.sources[0]?.id ?? 0);
    if (samples < MEMORY_S - 2 * PIECE_S) throw new Error(`Only ${samples} of ${MEMORY_S} samples came.`);
    // Code is compiled and caches fill in the first half hour.
    const settled = looks.filter(({ hour }) => hour >= 0.5);
    const note = `${settled[0]?.mib.toFixed(1)} MiB after half an hour, ${settled.at(-1)?.mib.toFixed(1)} MiB after two; process ${settled.at(-1)?.rss.toFixed(0)} MiB`;
    return [
      {
        name: `Heap, ${MEMORY_HOSTS} hosts, growth in an hour`,
        value: slopeOf(settled),
        unit: 'MiB',
        goal: '≤ 1 MiB',
        note,
      },
    ];
  } finally {
    await session.close();
  }
}

/** Least squares, MiB per hour. */
function slopeOf(looks: readonly { hour: number; mib: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [hour, mib] = [mean(looks.map((look) => look.hour)), mean(looks.map((look) => look.mib))];
  const both = looks.reduce((sum, look) => sum + (look.hour - hour) * (look.mib - mib), 0);
  return both / looks.reduce((sum, look) => sum + (look.hour - hour) ** 2, 0);
}
