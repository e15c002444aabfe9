import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FakeJob } from '../jobs/testing/fake-job.ts';
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
const placesOf = (id: number): string[] =>
  bed.runs(id).map(({ trial, step, state }) => `${trial} ${bed.row(id).steps[step]?.name} ${state}`);
const settingsOf = (job: FakeJob): string => job.spec.files.map(({ content }) => String(content)).join();

const GROUP =
  '{ name: before, options: { size: 7 }, gate: { above: 50 }, each: [{ name: a }, { name: b, options: { size: 8 } }] }';
const STEPS = `[${GROUP}, { name: writes }, { name: after, same: before }]`;

it('measures the steps of a group in order with shared settings, and again if repeated', async () => {
  bed.script.push(...[100, 100, 10, 100, 100].map(at));
  const id = bed.start({ trials: 1, steps: STEPS });
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual([
    ...['0 before / a done', '0 before / b done', '0 writes done', '0 after / a done', '0 after / b done'],
  ]);
  expect(bed.jobs.all.map(settingsOf)).toEqual(['7', '8', '1', '7', '8']);
  expect(bed.log(id).map(({ message }) => message)).toContain('Trial 1, step “after / b” is done.');
});

it('skips the rest of the trial if a step does not pass the gate of its group', async () => {
  bed.script.push(...[10, 100, 100, 100, 100, 10].map(at));
  const id = bed.start({ trials: 2, steps: STEPS });
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual([
    ...['0 before / a done', '0 before / b skipped', '0 writes skipped', '0 after / a skipped', '0 after / b skipped'],
    ...['1 before / a done', '1 before / b done', '1 writes done', '1 after / a done', '1 after / b done'],
  ]);
  expect(bed.runs(id)[1]?.message).toBe(
    'The gate of step “before / a” stops its trial: operations: 10, required: above 50.',
  );
  expect(bed.runs(id)[9]?.findings).toMatchObject([{ code: 'gate-closed' }]);
});

const textOf = (steps: string): string => `kneepoint: 2
name: Of a test
workload: { tool: fake }
steps: ${steps}
where: {}
factors: [{ name: operations, levels: [1, 2] }]
measure: { duration: 10, repeats: 3 }
`;

it('plans each step of a group by its full name, with the time of all', () => {
  const text = textOf(STEPS.replace('name: a', 'name: a, duration: 30')).replace('operations', 'bytes');
  const { plan, commands, problems } = bed.check(text);
  expect(problems).toEqual([]);
  const gate = '# gate: figure above 50';
  expect(commands?.[0]?.match(/^# .*/gm)).toEqual([
    ...['# before / a', gate, '# before / b', gate, '# writes'],
    ...['# after / a', gate, '# after / b', gate],
  ]);
  expect(plan?.estimate).toMatchObject({ load: 6 * (30 + 10 + 10 + 30 + 10) });
});

it.each([
  ['name: b,', 'name: a,', 'steps.0.each.1.name', 'Two steps are named “before / a”.'],
  ['name: writes', 'name: before / b', 'steps.1.name', 'Two steps are named “before / b”.'],
  ['name: writes', 'name: before', 'steps.1.name', 'Two steps are named “before”.'],
  ['size: 7', 'sise: 7', 'steps.0.options.sise', 'sise'],
  ['size: 8', 'sise: 8', 'steps.0.each.1.options.sise', 'sise'],
  ['size: 7', 'operations: 7', 'steps.0.options.operations', 'which the factor “operations” varies'],
  ['size: 8', 'operations: 8', 'steps.0.each.1.options.operations', 'which the factor “operations” varies'],
  ['above: 50', 'errors: 0', 'steps.0.gate.errors', 'counts no errors'],
  ['each: [', 'do: run, each: [', 'steps.0.do', '“do” is not valid in a group'],
  ['each: [', 'at-most: 5, each: [', 'steps.0.at-most', 'set it in the steps under “each”'],
  ['name: a', 'name: a, command: ls', 'steps.0.each.0.command', 'only valid in a step that has “do: run”'],
  ['name: a', 'name: a, same: writes', 'steps.0.each.0.same', 'There is no setting named “same” under steps.0.each.0'],
  ['same: before', 'same: before, each: [{ name: c }]', 'steps.2.each', 'so “each” is not valid in it'],
  ['same: before', 'same: befour', 'steps.2.same', 'no step or group named “befour” before this one'],
  ['[{ name: a }, { name: b, options: { size: 8 } }]', '[]', 'steps.0.each', 'each'],
  [
    ...['[{ name: a }, { name: b, options: { size: 8 } }]', '[{ name: a, do: run, command: ls }]'],
    ...['steps.0.options', 'No step of the group “before” runs the workload'],
  ],
])('refuses %s as %s', (right, wrong, path, words) => {
  expect(bed.check(textOf(STEPS)).problems).toEqual([]);
  const { problems } = bed.check(textOf(STEPS).replace(String(right), String(wrong)));
  expect(problems[0]).toMatchObject({ path, message: expect.stringContaining(String(words)) });
});

const LEVELS = '[{ name: reads, factors: [{ name: size, levels: [4, 5] }] }, { name: again, same: reads }]';

it('measures the levels of a step one after the other within the trial', async () => {
  bed.script.push(...[100, 100, 100, 100].map(at));
  const id = bed.start({ trials: 1, steps: LEVELS });
  await bed.sessions.settled(id);
  expect(placesOf(id)).toEqual([
    ...['0 reads / size 4 done', '0 reads / size 5 done', '0 again / size 4 done', '0 again / size 5 done'],
  ]);
  expect(bed.jobs.all.map(settingsOf)).toEqual(['4', '5', '4', '5']);
});

it.each([
  ['name: size', 'name: sise', 'steps.0.factors.0.levels.0', 'sise'],
  ['[4, 5]', '[4, big]', 'steps.0.factors.0.levels.1', 'size'],
  ['[4, 5]', '[4, 4]', 'steps.0.factors.0.levels', 'the same level twice'],
  ['name: size', 'name: operations', 'steps.0.factors.0', 'which the factor “operations” varies as well'],
  ['factors: [', 'options: { size: 1 }, factors: [', 'steps.0.factors.0', 'sets size, and varies it'],
  ['levels: [4, 5] }', 'levels: [4] }, { name: s, option: size, levels: [5] }', 'steps.0.factors.1', 'Two factors'],
  [
    'factors: [',
    'do: run, command: ls, measured: true, factors: [',
    'steps.0.factors',
    'only valid in a step that runs the workload',
  ],
  ['}] }, {', '}], each: [{ name: a, options: { size: 2 } }] }, {', 'steps.0.each.0.options', 'which its group varies'],
  [
    'same: reads',
    'same: reads, factors: [{ name: size, levels: [1] }]',
    'steps.1.factors',
    'so “factors” is not valid in it',
  ],
])('refuses levels within a trial: %s as %s', (right, wrong, path, words) => {
  expect(bed.check(textOf(LEVELS)).problems).toEqual([]);
  const { problems } = bed.check(textOf(LEVELS.replace(right, wrong)));
  expect(problems[0]).toMatchObject({ path, message: expect.stringContaining(words) });
});

it('limits a trial to 200 steps', () => {
  const each = Array.from({ length: 50 }, (_, place) => `{ name: s${place} }`).join();
  const groups = (count: number): string =>
    `[{ name: g0, each: [${each}] }, ${Array.from({ length: count - 1 }, (_, place) => `{ name: g${place + 1}, same: g0 }`).join()}]`;
  expect(bed.check(textOf(groups(4))).problems).toEqual([]);
  expect(bed.check(textOf(groups(5))).problems).toMatchObject([
    {
      path: 'steps',
      message: expect.stringContaining('has 250 steps, including those of its groups; the limit is 200'),
    },
  ]);
});
