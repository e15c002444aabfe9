import path from 'node:path';
import type { Fix } from '../../../shared/contract/experiments.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ConnectionFacts, TargetDescription } from '../../../shared/model/target.ts';
import type { OptionWords, VersionRange } from '../../../shared/model/tool.ts';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { compareVersions } from '../../../shared/util/versions.ts';
import { readProgram } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { type RunsContext, runsHere } from '../runs/index.ts';
import { INSTALLERS, type Tool } from '../tools/tool.ts';
import { type Check, type CheckResult, ofEach, type StartFinding, together } from './check.ts';
import { launchFindings } from './launch-limits.ts';
import type { PreflightState } from './state.ts';

/** Whether every generator has the tool, in a version that supports the options, and can start it with the launch settings of the cells. */
export const toolCheck = (context: RunsContext, { tool }: PreflightState): Check => ({
  id: 'tool',
  title: tool.title,
  after: 'generator',
  run: async (known, signal) =>
    together([
      await findTool(context, known, signal),
      { findings: optionVersionFindings(known) },
      ...(await ofEach(known.generators, async ({ machine }) => ({
        findings: await programFindings(known, machine, signal),
      }))),
      ...(await ofEach(known.generators, async ({ machine }) => ({
        findings: await launchFindings(known, machine, signal),
      }))),
    ]),
});

async function findTool(
  { assetsDir }: RunsContext,
  { tool, generators }: PreflightState,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { probe, partOfApp } = tool;
  if (partOfApp?.runs === 'anywhere') readProgram(path.join(assetsDir, partOfApp.program));
  if (!probe) return { evidence: [partOfApp ? 'Part of Kneepoint' : 'No program needed'] };
  const evidence: string[] = [];
  const versions = new Map<string, string>();
  const missing: StartFinding[] = [];
  for (const { machine, facts } of generators) {
    if (runsHere(tool, machine.name)) {
      evidence.push('Part of Kneepoint');
      continue;
    }
    const presence = facts?.tools.find((entry) => entry.tool === tool.id);
    if (presence?.version !== undefined) versions.set(machine.name, presence.version);
    if (presence?.found && presence.message === undefined) {
      evidence.push([tool.title, presence.version, presence.path && `(${presence.path})`].filter(Boolean).join(' '));
      continue;
    }
    const reason = presence?.message ?? `${tool.title} was not found.`;
    // The host's inventory combines in one text what is distinguished here.
    const message = `On ${machine.name}: ${reason.replace(probe.install, '').trim()}`;
    const fix = await installation(machine, probe.packages, signal);
    missing.push({
      code: presence?.found ? 'tool-too-old' : 'tool-missing',
      severity: 'block',
      message,
      next: probe.install,
      ...(fix && { fix }),
    });
  }
  if (new Set(versions.values()).size < 2) return { findings: missing, evidence };
  const differ: StartFinding = {
    code: 'tool-versions-differ',
    severity: 'warn',
    message: `The generators have different versions of ${tool.title}, which may affect results.`,
    evidence: [...versions].map(([host, version]) => `${host}: ${version}`).join(', '),
    next: 'Install the same version on all of them.',
  };
  return { findings: [...missing, differ], evidence };
}

/** The command that installs the missing tool on the host. Undefined if the host has no installer that the tool supports. */
async function installation(
  machine: Machine,
  packages: NonNullable<Tool['probe']>['packages'],
  signal: AbortSignal,
): Promise<Fix | undefined> {
  const known = INSTALLERS.filter((installer) => packages?.[installer]);
  if (known.length === 0) return undefined;
  const script = `id -u
for p in ${known.map(shellQuote).join(' ')}; do command -v "$p" >/dev/null && echo "$p" && break; done
exit 0`;
  const { stdout } = await machine.exec(script, { signal, timeoutMs: 20_000 });
  const [user, found] = stdout.split('\n');
  const installer = known.find((name) => name === found);
  if (!installer) return undefined;
  const asRoot = user === '0' || installer === 'brew' ? '' : 'sudo ';
  return { kind: 'install', host: machine.name, command: `${asRoot}${installer} install ${packages?.[installer]}` };
}

/** Programs besides the tool that a run would start but this generator does not have: every trial would fail. */
export async function programFindings(
  { steps, tool }: PreflightState,
  machine: Machine,
  signal: AbortSignal,
): Promise<Finding[]> {
  const names = new Set(steps.flatMap(({ options }) => tool.programs?.(options) ?? []));
  if (names.size === 0) return [];
  const script = [...names].map((name) => `command -v ${shellQuote(name)} >/dev/null || echo ${shellQuote(name)}`);
  const { stdout } = await machine.exec(`${script.join('\n')}\nexit 0`, { signal, timeoutMs: 20_000 });
  const missing = stdout.split('\n').filter((name) => names.has(name));
  return missing.map((name) => ({
    code: 'program-missing',
    severity: 'block',
    message: `On ${machine.name}: “${name}”, the program of the command, was not found.`,
    next: 'Install it there, or use its full path.',
  }));
}

/**
 * Whether the tool's connections to a target are encrypted in some cell, according to the tool, else to the target's settings. If the
 * server decides, it is assumed to be the same as for Kneepoint's own connection.
 */
export function isEncrypted(
  { steps, tool }: Pick<PreflightState, 'steps' | 'tool'>,
  target: { name: string; connection: ConnectionFacts; description?: TargetDescription | undefined },
): boolean {
  const { connection, description } = target;
  if (connection.socket !== undefined) return false;
  const { tls = 'disabled' } = connection;
  const asSet = tls === 'preferred' ? description?.encrypted === true : tls !== 'disabled';
  return steps.some((step) => step.target === target.name && (tool.encrypts?.(step.options, connection) ?? asSet));
}

type Options = Readonly<Record<string, unknown>>;

/** An option in use, or a value of it, that some versions of the tool do not support. */
interface Asked {
  words: string;
  range: VersionRange;
}

/** Options of cells that the tool's version on a generator does not support: every trial would fail. */
export function optionVersionFindings({ steps, tool, generators }: PreflightState): Finding[] {
  const asked = new Map<string, Asked>();
  for (const { options } of steps) for (const each of askedOf(tool, options)) asked.set(each.words, each);
  return generators.flatMap(({ machine, facts }) => {
    const version = facts?.tools.find((entry) => entry.tool === tool.id)?.version;
    if (version === undefined) return [];
    return [...asked.values()].flatMap(({ words, range: { from, before } }): Finding[] => {
      if (from !== undefined && compareVersions(version, from) < 0)
        return [
          {
            code: 'option-not-in-version',
            severity: 'block',
            message: `${words} needs ${tool.title} ${from} or later, but ${machine.name} has ${version}.`,
            next: NEXT,
          },
        ];
      if (before !== undefined && compareVersions(version, before) >= 0)
        return [
          {
            code: 'option-not-in-every-build',
            severity: 'warn',
            message: `Not every build of ${tool.title} ${before} and later supports ${words}; ${machine.name} has ${version}. Without support, every trial fails.`,
            next: NEXT,
          },
        ];
      return [];
    });
  });
}

const NEXT = 'Choose another value, or install another version there.';

function askedOf(tool: Tool, options: Options): Asked[] {
  const words = new Map(
    Object.entries(tool.options.shape).map(([name, schema]) => [
      name,
      schema.meta() as Partial<OptionWords> | undefined,
    ]),
  );
  return [...words].flatMap(([name, own]) => {
    const value = options[name];
    if (!own?.versions || value === undefined || !applies(name, options, words)) return [];
    const { values, ...range } = own.versions;
    const ofValue = values?.[String(value)];
    return [{ words: `“${name}”`, range }, ...(ofValue ? [{ words: `“${name} = ${value}”`, range: ofValue }] : [])];
  });
}

/** An option that depends on another one is sent only while that one has a matching value. */
function applies(
  name: string,
  options: Options,
  words: ReadonlyMap<string, Partial<OptionWords> | undefined>,
): boolean {
  const when = words.get(name)?.when;
  if (!when) return true;
  return when.in.some((value) => value === options[when.option]) && applies(when.option, options, words);
}
