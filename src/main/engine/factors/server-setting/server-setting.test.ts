import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Experiment } from '../../../../shared/model/experiment.ts';
import { Factor } from '../../../../shared/model/factor.ts';
import { nearestName } from '../../../../shared/util/nearest.ts';
import { TOOLS } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import type { StepDraft } from '../factor.ts';
import { serverSettingFactor } from './index.ts';

const found = TOOLS.find(({ drives }) => drives.includes('mysql'));
if (!found) throw new Error('No tool drives a server.');
const DATABASE: Tool = found;

function rules(fields: Record<string, unknown>, tool = DATABASE) {
  const factor = Factor.parse({ name: 'f', kind: 'server-setting', ...fields });
  const { name: _name, kind: _kind, levels: _levels, ...own } = factor;
  return serverSettingFactor.rules(factor, serverSettingFactor.fields.parse(own), tool);
}

function problems(fields: Record<string, unknown>, tool = DATABASE): string[] {
  const found: string[] = [];
  rules(fields, tool).check((path, message) => found.push(`${path.join('.')}: ${message}`), {
    generators: [],
  });
  return found;
}

const STEP: StepDraft = {
  workload: Experiment.shape.workload.parse({ tool: 'x', data: 'keep' }),
  target: 'db',
  generators: [],
  warmup: 0,
  duration: 1,
  settings: [],
  launch: {},
};

const SETS = [
  { name: 'safe', set: { innodb_flush_log_at_trx_commit: 1, sync_binlog: 1 } },
  { name: 'relaxed', set: { innodb_flush_log_at_trx_commit: 2, sync_binlog: 0 } },
];

describe('settings of a server as levels', () => {
  it('apply to the server of the cell or to a named one', () => {
    const setting = { changer: 'server-setting', place: { kind: 'server', name: 'db' } };
    expect(rules({ levels: SETS }).apply(STEP, 'relaxed').settings).toEqual([
      { ...setting, what: 'innodb_flush_log_at_trx_commit', value: '2' },
      { ...setting, what: 'sync_binlog', value: '0' },
    ]);
    const pooled = rules({ setting: 'pool_mode', on: 'pooler', levels: ['session', 'transaction'] });
    expect(pooled.apply(STEP, 'session').settings).toEqual([
      { changer: 'server-setting', place: { kind: 'server', name: 'pooler' }, what: 'pool_mode', value: 'session' },
    ]);
    expect(pooled.varies).toEqual(['pool_mode of pooler']);
  });

  it('write true and false as on and off, and null as no change', () => {
    const levels = [
      { name: 'as found', set: { jit: null } },
      { name: 'without', set: { jit: false } },
    ];
    expect(problems({ levels })).toEqual([]);
    expect(rules({ levels }).apply(STEP, 'as found').settings).toEqual([]);
    expect(rules({ levels }).apply(STEP, 'without').settings).toMatchObject([{ what: 'jit', value: 'off' }]);
  });

  it('are equal if they set the same values', () => {
    const { levelKey } = rules({ setting: 'innodb_buffer_pool_size', levels: ['1G', '1024M', '2G', '1s', '1000000'] });
    expect(levelKey('1G')).toBe(levelKey('1024M'));
    expect(levelKey('1G')).not.toBe(levelKey('2G'));
    expect(levelKey('1s')).not.toBe(levelKey(1_000_000));
  });

  it('cost as much as the most expensive one, or a restart if unknown', () => {
    const cost = (setting: string) => rules({ setting, levels: [1] }).cost;
    expect(rules({ levels: SETS }).cost).toBe('live');
    expect(cost('innodb_buffer_pool_size')).toBe('live');
    expect(cost('innodb_log_file_size')).toBe('restart');
    expect(cost('innodb_doublewrite')).toBe('restart');
    expect(cost('work_mem')).toBe('reload');
    expect(cost('shared_buffers')).toBe('restart');
    expect(cost('default_pool_size')).toBe('live');
    expect(cost('no_such_setting')).toBe('restart');
    const both = { name: 'a', set: { work_mem: '64MB', shared_buffers: '1GB' } };
    expect(rules({ levels: [both] }).cost).toBe('restart');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a plain level without a setting', { levels: [1] }, /^levels\.0: .*setting: work_mem/],
    [
      'a set beside a setting',
      { setting: 'jit', levels: [{ name: 'a', set: { jit: 'on' } }] },
      /^levels\.0: .*plain value/,
    ],
    [
      'sets of different settings',
      {
        levels: [
          { name: 'a', set: { x: 1, y: 1 } },
          { name: 'b', set: { x: 2 } },
        ],
      },
      /^levels\.1\.set: level “b” does not set y/,
    ],
    ['an empty set', { levels: [{ name: 'a', set: {} }] }, /choose a setting/],
    ['a name that could be a statement', { setting: 'x = 1; DROP', levels: [1] }, /^setting: .*not a name/],
    ['a name in a set that could be a line', { levels: [{ name: 'a', set: { 'a\nb': 1 } }] }, /not a name/],
    ['a value of two lines', { setting: 'x', levels: ['1\nport = 2'] }, /^levels\.0: .*one line/],
    ['a secret by its name', { setting: 'primary_conninfo', levels: ['x'] }, /holds a secret/],
    ['a secret in a value', { setting: 'restore_command', levels: ['get ftp://me:hunter22@far/'] }, /holds a secret/],
  ])('are refused: %s', (_name, fields, message) => {
    expect(problems(fields)).toEqual([expect.stringMatching(message)]);
  });

  it('need a server: that of the target or a named one', () => {
    const storage: Tool = { ...DATABASE, drives: ['storage'] };
    expect(problems({ setting: 'jit', levels: ['on'] }, storage)).toEqual([
      expect.stringMatching(/^on: .*choose the target/),
    ]);
    expect(problems({ setting: 'jit', on: 'db', levels: ['on'] }, storage)).toEqual([]);
  });

  it('have forms in which every field has a title and a description', () => {
    const { fields, level } = serverSettingFactor;
    for (const schema of [fields, level]) {
      const { properties = {} } = z.toJSONSchema(schema ?? z.object(), { io: 'input' });
      for (const each of Object.values(properties))
        expect(each).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  });
});

describe('a misspelt name', () => {
  it('is refused with the nearest known one', () => {
    const names = ['work_mem', 'wal_level', 'innodb_buffer_pool_size'];
    expect(nearestName('WORKMEM', names)).toBe('work_mem');
    expect(nearestName('something_else_entirely', names)).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });
});
