import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
import { fakeTool } from './testing/fake-tool.ts';
import { SessionBed } from './testing/session-bed.ts';

let bed: SessionBed;
beforeEach(() => {
  bed = new SessionBed();
});
afterEach(() => bed.close());

const at =
  (rate: number) =>
  (job: FakeJob): void => {
    job.print(`1 ${rate}\n2 ${rate}\n`);
    job.end(0);
  };
const fails = (job: FakeJob): void => job.end(1);
const placesOf = (id: number): string[] => bed.runs(id).map(({ trial, step, state }) => `${trial}.${step} ${state}`);
const SIZES = '[{ name: size, kind: option, option: size, levels: [1, 2], baseline: 1 }]';
const STEPS = (gate: string): string =>
  `[{ name: reads, gate: { ${gate} } }, { name: writes }, { name: reads after, same: reads }]`;

describe('a gate', () => {
  it('passes if its figure meets the condition, also for a repeated step', async () => {
    bed.script.push(at(100), at(5), at(100));
    const id = bed.start({ trials: 1, steps: STEPS('above: 90, below: 110') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done']);
    expect(bed.runs(id).flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('skips the rest of the trial if it fails, and keeps the measured data', async () => {
    bed.script.push(at(50), at(100), at(100), at(100));
    const id = bed.start({ trials: 2, steps: STEPS('above: 90') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', '0.2 skipped', '1.0 done', '1.1 done', '1.2 done']);
    const words = 'The gate of step “reads” stops its trial: operations: 50, required: above 90.';
    expect(bed.runs(id)[0]?.findings).toMatchObject([{ code: 'gate-closed', severity: 'warn', message: words }]);
    expect(bed.runs(id)[1]?.message).toBe(words);
    expect(bed.row(id)).toMatchObject({ state: 'done', trialsFailed: 0 });
  });

  it('stops the trial if its step failed', async () => {
    bed.script.push(fails);
    const id = bed.start({ trials: 1, steps: STEPS('above: 90') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 skipped', '0.2 skipped']);
  });

  it('compares with the baseline measured before', async () => {
    bed.script.push(at(100), at(100), at(100), at(40));
    const id = bed.start({ trials: 1, factors: SIZES, steps: STEPS('ratio-above: 0.5') });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '1.0 done', '1.1 skipped', '1.2 skipped']);
    expect(bed.runs(id)[3]?.findings[0]?.message).toContain('operations: ×0.40 of size 1, required: above ×0.50');
  });

  it('compares with an earlier step of the trial', async () => {
    const steps =
      '[{ name: one }, { name: many, options: { size: 9 }, gate: { of: one, ratio-above: 4 } }, { name: writes }]';
    bed.script.push(at(100), at(500), at(100), at(100), at(300));
    const id = bed.start({ trials: 2, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '1.0 done', '1.1 done', '1.2 skipped']);
    expect(bed.runs(id)[4]?.findings[0]?.message).toContain('operations: ×3.00 of step “one”, required: above ×4.00');
  });

  it('compares levels of a step with one of them, except itself', async () => {
    const steps =
      '[{ name: reads, factors: [{ name: size, levels: [1, 2, 3] }], gate: { of: reads / size 1, ratio-above: 1.5 } }, { name: writes }]';
    bed.script.push(at(100), at(160), at(140));
    const id = bed.start({ trials: 1, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '0.3 skipped']);
    expect(bed.runs(id)[2]?.findings[0]?.message).toContain('×1.40 of step “reads / size 1”');
  });

  it('compares each step of a repeated group with the one that it repeats', async () => {
    const steps =
      '[{ name: before, each: [{ name: a }, { name: b }] }, { name: after, same: before, gate: { of: before, ratio-above: 0.9 } }, { name: end }]';
    bed.script.push(at(100), at(200), at(95), at(150));
    const id = bed.start({ trials: 1, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 done', '0.2 done', '0.3 done', '0.4 skipped']);
    expect(bed.runs(id)[3]?.findings[0]?.message).toContain('×0.75 of step “before / b”, required: above ×0.90');
  });

  it('is closed if the earlier step has no figure', async () => {
    bed.script.push(fails, at(100));
    const steps = '[{ name: one }, { name: many, gate: { of: one, ratio-above: 0.1 } }, { name: writes }]';
    const id = bed.start({ trials: 1, steps });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 failed', '0.1 done', '0.2 skipped']);
    expect(bed.runs(id)[1]?.findings[0]?.message).toContain('unknown ratio to step “one”, required: above ×0.10');
  });

  it.each([
    [0, ['0.0 done', '0.1 skipped', '0.2 skipped']],
    [1, ['0.0 done', '0.1 done', '0.2 done']],
  ])('allows at most %i errors as the tool counts them', async (most, places) => {
    await bed.close();
    bed = new SessionBed(['one'], [{ ...fakeTool, metrics: { ...fakeTool.metrics, failures: ['rounds'] } }]);
    bed.script.push(at(100), at(100), at(100));
    const id = bed.start({ trials: 1, steps: STEPS(`errors: ${most}`) });
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(places);
    const words = most === 0 ? ['errors: 1, required: at most 0'] : [];
    expect(bed.runs(id)[0]?.findings.map(({ message }) => message)).toEqual(
      words.map((each) => expect.stringContaining(each)),
    );
  });

  it.each(['closed', 'killed'])('has the same result if the app is %s right after the step', async (how) => {
    const id = bed.start({ trials: 1, steps: STEPS('above: 90') });
    const job = await bed.running(id, 0);
    bed.sessions.pause(id);
    at(50)(job);
    await bed.sessions.settled(id);
    if (how === 'closed') await bed.reopen();
    else bed.crash();
    await bed.sessions.resume(id);
    await bed.sessions.settled(id);
    expect(placesOf(id)).toEqual(['0.0 done', '0.1 skipped', '0.2 skipped']);
    expect(bed.runs(id)[0]?.findings).toHaveLength(1);
    expect(bed.log(id).filter(({ message }) => message.startsWith('Trial 1: The gate'))).toHaveLength(1);
  });
});

it('repeats a step with its options, length and gate under its own name', () => {
  const { plan, commands, problems } = bed.check(`kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: [{ name: reads, options: { size: 7 }, duration: 20 }, { name: writes }, { name: reads after, note: Again, same: reads }]
where: {}
measure: { duration: 10 }
`);
  expect(problems).toEqual([]);
  expect(plan?.estimate).toMatchObject({ load: 50 });
  expect(commands?.[0]).toBe(
    '# reads\nrun @settings@\n# writes\nrun @settings@\n# reads after\n# Again\nrun @settings@',
  );
});

it.each([
  ['same: reads', 'same: reeds', 'steps.2.same', 'no step or group named “reeds” before this one'],
  ['same: reads', 'same: reads, duration: 5', 'steps.2.duration', 'so “duration” is not valid in it'],
  ['gate: { above: 90 }', 'gate: {}', 'steps.0.gate', 'has no condition'],
  ['gate: { above: 90 }', 'gate: { errors: 0 }', 'steps.0.gate.errors', 'counts no errors'],
  ['gate: { above: 90 }', 'gate: { rows: 5 }', 'steps.0.gate.rows', 'Only statements have rows'],
  ['gate: { above: 90 }', 'gate: { ratio-above: 0.5 }', 'steps.0.gate', 'needs a factor with a baseline'],
  ['gate: { above: 90 }', 'gate: { of: reads, ratio-above: 2 }', 'steps.0.gate.of', 'no step named “reads” before'],
  ['gate: { above: 90 }', 'gate: { of: reads }', 'steps.0.gate.of', 'only valid with “ratio-above”'],
  ['{ name: writes }', '{ name: writes, gate: { of: writes, ratio-below: 2 } }', 'steps.1.gate.of', '“writes” before'],
  ['same: reads', 'same: reads, gate: { of: reeds, ratio-above: 2 }', 'steps.2.gate.of', 'no step named “reeds”'],
  ['gate: { above: 90 }', 'gate: { equal: writes }', 'steps.0.gate.equal', 'Only results of statements'],
])('refuses %s as %s', (right, wrong, path, words) => {
  const text = `kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: ${STEPS('above: 90')}
where: {}
measure: { duration: 1 }
`;
  expect(bed.check(text).problems).toEqual([]);
  const { problems } = bed.check(text.replace(right, wrong));
  expect(problems[0]).toMatchObject({ path, message: expect.stringContaining(words) });
});
