import { describe, expect, it } from 'vitest';
import { SessionBed } from '../session/testing/session-bed.ts';
import { stateOf } from './testing/states.ts';
import { optionVersionFindings, programFindings, toolCheck } from './tool-check.ts';

describe('options unknown to the installed version', () => {
  const findings = (options: string, version: string | undefined, factors = '[]') =>
    optionVersionFindings(stateOf({ tool: 'sysbench', options, version, factors }));

  it('block the start, with the option, the host and both versions', () => {
    expect(findings('{ script: oltp_read_only, rand-type: zipfian }', '1.0.20')).toEqual([
      {
        code: 'option-not-in-version',
        severity: 'block',
        message: '“rand-type = zipfian” needs sysbench 1.1 or later, but one has 1.0.20.',
        next: 'Choose another value, or install another version there.',
      },
    ]);
    expect(findings('{ script: oltp_read_only, reconnect: 10 }', '1.0.20')[0]?.message).toMatch(/^“reconnect” needs /);
  });

  it('are only a warning if builds of one version differ', () => {
    expect(findings('{ script: oltp_read_only }', '1.1.0')).toMatchObject([
      {
        code: 'option-not-in-every-build',
        severity: 'warn',
        message: expect.stringContaining('“rand-type = special”'),
      },
    ]);
    expect(findings('{ script: oltp_read_only }', '1.0.20')).toEqual([]);
  });

  it('are found in every level of a factor, once each', () => {
    const factors = '[{ name: rand-type, levels: [uniform, zipfian] }, { name: threads, levels: [1, 2, 4] }]';
    expect(findings('{ script: oltp_read_only }', '1.0.20', factors)).toHaveLength(1);
    expect(findings('{ script: oltp_read_only }', '1.1.0', factors)).toEqual([]);
  });

  it('are ignored if not sent or if the version is unknown', () => {
    expect(findings('{ script: cpu }', '1.1.0')).toEqual([]);
    expect(findings('{ script: oltp_read_only, rand-type: zipfian }', undefined)).toEqual([]);
  });
});

describe('the program of a custom command', () => {
  const look = async (installed: readonly string[]) => {
    const known = stateOf({ tool: 'command', options: '{ command: "ioping -c 5 ." }', target: false });
    const [{ machine } = { machine: undefined }] = known.generators;
    if (!machine) throw new Error('There is no generator.');
    known.machines.get('one').answer = (script) => ({
      code: 0,
      stdout: installed.some((name) => script.includes(name)) ? '' : 'ioping\n',
      stderr: '',
    });
    return programFindings(known, machine, new AbortController().signal);
  };

  it('is looked up on the generator, and blocks if missing', async () => {
    expect(await look(['ioping'])).toEqual([]);
    expect(await look([])).toMatchObject([
      {
        code: 'program-missing',
        severity: 'block',
        message: 'On one: “ioping”, the program of the command, was not found.',
      },
    ]);
  });
});

it.each([
  ['0\napt-get\n', 'apt-get install sysbench'],
  ['1000\ndnf\n', 'sudo dnf install sysbench'],
  ['501\nbrew\n', 'brew install sysbench'],
  ['1000\n', undefined],
])('a missing tool on a host with %j is installed with %s', async (stdout, command) => {
  const bed = new SessionBed();
  void bed.close();
  const known = stateOf({ tool: 'sysbench', options: '{ script: oltp_read_only }', target: false });
  known.machines.get('one').answer = () => ({ code: 0, stdout, stderr: '' });
  const without = known.generators.map((each) => {
    const { facts, ...generator } = each;
    return facts ? { ...generator, facts: { ...facts, tools: [] } } : generator;
  });
  const { run } = toolCheck(bed.runsContext(), known);
  const { findings = [] } = await run({ ...known, generators: without }, new AbortController().signal);
  expect(findings).toMatchObject([{ code: 'tool-missing', severity: 'block' }]);
  expect(findings[0]?.fix).toEqual(command && { kind: 'install', host: 'one', command });
});
