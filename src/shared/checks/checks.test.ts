import { describe, expect, it } from 'vitest';
import { Experiment } from '../model/experiment.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';
import { measureChecks, type StartFacts, startChecks } from './index.ts';

const FAIR = { warmup: 10, duration: 60, repeats: 3, order: 'rounds' };
const experiment = (measure: object = {}, threads: object = { factors: [{ name: 'threads', levels: [1, 8] }] }) =>
  Experiment.parse({
    kneepoint: 1,
    name: 'x',
    workload: { tool: 'sysbench' },
    where: {},
    measure: { ...FAIR, ...measure },
    ...threads,
  });

const FACTS = {
  cpuCount: 8,
  cpuGovernor: 'performance',
  networks: [{ name: 'eth0', addresses: ['10.0.0.7', 'fe80::7'] }],
} as unknown as HostFacts;
const server = (level: NonNullable<TargetDescription['durability']>['level']): TargetDescription => ({
  product: 'MariaDB',
  version: '10.11',
  settings: [],
  durability: { level, why: 'innodb_flush_log_at_trx_commit = 2' },
  readAt: 0,
});
const fair = (change: Partial<StartFacts> = {}): StartFacts => ({
  experiment: experiment(),
  generator: { name: 'loadgen', facts: FACTS },
  targetAddress: '10.0.0.8',
  target: server('safe'),
  ...change,
});
const codes = (change: Partial<StartFacts>): string[] => startChecks(fair(change)).map(({ code }) => code);
const generator = (change: Partial<HostFacts>) => ({ name: 'loadgen', facts: { ...FACTS, ...change } as HostFacts });

it('finds nothing to say of a fair set-up', () => {
  expect(codes({})).toEqual([]);
});

describe('the generator', () => {
  it.each(['127.0.0.1', '127.0.1.1', 'localhost', '::1', '10.0.0.7', 'fe80::7'])(
    'on the machine of the target (%s)',
    (address) => {
      const [finding] = startChecks(fair({ targetAddress: address }));
      expect(finding).toMatchObject({ code: 'same-machine', severity: 'warn' });
      expect(finding?.evidence).toContain(address);
    },
  );

  it('is not taken for the target by a loopback-like name, nor where nothing is known of it', () => {
    expect(codes({ targetAddress: 'localhost.example.org' })).toEqual([]);
    expect(codes({ targetAddress: '10.0.0.7', generator: { name: 'loadgen' } })).toEqual([]);
  });

  it('with more than sixteen threads per core', () => {
    const threads = (levels: number[]) => experiment({}, { factors: [{ name: 'threads', levels }] });
    expect(codes({ experiment: threads([1, 129]) })).toEqual(['many-threads-per-core']);
    expect(codes({ experiment: threads([1, 128]) })).toEqual([]);
    const renamed = { factors: [{ name: 'clients', option: 'threads', levels: [1000] }] };
    expect(codes({ experiment: experiment({}, renamed) })).toEqual(['many-threads-per-core']);
    const fixed = { workload: { tool: 'sysbench', options: { threads: 1000 } } };
    expect(codes({ experiment: experiment({}, fixed) })).toEqual(['many-threads-per-core']);
    expect(codes({ experiment: threads([1000]), generator: { name: 'loadgen' } })).toEqual([]);
  });

  it('whose clock follows the load', () => {
    expect(codes({ generator: generator({ cpuGovernor: 'powersave' }) })).toEqual(['cpu-governor']);
    const { cpuGovernor: _none, ...unknown } = FACTS;
    expect(codes({ generator: { name: 'loadgen', facts: unknown as HostFacts } })).toEqual([]);
  });
});

describe('the target', () => {
  it.each([
    ['unsafe', 'warn'],
    ['relaxed', 'note'],
  ] as const)('whose durability is %s gets a %s with the setting as evidence', (level, severity) => {
    expect(startChecks(fair({ target: server(level) }))).toMatchObject([
      { code: 'durability', severity, evidence: 'innodb_flush_log_at_trx_commit = 2' },
    ]);
  });

  it('of which nothing is known gets none', () => {
    expect(codes({ target: server('unknown') })).toEqual([]);
    const { target: _none, ...without } = fair();
    expect(startChecks(without)).toEqual([]);
  });
});

describe('the measurement', () => {
  it.each([
    [{ repeats: 1 }, 'few-repeats'],
    [{ repeats: 2 }, 'few-repeats'],
    [{ duration: 29 }, 'short-duration'],
    [{ warmup: 0 }, 'no-warm-up'],
    [{ order: 'listed' }, 'repeats-in-a-row'],
  ])('with %j', (measure, code) => {
    expect(measureChecks(experiment(measure)).map((finding) => finding.code)).toEqual([code]);
    expect(codes({ experiment: experiment(measure) })).toEqual([code]);
  });

  it.each([{ repeats: 3 }, { duration: 30 }, { warmup: 1 }, { order: 'shuffled' }, { order: 'rounds' }])(
    'with %j is left alone',
    (measure) => {
      expect(measureChecks(experiment(measure))).toEqual([]);
    },
  );

  it('in listed order of single trials drifts no more than any other', () => {
    const found = measureChecks(experiment({ repeats: 1, order: 'listed' })).map((finding) => finding.code);
    expect(found).toEqual(['few-repeats']);
  });

  it('says one and two repeats in words', () => {
    expect(measureChecks(experiment({ repeats: 1 }))[0]?.message).toContain('one repeat per cell');
    expect(measureChecks(experiment({ repeats: 2 }))[0]?.message).toContain('two repeats per cell');
  });
});
