import path from 'node:path';
import type { Finding } from '../../../shared/model/finding.ts';
import { readProgram } from '../facts/index.ts';
import { type RunsContext, runsHere } from '../runs/index.ts';
import { type Check, type Look, ofEach, together } from './check.ts';
import { launchFindings } from './launch-limits.ts';
import { optionVersionFindings } from './option-versions.ts';
import { programFindings } from './programs-check.ts';
import type { PreflightState } from './state.ts';

/** Whether every generator has the tool, in a version that takes the options, and starts it as cells want it started. */
export const toolCheck = (context: RunsContext, { tool }: PreflightState): Check => ({
  id: 'tool',
  title: tool.title,
  after: 'generator',
  look: async (known, signal) =>
    together([
      lookForTool(context, known),
      { findings: optionVersionFindings(known) },
      ...(await ofEach(known.generators, async ({ machine }) => ({
        findings: await programFindings(known, machine, signal),
      }))),
      ...(await ofEach(known.generators, async ({ machine }) => ({
        findings: await launchFindings(known, machine, signal),
      }))),
    ]),
});

function lookForTool({ assetsDir }: RunsContext, { tool, generators }: PreflightState): Look {
  const { probe, partOfApp } = tool;
  if (partOfApp?.runs === 'anywhere') readProgram(path.join(assetsDir, partOfApp.program));
  if (!probe) return { evidence: [partOfApp ? 'Part of Kneepoint' : 'No program needed'] };
  const evidence: string[] = [];
  const versions = new Map<string, string>();
  const missing = generators.flatMap(({ machine, facts }): Finding[] => {
    if (runsHere(tool, machine.name)) {
      evidence.push('Part of Kneepoint');
      return [];
    }
    const presence = facts?.tools.find((entry) => entry.tool === tool.id);
    if (presence?.version !== undefined) versions.set(machine.name, presence.version);
    if (presence?.found && presence.message === undefined) {
      evidence.push([tool.title, presence.version, presence.path && `(${presence.path})`].filter(Boolean).join(' '));
      return [];
    }
    const said = presence?.message ?? `${tool.title} was not found.`;
    // The inventory of a host says in one text what is told apart here.
    const message = `On ${machine.name}: ${said.replace(probe.install, '').trim()}`;
    return [
      { code: presence?.found ? 'tool-too-old' : 'tool-missing', severity: 'block', message, next: probe.install },
    ];
  });
  if (new Set(versions.values()).size < 2) return { findings: missing, evidence };
  const differ: Finding = {
    code: 'tool-versions-differ',
    severity: 'warn',
    message: `The generators have different versions of ${tool.title}: what they measure may differ for that alone.`,
    evidence: [...versions].map(([host, version]) => `${host}: ${version}`).join(', '),
    next: 'Install the same version on all of them.',
  };
  return { findings: [...missing, differ], evidence };
}
