import { describe, expect, it } from 'vitest';
import { Experiment } from '../model/experiment.ts';
import { Factor } from '../model/factor.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';
import {
  type LimitFacts,
  limitChecks,
  measureChecks,
  type StartFacts,
  startChecks,
  type UnwatchedFacts,
  unwatchedChecks,
} from './index.ts';

const FAIR = { warmup: 10, duration: 60, repeats: 3, order: 'rounds' };
const experiment = (measure: object = {}, rest: object = {}) =>
  Experiment.parse({
    kneepoint: 1,
    name: 'x',
    workload: { tool: 'sysbench' },
    where: {},
    measure: { ...FAIR, ...measure },
    ...rest,
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
  generators: [{ name: 'loadgen', facts: FACTS }],
  targetAddress: '10.0.0.8',
  target: server('safe'),
  ...change,
});
const codes = (change: Partial<StartFacts>): string[] => startChecks(fair(change)).map(({ code }) => code);
const generators = (change: Partial<HostFacts>) => [{ name: 'loadgen', facts: { ...FACTS, ...change } as HostFacts }];

it('a fair set-up has no findings', () => {
  expect(codes({})).toEqual([]);
});

describe('the path between generator and server', () => {
  it('is long from a round trip of 1 ms on', () => {
    expect(codes({ roundTrips: [{ from: 'loadgen', ms: 0.2 }] })).toEqual([]);
    const [finding] = startChecks(fair({ roundTrips: [{ from: 'loadgen', ms: 2 }] }));
    expect(finding).toMatchObject({
      code: 'long-round-trip',
      message: expect.stringContaining('at most 500 statements'),
    });
  });

  it('has a hop in between if middleware responds for the server', () => {
    const target = { ...server('safe'), middleware: { product: 'PgBouncer', settings: [] } };
    expect(codes({ target })).toEqual(['hop-in-between']);
  });

  it('has an old TLS library only with many encrypted connections', () => {
    const of = (tlsLibrary: string, most: number, encrypts: boolean) =>
      codes({
        target: { ...server('safe'), tlsLibrary },
        generators: generators({}).map((each) => ({
          ...{ ...each, encrypts },
          workers: { most, unit: ['thread', 'threads'] as const },
        })),
      });
    expect(of('OpenSSL 1.0.2k-fips', 64, true)).toEqual(['old-tls-library']);
    expect(of('OpenSSL 1.0.2k-fips', 32, true)).toEqual([]);
    expect(of('OpenSSL 1.0.2k-fips', 64, false)).toEqual([]);
    expect(of('OpenSSL 3.0.15 3 Sep 2024', 64, true)).toEqual([]);
    expect(of('OpenSSL 1.1.1', 64, true)).toEqual([]);
  });
});

describe('the generator', () => {
  it.each(['127.0.0.1', '127.0.1.1', 'localhost', '::1', '10.0.0.7', 'fe80::7'])(
    'is on the machine of the target (%s)',
    (address) => {
      const [finding] = startChecks(fair({ targetAddress: address }));
      expect(finding).toMatchObject({ code: 'same-machine', severity: 'warn' });
      expect(finding?.evidence).toContain(address);
    },
  );

  it('lacks AES instructions only on an encrypted connection', () => {
    const of = (cpuFeatures: string[] | undefined, encrypts: boolean) =>
      generators(cpuFeatures ? { cpuFeatures } : {}).map((generator) => ({ ...generator, encrypts }));
    expect(codes({ generators: of(['avx2'], true) })).toEqual(['no-aes']);
    expect(codes({ generators: of(['aes'], true) })).toEqual([]);
    expect(codes({ generators: of(undefined, true) })).toEqual([]);
    expect(codes({ generators: of(['avx2'], false) })).toEqual([]);
    // The app's own connection does not show how the tool connects.
    const target = { ...server('safe'), tls: 'TLSv1.3, TLS_AES_256_GCM_SHA384', encrypted: true };
    expect(codes({ generators: of(['avx2'], false), target })).toEqual([]);
  });

  it('is not the target because of a localhost-like name or without facts', () => {
    expect(codes({ targetAddress: 'localhost.example.org' })).toEqual([]);
    expect(codes({ targetAddress: '10.0.0.7', generators: [{ name: 'loadgen' }] })).toEqual([]);
  });

  it('runs too much with more than sixteen workers per core', () => {
    const clients = (most: number) => [
      { name: 'loadgen', workers: { most, unit: ['client', 'clients'] as const }, facts: FACTS },
    ];
    const findings = startChecks(fair({ generators: clients(129) }));
    expect(findings).toMatchObject([{ code: 'many-threads-per-core', severity: 'note' }]);
    expect(findings[0]?.message).toContain('129 clients on 8 cores of loadgen');
    expect(codes({ generators: clients(128) })).toEqual([]);
    expect(codes({ generators: [{ name: 'loadgen', workers: { most: 1000, unit: ['job', 'jobs'] } }] })).toEqual([]);
  });

  it('has a CPU governor that follows the load', () => {
    expect(codes({ generators: generators({ cpuGovernor: 'powersave' }) })).toEqual(['cpu-governor']);
    const { cpuGovernor: _none, ...unknown } = FACTS;
    expect(codes({ generators: [{ name: 'loadgen', facts: unknown as HostFacts }] })).toEqual([]);
  });
});

describe('several generators', () => {
  const several = { where: { generators: ['a', 'b'] } };
  const workers = { most: 100, unit: ['thread', 'threads'] as const };
  const two = [
    { name: 'a', facts: FACTS, workers },
    { name: 'b', facts: { ...FACTS, cpuCount: 4 }, workers },
  ];

  it('are each judged by their share of the load, and the division is noted', () => {
    const findings = startChecks(fair({ experiment: experiment({}, several), generators: two }));
    expect(findings.map(({ code }) => code)).toEqual(['many-threads-per-core', 'load-divided']);
    expect(findings[0]?.message).toContain('100 threads on 4 cores of b');
    expect(findings[1]).toMatchObject({ severity: 'note', evidence: 'a, b' });
  });
});

describe('limits', () => {
  const limits = (change: Partial<LimitFacts>, facts: Partial<HostFacts> = {}) =>
    limitChecks({
      connections: 30_000,
      fewest: 30_000,
      generators: [{ name: 'a', share: 30_000, facts: { ...FACTS, ...facts } as HostFacts }],
      targetAddress: '10.0.0.8',
      ...change,
    });
  const settings = (value: string) => ({ ...server('safe'), settings: [{ name: 'max_connections', value }] });
  const enough = { openFilesLimit: 65_536, localPorts: { first: 1024, last: 65_535 } };

  it('do not matter if they suffice or are unknown', () => {
    expect(limits({ target: settings('30000') }, enough)).toEqual([]);
    expect(limits({ target: { ...server('safe'), product: 'SQLite' } })).toEqual([]);
  });

  it('for open files include other files of the tool, and name the generators needed', () => {
    const [finding] = limits({}, { ...enough, openFilesLimit: 20_050 });
    expect(finding).toMatchObject({ code: 'open-files-limit', severity: 'block', evidence: 'ulimit -n = 20050' });
    expect(finding?.next).toContain('2 generators like this one can open all 30000.');
    expect(limits({}, { ...enough, openFilesLimit: 30_050 })).toEqual([]);
  });

  it('for ports apply to one target address, and not to a socket', () => {
    const narrow = { ...enough, localPorts: { first: 32_768, last: 60_999 } };
    const [finding] = limits({}, narrow);
    expect(finding).toMatchObject({ code: 'ports-limit', severity: 'block' });
    expect(finding?.message).toContain('28232 ports');
    expect(finding?.evidence).toContain('32768 60999');
    const { targetAddress: _none, ...withoutAddress } = {
      connections: 30_000,
      fewest: 30_000,
      generators: [{ name: 'a', share: 30_000, facts: narrow as HostFacts }],
      targetAddress: '',
    };
    expect(limitChecks(withoutAddress)).toEqual([]);
    expect(limits({ generators: [{ name: 'a', share: 28_232, facts: { ...FACTS, ...narrow } as HostFacts }] })).toEqual(
      [],
    );
  });

  it('for ports apply to each of several addresses', () => {
    const narrow = { ...enough, localPorts: { first: 32_768, last: 60_999 } };
    expect(limits({ addresses: 2 }, narrow)).toEqual([]);
    const [finding] = limits({
      addresses: 2,
      generators: [{ name: 'a', share: 60_000, facts: { ...FACTS, ...narrow } as HostFacts }],
    });
    expect(finding?.message).toContain('28232 ports for connections to each of 2 addresses, 56464 in all, but 60000');
  });

  it('for threads include those in use, and name the setting', () => {
    const threads = { most: 1000, fewest: 10 };
    const of = (threadsLimit: HostFacts['threadsLimit'], change = threads) =>
      limits({
        generators: [
          { name: 'a', share: 1000, threads: change, facts: { ...FACTS, ...enough, threadsLimit } as HostFacts },
        ],
      });
    expect(of({ most: 1500, used: 480, from: 'ulimit -u' })).toEqual([]);
    const [finding] = of({ most: 1500, used: 481, from: 'ulimit -u' });
    expect(finding).toMatchObject({ code: 'threads-limit', severity: 'warn', evidence: 'ulimit -u = 1500' });
    expect(finding?.message).toContain('1500 processes and threads; 481 are in use, and the tool needs 1000 more');
    expect(finding?.next).toContain('LimitNPROC');
    const [group] = of({ most: 1500, used: 1499, from: 'pids.max' });
    expect(group).toMatchObject({ severity: 'block', next: expect.stringContaining('TasksMax') });
    expect(of(undefined)).toEqual([]);
  });

  it('that only the larger cells exceed are a warning', () => {
    const low = { openFilesLimit: 1024, localPorts: { first: 1, last: 1000 } };
    const findings = limits({ fewest: 1, target: settings('100') }, low);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['open-files-limit', 'warn'],
      ['ports-limit', 'warn'],
      ['max-connections', 'warn'],
    ]);
    expect(limits({ target: settings('100') }, low).map(({ severity }) => severity)).toEqual([
      'block',
      'block',
      'block',
    ]);
  });

  it('of a tool are a warning, of the target a refusal, and behind a pool none', () => {
    const tool = { most: 4000, why: 'published' };
    const generators = [{ name: 'a', share: 15_000, tool, facts: { ...FACTS, ...enough } as HostFacts }];
    expect(limits({ generators })).toMatchObject([{ code: 'tool-limit', severity: 'warn' }]);
    expect(limits({ target: settings('29999') }, enough)).toMatchObject([
      { code: 'max-connections', severity: 'block' },
    ]);
    const middleware = { product: 'PgBouncer', settings: [] };
    expect(limits({ target: { ...settings('100'), middleware } }, enough)).toEqual([]);
  });

  it('of a pooler are its clients, and in session pooling the pool size', () => {
    const pooled = (...cells: NonNullable<LimitFacts['pooled']>[number][]) => limits({ pooled: cells }, enough);
    const [one, many] = [{ connections: 8 }, { connections: 200 }];
    expect(pooled(one, many, { ...many, mode: 'transaction', size: 2, mostClients: 200 })).toEqual([]);
    expect(pooled({ ...one, mostClients: 100 }, { ...many, mostClients: 100 })).toMatchObject([
      { code: 'pooler-clients', severity: 'warn', message: expect.stringContaining('200, where 100 are allowed') },
    ]);
    expect(pooled({ ...many, mostClients: 100 })).toMatchObject([{ code: 'pooler-clients', severity: 'block' }]);
    const session = { mode: 'session', size: 4 };
    expect(pooled({ connections: 4, ...session }, { ...one, mode: 'session', size: 0 })).toEqual([]);
    expect(pooled({ ...one, ...session }, { ...one, ...session, size: 2 })).toMatchObject([
      { code: 'pool-smaller-than-clients', severity: 'warn', message: expect.stringContaining('of 8 clients, 2 work') },
    ]);
  });
});

describe('the target', () => {
  it.each([
    ['unsafe', 'warn'],
    ['relaxed', 'note'],
  ] as const)('with %s durability gets a %s with the setting as evidence', (level, severity) => {
    expect(startChecks(fair({ target: server(level) }))).toMatchObject([
      { code: 'durability', severity, evidence: 'innodb_flush_log_at_trx_commit = 2' },
    ]);
  });

  it('without known durability gets no finding', () => {
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
  ])('gets a finding for %j', (measure, code) => {
    expect(measureChecks(experiment(measure)).map((finding) => finding.code)).toEqual([code]);
    expect(codes({ experiment: experiment(measure) })).toEqual([code]);
  });

  it.each([{ repeats: 3 }, { duration: 30 }, { warmup: 1 }, { order: 'shuffled' }, { order: 'rounds' }])(
    'gets no finding for %j',
    (measure) => {
      expect(measureChecks(experiment(measure))).toEqual([]);
    },
  );

  it('warns where trials are too short to be answered by steadiness', () => {
    const codesOf = (duration: number) =>
      measureChecks(experiment({ answer: 'steadiness', duration })).map(({ code, severity }) => [code, severity]);
    expect(codesOf(19)).toEqual([
      ['short-duration', 'note'],
      ['steadiness-too-short', 'warn'],
    ]);
    expect(codesOf(60)).toEqual([]);
  });

  it('gets no drift finding for single trials in listed order', () => {
    const found = measureChecks(experiment({ repeats: 1, order: 'listed' })).map((finding) => finding.code);
    expect(found).toEqual(['few-repeats']);
  });

  it('spells out one and two repeats', () => {
    expect(measureChecks(experiment({ repeats: 1 }))[0]?.message).toContain('one repeat per cell');
    expect(measureChecks(experiment({ repeats: 2 }))[0]?.message).toContain('two repeats per cell');
  });
});

describe('trials that write', () => {
  const resting = (measure: object, writingTrials?: number) =>
    codes({ experiment: experiment(measure), ...(writingTrials !== undefined && { writingTrials }) });

  it('leave work to the next trial without a rest', () => {
    expect(resting({}, 9)).toEqual(['no-rest-between-writes']);
    expect(resting({ before: { restart: true, caches: 'all' } }, 2)).toEqual(['no-rest-between-writes']);
    const [finding] = startChecks(fair({ writingTrials: 9 }));
    expect(finding).toMatchObject({ severity: 'note', message: expect.stringMatching(/^9 trials write, /) });
  });

  it.each([
    { pause: 15 },
    { before: { rest: 5 } },
    { before: { dirty: 64 } },
    { before: { writes: 1 } },
    { before: { until: 'SELECT 1' } },
  ])('rest with %j', (measure) => {
    expect(resting(measure, 9)).toEqual([]);
  });

  it.each([
    ['every change', {}, [{ levels: [1, 2], pause: 15 }], []],
    ['one level', { pause: 5 }, [{ levels: [1], pause: 0 }], []],
    [
      'no change of the other factor',
      {},
      [{ levels: [1, 2], pause: 15 }, { levels: [1, 2] }],
      ['no-rest-between-writes'],
    ],
    ['no change of this one', { pause: 5 }, [{ levels: [1, 2], pause: 0 }], ['no-rest-between-writes']],
    ['no repeat', { repeats: 3 }, [{ levels: [1, 2], pause: 15 }], ['no-rest-between-writes']],
  ])('rest after %s, following the pauses of the factors', (_, measure, own, expected) => {
    const document = experiment({ repeats: 1, ...measure });
    const factors = own.map((each, at) => Factor.parse({ name: `f${at}`, ...each }));
    const alone = startChecks(fair({ experiment: { ...document, factors }, writingTrials: 9 }));
    expect(alone.map(({ code }) => code).filter((code) => code.startsWith('no-rest'))).toEqual(expected);
  });

  it('need no rest if there is at most one', () => {
    expect(resting({}, 1)).toEqual([]);
    expect(resting({}, 0)).toEqual([]);
    expect(resting({})).toEqual([]);
  });
});

describe('monitoring that is off', () => {
  const NOTHING: UnwatchedFacts = { generators: [], places: [], servers: [], nowhere: [], systems: [] };
  const of = (facts: Partial<UnwatchedFacts>) => unwatchedChecks({ ...NOTHING, ...facts });

  it.each([
    [
      { generators: ['one', 'two'] },
      'Generators will not be watched (“one”, “two”), so a bottleneck there would go unnoticed.',
    ],
    [
      { places: ['db1'] },
      'The server host will not be watched (“db1”), so a bottleneck in its CPU, disks or network would go unnoticed.',
    ],
    [
      { servers: ['shop'] },
      'The server will not be watched (“shop”), so a bottleneck in locks, log or cache would go unnoticed.',
    ],
  ])('is a warning: %j', (facts, message) => {
    expect(of(facts)).toMatchObject([{ code: 'watching-off', severity: 'warn', message }]);
  });

  it('is one finding if everything is off', () => {
    const all = of({ generators: ['one'], places: ['db1'], servers: ['shop'] });
    expect(all.map(({ code }) => code)).toEqual(['watching-off']);
    expect(all[0]?.message).toMatch(/“one”.*“db1”.*“shop”/);
  });

  it('is a note if the target cannot be watched', () => {
    expect(of({ nowhere: ['shop'], systems: [{ host: 'mac-1', os: 'macOS 14.5' }] })).toMatchObject([
      { code: 'place-not-known', severity: 'note', message: expect.stringContaining('“shop”') },
      {
        code: 'system-not-watched',
        severity: 'note',
        message: '“mac-1” runs macOS 14.5, but only Linux hosts can be watched.',
      },
    ]);
  });

  it('is not the default', () => {
    expect(of({})).toEqual([]);
  });
});
