import { expect, it } from 'vitest';
import { Experiment, type Scalar } from '../../../shared/model/experiment.ts';
import type { Durability } from '../../../shared/model/target.ts';
import { durabilityWithSettings } from './durability.ts';
import { effectsOf } from './effects.ts';
import { probe } from './testing/probe.ts';

const FLUSH = 'innodb_flush_log_at_trx_commit';
const safe = (name: string, value: string) => ({ name, value, level: 'safe' as const });

/** Durability of a cell with these settings on a server that was described with others. */
function durabilityWith(set: Record<string, Scalar>, settings: Durability['settings'], kind = 'mysql') {
  const experiment = Experiment.parse({
    kneepoint: 1,
    name: 'Settings',
    workload: { tool: 'probe' },
    where: {},
    measure: {},
    factors: [{ name: 'settings', kind: 'server-setting', levels: [{ name: 'chosen', set }] }],
  });
  const step = effectsOf(experiment, { levels: { settings: 'chosen' } }, probe);
  const durability: Durability = { level: 'safe', why: 'As found.', ...(settings && { settings }) };
  const description = { product: 'Server', version: '1', settings: [], durability, readAt: 0 };
  return durabilityWithSettings(probe, step, { name: 'db', kind, description });
}

it('is that of the settings of a level, and of the others as found', () => {
  const found = [safe(FLUSH, '1'), safe('innodb_doublewrite', 'ON')];
  expect(durabilityWith({ [FLUSH]: 2 }, found)).toMatchObject({
    level: 'relaxed',
    why: `A power cut can lose the last committed transactions: ${FLUSH} = 2.`,
  });
  expect(durabilityWith({ [FLUSH]: 1 }, [{ name: FLUSH, value: '2', level: 'relaxed' }])?.level).toBe('safe');
  expect(durabilityWith({ INNODB_DOUBLEWRITE: 'OFF' }, found)?.level).toBe('unsafe');
  expect(durabilityWith({ debug_no_sync: 'ON' }, found)?.level).toBe('unsafe');
});

it('ignores settings without effect, and is unchanged where settings are not judged', () => {
  const found = [safe(FLUSH, '1')];
  // Without a binary log it has no effect.
  expect(durabilityWith({ sync_binlog: 0 }, found)?.level).toBe('safe');
  expect(durabilityWith({ max_connections: 10 }, found)?.why).toBe('As found.');
  expect(durabilityWith({ [FLUSH]: 2 }, undefined)?.level).toBe('safe');
  expect(durabilityWith({ synchronous_commit: false }, [safe('synchronous_commit', 'on')], 'postgres')?.level).toBe(
    'relaxed',
  );
});
