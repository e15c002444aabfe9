import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { perform } from '../../testing/perform.ts';
import type { Read } from '../../testing/recordings.ts';
import type { Command, Part, Phase, ToolPlan } from '../../tool.ts';
import { ycsbTool } from '../index.ts';
import { YcsbOptions } from '../options/index.ts';
import { divideYcsb } from '../plan/mongodb.ts';
import { readOutput } from './recordings.ts';

/** A real YCSB, driven as the engine does. */
export interface Bench {
  planned(options: Record<string, unknown>, change?: Partial<ConnectionFacts>, duration?: number): ToolPlan;
  /** The run command for one of several generators. */
  runOfPart(options: Record<string, unknown>, part: Part): Command;
  done(
    command: Command | undefined,
    kind: Phase,
    options?: Record<string, unknown>,
    folder?: string,
  ): Promise<Read & { printed: string }>;
}

/** A JVM that starts quickly: optimizations by the compiler and the collector would take longer than these runs. */
export const SMALL_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m';

/** `connection` is called for each plan: a server may have restarted at another address. */
export function ycsbBench(folder: string, always: Record<string, unknown>, connection: () => ConnectionFacts): Bench {
  const parsed = (options: Record<string, unknown>) =>
    YcsbOptions.parse({ 'jvm-arguments': SMALL_JAVA, ...always, ...options });
  const plan = (options: YcsbOptions, change: Partial<ConnectionFacts>, duration: number): ToolPlan =>
    ycsbTool.plan({
      options,
      connection: { ...connection(), ...change },
      warmup: 0,
      duration,
      seed: 1,
      nodePath: process.execPath,
      assetsDir: folder,
    });
  return {
    planned: (options, change = {}, duration = 60) => plan(parsed(options), change, duration),
    runOfPart: (options, part) => plan(divideYcsb(parsed(options), part), {}, 60).run,
    async done(command, kind, options = {}, inside = folder) {
      if (!command) throw new Error('no such step');
      const { stdout, stderr, exit } = await perform(command, inside);
      const read = readOutput(stdout, stderr, { phase: kind, exit, options: { ...always, ...options } });
      return { ...read, printed: stdout + stderr };
    },
  };
}
