import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { SessionBed } from '../session/testing/session-bed.ts';
import { TOOLS } from '../tools/index.ts';

let bed: SessionBed;
/** Number of times that a host was contacted. */
let contacts = 0;
beforeEach(() => {
  bed = new SessionBed(['one', 'two'], TOOLS);
  contacts = 0;
  for (const name of ['one', 'two'])
    bed.machines.get(name).answer = () => {
      contacts += 1;
      return { code: 0, stdout: '', stderr: '' };
    };
  const { readFacts } = bed;
  bed.readFacts = async (machine) => {
    contacts += 1;
    return readFacts(machine);
  };
});
afterEach(() => bed.close());

interface Parts {
  options?: string;
  data?: string;
  where?: string;
  factors?: string;
  measure?: string;
  rest?: string;
}
const document = (tool: string, parts: Parts): string => {
  const { options = '', data = 'create', where = '', factors = '', measure = 'duration: 10', rest = '' } = parts;
  return `kneepoint: 1
name: Refused
workload: { tool: ${tool}, data: ${data}, options: { ${options} } }
where: { generators: [one]${where === '' ? '' : `, ${where}`} }
factors: [${factors}]
measure: { ${measure} }
${rest}`;
};
const jobFile = (...lines: string[]): string =>
  `directory: /d, source: job-file, job-file: ${JSON.stringify(lines.join('\n'))}`;
const MANY = Array.from({ length: 150 }, (_, at) => at + 1);

const server = (facts: Partial<ConnectionFacts>): ConnectionFacts => ({
  kind: 'mysql',
  host: '192.0.2.7',
  port: 3306,
  user: 'bench',
  database: 'bench',
  ...facts,
});
const MYSQL = server({});
const POSTGRES = server({ kind: 'postgres', port: 5432 });
const on = 'target: db';

/** A document for each kind of refusal that needs no host: the reason, the document, and its target. */
const REFUSED: readonly (readonly [what: string, text: string, words: string, target?: ConnectionFacts])[] = [
  ['a document that is none', 'kneepoint: 3\n', 'kneepoint'],
  ['an unknown tool', document('sysbunch', {}), 'no tool named'],
  ['an unknown option', document('fio', { options: 'directory: /d, depth: 3' }), 'no option named'],
  ['a value of another type', document('fio', { options: 'directory: /d, iodepth: deep' }), 'iodepth = deep'],
  ['a factor over an unknown option', document('fio', { factors: '{ name: depth, levels: [1] }' }), 'depth'],
  ['a level of another type', document('fio', { factors: '{ name: iodepth, levels: [1, x] }' }), 'iodepth'],
  ['a factor twice', document('fio', { factors: '{ name: bs, levels: [4k] }, { name: bs, levels: [8k] }' }), 'bs'],
  [
    'no trial left',
    document('fio', { factors: '{ name: bs, levels: [4k] }', rest: 'exclude: [{ bs: 4k }]\n' }),
    'no trial',
  ],
  [
    'too many trials',
    document('fio', { factors: `{ name: iodepth, levels: [${MANY}] }`, measure: 'duration: 1, repeats: 200' }),
    'trials',
  ],
  ['a measurement of no time', document('fio', { measure: 'duration: 0' }), 'duration'],
  [
    'a generator twice',
    document('sysbench', { options: 'script: cpu', where: 'generators: [one, one]' }).replace(
      'generators: [one], ',
      '',
    ),
    'named twice',
  ],
  [
    'several generators for a tool that takes one',
    document('fio', { options: 'directory: /d' }).replace('[one]', '[one, two]'),
    'runs on one generator',
  ],
  [
    'a load that cannot be divided',
    document('sysbench', { options: 'script: oltp_read_only, threads: 1', where: on }).replace('[one]', '[one, two]'),
    'thread',
    MYSQL,
  ],
  ['a program of ours elsewhere', document('embedded', {}), 'this computer'],
  ['no target for a database', document('sysbench', { options: 'script: oltp_read_only' }), 'needs a target'],
  ['a target for none', document('sysbench', { options: 'script: cpu', where: on }), 'takes no target', MYSQL],
  ['a target of another kind', document('pgbench', { where: on }), 'PostgreSQL', MYSQL],
  [
    'cells of different targets',
    document('sysbench', { factors: '{ name: script, levels: [cpu, oltp_read_only] }' }),
    'different kinds',
  ],
  [
    'TLS without the files that it needs',
    document('sysbench', { options: 'script: oltp_read_only, mysql-ssl: "on"', where: on }),
    'TLS to MySQL',
    MYSQL,
  ],
  [
    'data that levels would replace',
    document('sysbench', {
      options: 'script: oltp_read_only',
      where: on,
      factors: '{ name: table-size, levels: [100, 200] }',
    }),
    'different data',
    MYSQL,
  ],
  [
    'data that is used up and kept',
    document('ycsb', {
      options:
        'binding: jdbc, directory: /y, threads: 2, workload: own, readproportion: 0.5, updateproportion: 0, insertproportion: 0.5',
      data: 'keep',
      where: on,
      measure: 'duration: 10, repeats: 2',
    }).replace('[one]', '[one, two]'),
    'data: keep does not allow',
    MYSQL,
  ],
  [
    'shares that make no whole',
    document('ycsb', { options: 'directory: /y, workload: own, readproportion: 0.5, updateproportion: 0.2' }),
    '1',
  ],
  ['no folder for test files', document('fio', {}), 'needs a folder'],
  [
    'a folder and a device',
    document('fio', { options: 'directory: /d, device: /dev/sdb' }),
    'Both a folder and a device are set',
  ],
  [
    'a line of a job file',
    document('fio', { options: jobFile('[a]', 'rw=read', 'exec_prerun=true', 'size=1m') }),
    'Line 3 of the job file',
  ],
  ['a trim of files', document('fio', { options: jobFile('[a]', 'rw=trim', 'size=1m') }), 'only ioengine=falloc can'],
  [
    'a job that begins after the end',
    document('fio', { options: jobFile('[a]', 'rw=read', 'size=1m', 'startdelay=20') }),
    'starts after 20 s',
  ],
  ['no command', document('command', { options: 'command: " "' }), 'The command is missing'],
  [
    'a command that asks for what no target says',
    document('command', { options: 'command: "ioping {host}"' }),
    '{host}',
  ],
  ['an own script that is none', document('pgbench', { options: 'script: own', where: on }), 'script', POSTGRES],
  [
    'a log whose interval does not fit the duration',
    document('pgbench', { options: 'aggregate-interval: 7', where: on }),
    'multiple',
    POSTGRES,
  ],
  [
    'queries that cannot be read',
    document('queries', { options: 'queries: "-- @nonsense"', where: on }),
    'ueries',
    MYSQL,
  ],
  [
    'a cell beyond those that are shown',
    document('pgbench', {
      options: 'script: select-only',
      where: on,
      factors: `{ name: aggregate-interval, levels: [0, 5, 7] }, { name: client, levels: [${MANY}] }`,
    }),
    'multiple',
    POSTGRES,
  ],
];

describe('an early refusal of a start', () => {
  it.each(REFUSED.map(([what, text, words, target]) => ({ what, text, words, target })))(
    'for $what has the same message as the check',
    async ({ text, words, target }) => {
      if (target) {
        bed.addServer();
        bed.targets = { ...bed.targets, shown: () => target };
      }
      const [problem] = bed.check(text).problems;
      expect(problem?.message).toContain(words);
      const refusal: unknown = await bed.startText(text).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(KneepointError);
      expect((refusal as KneepointError).message).toContain(problem?.message);
      expect(contacts).toBe(0);
    },
  );

  it('does not apply to a valid document: the hosts are asked', async () => {
    const text = document('fio', { options: 'directory: /d' });
    expect(bed.check(text).problems).toEqual([]);
    await bed.startText(text).catch(() => {});
    expect(contacts).toBeGreaterThan(0);
  });
});
