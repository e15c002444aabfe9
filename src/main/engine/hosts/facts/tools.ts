import type { ToolPresence } from '../../../../shared/model/host.ts';
import { compareVersions } from '../../../../shared/util/versions.ts';

/** How to detect a tool and its version on a host; the subset of a tool's definition that this room uses. */
export interface ToolProbe {
  argv: readonly string[];
  extra?: string;
  version(output: string): string | undefined;
  oldest: string;
  install: string;
}

/** A tool of Kneepoint; without a probe it is not searched for. */
export interface ProbedTool {
  id: string;
  probe?: ToolProbe;
}

/** Parses the probe's part of the facts script: the path in the first line, then the tool's output. */
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
