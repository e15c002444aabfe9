import { describe, expect, it } from 'vitest';
import { Factor } from '../../../shared/model/factor.ts';
import { TOOLS } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import type { StepDraft } from './factor.ts';
import { factorProblems, rulesOf } from './index.ts';

const tool = TOOLS[0] as Tool;
const factor = (fields: object): Factor => Factor.parse({ name: 'f', kind: 'host-setting', ...fields });
const problems = (...fields: object[]): string[] =>
  factorProblems(
    {
      factors: fields.map((each, at) => factor({ name: `f${at}`, ...each })),
      where: { generators: ['this computer'] },
    },
    tool,
    (path, message) => ({ path: path.join('.'), message }),
  ).map(({ message }) => message);

const step: StepDraft = {
  workload: { tool: tool.id, options: {}, data: 'keep' } as StepDraft['workload'],
  target: 'db',
  generators: ['gen-1', 'gen-2'],
  warmup: 0,
  duration: 1,
  settings: [],
  launch: {},
};
const desired = (fields: object, level: string | number, start: StepDraft = step) =>
  rulesOf(factor(fields), tool)
    .apply(start, level)
    .settings.map(({ place, what, value }) => `${place.kind} ${place.name}: ${what} = ${value}`);

describe('a factor of a host setting', () => {
  const thp = { setting: 'transparent-hugepages', levels: ['always', 'never'] };

  it('applies to the server host, every generator, or one host', () => {
    expect(desired(thp, 'never')).toEqual(['host-of-server db: transparent-hugepages = never']);
    expect(desired({ ...thp, on: 'generators' }, 'never')).toEqual([
      'host gen-1: transparent-hugepages = never',
      'host gen-2: transparent-hugepages = never',
    ]);
    expect(desired({ ...thp, on: 'db-1' }, 'always')).toEqual(['host db-1: transparent-hugepages = always']);
    const { target: _target, ...untargeted } = step;
    expect(desired(thp, 'never', untargeted)).toEqual(desired({ ...thp, on: 'generators' }, 'never'));
  });

  it('may set several values under the name of a level', () => {
    const levels = [
      { name: 'as found', set: {} },
      {
        name: 'tuned',
        set: { 'transparent-hugepages': 'never', 'sysctl vm.swappiness': 1, 'read-ahead /dev/sda': '4M' },
      },
    ];
    expect(problems({ levels })).toEqual([]);
    expect(desired({ levels }, 'as found')).toEqual([]);
    expect(desired({ levels }, 'tuned')).toEqual([
      'host-of-server db: transparent-hugepages = never',
      'host-of-server db: sysctl vm.swappiness = 1',
      'host-of-server db: read-ahead sda = 4M',
    ]);
  });

  it('may set each value only once', () => {
    const other = { ...step, settings: rulesOf(factor(thp), tool).apply(step, 'always').settings };
    expect(desired(thp, 'never', other)).toEqual(['host-of-server db: transparent-hugepages = never']);
  });

  it('pins the server on its own host', () => {
    expect(desired({ setting: 'server-cpus', levels: ['0-3'] }, '0-3')).toEqual(['server db: server-cpus = 0-3']);
  });

  it('passes custom commands on unchanged', () => {
    const own = { setting: 'commands', apply: 'a', read: 'b', undo: 'c', levels: [1, 2] };
    expect(problems(own)).toEqual([]);
    expect(rulesOf(factor(own), tool).apply(step, 1).settings).toEqual([
      {
        changer: 'host-setting',
        place: { kind: 'host-of-server', name: 'db' },
        what: 'commands f',
        value: '1',
        how: { setting: 'commands', apply: 'a', read: 'b', undo: 'c' },
      },
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['no setting', { levels: [1] }, /plain levels but no “setting”/],
    ['an unknown setting', { setting: 'turbo', levels: [1] }, /setting/],
    ['no object', { setting: 'read-ahead', levels: [1] }, /needs a block device/],
    ['an object where there is none', { ...thp, of: 'sda' }, /whole host/],
    ['an object of another kind', { setting: 'nic-rate', of: 'a b', levels: ['1gbit'] }, /not a network interface/],
    ['a value that cannot be', { setting: 'nic-rate', of: 'eth0', levels: ['fast'] }, /takes a rate/],
    ['commands of another setting', { ...thp, undo: 'x' }, /setting: commands/],
    ['commands that do nothing', { setting: 'commands', levels: [1] }, /needs “apply”/],
    ['a set beside a setting', { ...thp, levels: [{ name: 'a', set: {} }] }, /without “setting”/],
    ['a plain level without a setting', { levels: [{ name: 'a', set: {} }, 'b'] }, /plain levels but no “setting”/],
    ['an unknown name in a set', { levels: [{ name: 'a', set: { turbo: 1 } }] }, /no host setting named “turbo”/],
    [
      'one thing twice in a set',
      { levels: [{ name: 'a', set: { 'read-ahead sda': 1, 'read-ahead /dev/sda': 2 } }] },
      /twice/,
    ],
    ['commands in a set', { levels: [{ name: 'a', set: { commands: 1 } }] }, /no host setting/],
    ['a pinned generator', { setting: 'server-cpus', on: 'generators', levels: ['0'] }, /belongs to a server/],
    ['the same level twice', { setting: 'sysctl', of: 'vm.swappiness', levels: [1, '1'] }, /same level twice/],
  ])('is refused with %s', (_what, fields, message) => {
    expect(problems(fields).join('\n')).toMatch(message);
  });

  it('varies each setting of a place only once', () => {
    expect(problems(thp, { levels: [{ name: 'a', set: { 'transparent-hugepages': 'never' } }] })).toEqual([
      'Two factors vary “transparent-hugepages on target”.',
    ]);
    expect(problems(thp, { ...thp, on: 'generators' })).toEqual([]);
  });
});
