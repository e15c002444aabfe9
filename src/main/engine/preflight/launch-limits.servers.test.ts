import { expect, it } from 'vitest';
import { shellQuote } from '../../../shared/util/shell-quote.ts';
import { createLocalMachine } from '../hosts/local.ts';
import type { Machine } from '../hosts/machine.ts';
import { launchFindings } from './launch-limits.ts';
import { stateOf } from './testing/states.ts';

/** This computer under another name, with scripts passed as the last word of a shell command. */
function machineThrough(command: string): Machine {
  const here = createLocalMachine();
  return { ...here, name: 'one', exec: (script, options) => here.exec(`${command} ${shellQuote(script)}`, options) };
}

const look = async (factors: string, machine: Machine): Promise<string[]> => {
  const known = stateOf({ tool: 'sysbench', options: '{ script: cpu }', factors, target: false });
  const findings = await launchFindings(known, machine, new AbortController().signal);
  return findings.map(({ severity, code, evidence = '' }) => `${severity} ${code} ${evidence}`.trim());
};

const CPUS = '[{ name: c, kind: tool-cpus, levels: ["0", "0-1"] }]';
const MORE_CPUS = '[{ name: c, kind: tool-cpus, levels: ["0", "0-8000"] }]';
const FILES = '[{ name: f, kind: tool-limits, limit: open-files, levels: [100, 600] }]';
const PROCESSES = '[{ name: p, kind: tool-limits, limit: processes, levels: [70, 5000] }]';

const as = (shell: string): Machine =>
  machineThrough(
    `ulimit -n 500; ulimit -p 4000 2>/dev/null || ulimit -u 4000; exec setpriv --reuid=65534 --regid=65534 --clear-groups ${shell} -c`,
  );

it('does not check a generator if no cell limits the tool', async () => {
  expect(await look('[]', machineThrough('false'))).toEqual([]);
});

it.skipIf(process.getuid?.() !== 0).each(['dash', 'bash --posix', 'busybox sh'])(
  'finds limits beyond the permissions of the account, checked by %s',
  async (shell) => {
    expect(await look(FILES, as(shell))).toEqual(['block limit-above-hard ulimit -H -n = 500']);
    expect(await look(PROCESSES, as(shell))).toEqual(['block limit-above-hard ulimit -H -u = 4000']);
    expect(await look('[{ name: f, kind: tool-limits, limit: open-files, levels: [100, 500] }]', as(shell))).toEqual(
      [],
    );
  },
);

it('allows root to raise any limit', async () => {
  if (process.getuid?.() === 0) expect(await look(FILES, machineThrough('ulimit -n 500; sh -c'))).toEqual([]);
});

it('finds CPUs that a generator lacks, and a missing taskset', async () => {
  expect(await look(MORE_CPUS, machineThrough('sh -c'))).toEqual([
    expect.stringMatching(/^block cpus-missing Cpus_allowed_list: /),
  ]);
  expect(await look(CPUS, machineThrough('PATH=/nowhere /bin/sh -c'))).toEqual(['block program-missing']);
});
