import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import { FakeMachines } from '../../hosts/testing/fake-machines.ts';
import { readDocument, resolveCells, stepsOf } from '../../plans/index.ts';
import { toolById } from '../../tools/index.ts';
import type { PreflightState } from '../state.ts';

interface Known {
  tool: string;
  /** In the format of a document. */
  options?: string;
  factors?: string;
  /** Version of the tool on the generator `one`. */
  version?: string | undefined;
  target?: boolean;
  connection?: ConnectionFacts;
  /** Names of hosts. Default: one. */
  generators?: readonly string[];
}

/** Preflight state of an experiment on the fake host `one`. */
export function stateOf(known: Known): PreflightState & { machines: FakeMachines } {
  const { options = '{}', factors = '[]', version, target = true, connection, generators = ['one'] } = known;
  const tool = toolById(known.tool);
  const text = `kneepoint: 1
name: Of a test
workload: { tool: ${known.tool}, options: ${options} }
where: { generators: [${generators.join(', ')}]${target ? ', target: db' : ''} }
factors: ${factors}
measure: { duration: 10 }
`;
  const { experiment, problems } = readDocument(text);
  if (!tool || !experiment) throw new Error(problems[0]?.message ?? `There is no tool ${known.tool}.`);
  const machines = new FakeMachines(generators);
  const facts = {
    hostname: 'one',
    os: 'Debian GNU/Linux 12',
    kernel: 'Linux 6.1',
    architecture: 'x86_64',
    cpuCount: 2,
    disks: [],
    networks: [],
    filesystems: [],
    tools: [{ tool: known.tool, found: true, ...(version !== undefined && { version }) }],
    readAt: 0,
  };
  const cells = resolveCells(experiment, tool);
  return {
    experiment,
    tool,
    cells,
    steps: stepsOf(cells),
    machines,
    generators: generators.map((name, index) => ({
      ...{ machine: machines.get(name), part: { index, count: generators.length }, facts },
    })),
    targets: connection ? [{ name: 'db', connection }] : [],
    seen: new Map(),
    granted: [],
    typed: [],
    askedFor: new Set(),
  };
}
