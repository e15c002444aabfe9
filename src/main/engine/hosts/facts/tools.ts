import type { ToolPresence } from '../../../../shared/model/host.ts';
import { compareVersions } from '../../../../shared/util/versions.ts';

/** How to learn whether a tool is on a host and which version: the shape that the tools room gives its tools. */
export interface ToolProbe {
  argv: readonly string[];
  besides?: string;
  version(output: string): string | undefined;
  oldest: string;
  install: string;
}

/** A tool of the app; without a probe it is not looked for. */
export interface ProbedTool {
  id: string;
  probe?: ToolProbe;
}

/** What the probe's part of the facts script says: path in the first line, then what the tool printed. */
export function toolPresence(id: string, probe: ToolProbe, lines: readonly string[]): ToolPresence {
  const [path, ...rest] = lines;
  if (!path) return { tool: id, found: false, message: `${probe.argv[0]} was not found. ${probe.install}` };
  const version = probe.version(rest.join('\n'));
  if (version === undefined) {
    return {
      tool: id,
      found: true,
      path,
      message: `${path} does not report its version; ${probe.oldest} or newer is needed.`,
    };
  }
  if (compareVersions(version, probe.oldest) < 0) {
    return {
      tool: id,
      found: true,
      version,
      path,
      message: `${path} is too old: it is ${version}, and ${probe.oldest} or newer is needed. ${probe.install}`,
    };
  }
  return { tool: id, found: true, version, path };
}
