import { describe, expect, it } from 'vitest';
import { toolById } from '../tools/index.ts';
import { checkDocument, readDocument, resolveCells, restartOf } from './index.ts';

const DOCUMENT = `kneepoint: 1
name: Killed under load
workload: {tool: sysbench, options: {script: oltp_point_select}}
where: {target: db}
measure: {duration: 60, tool-died: restart, events: [{at: 30, do: start}, {at: 20, do: kill}]}
`;
const STEPS = DOCUMENT.replace('kneepoint: 1', 'kneepoint: 2')
  .replace(', events: [{at: 30, do: start}, {at: 20, do: kill}]', '')
  .replace(
    'where:',
    `steps:
  - {name: alone}
  - name: both
    parallel:
      - {name: load, same: alone}
      - {name: later, options: {threads: 2}, from: 5}
      - {name: fault, do: run, command: pkill -KILL mysqld, from: 25}
where:`,
  );

const sysbench = toolById('sysbench');

const problems = (text: string): string[] =>
  checkDocument(text, {
    tools: sysbench ? [sysbench] : [],
    connection: () => ({ kind: 'mysql' }),
    steps: () => ({ run: 'sysbench' }),
  }).problems.map(({ path, message }) => `${path}: ${message}`);

function restarts(text: string): unknown[] {
  const { experiment } = readDocument(text);
  if (!experiment || !sysbench) throw new Error('It cannot be read.');
  const [cell] = resolveCells(experiment, sysbench);
  return (cell?.steps ?? []).map((step, place) => restartOf(experiment, place, { tool: sysbench, step }));
}

describe('restarting a tool', () => {
  it('applies from the first event of a trial on', () => {
    expect(problems(DOCUMENT)).toEqual([]);
    expect(restarts(DOCUMENT)).toEqual([{ argument: '--time=', from: 20 }]);
    expect(restarts(DOCUMENT.replace('restart', 'fail'))).toEqual([undefined]);
    expect(restarts(DOCUMENT.replace('tool-died: restart, ', ''))).toEqual([undefined]);
  });

  it('applies to a load with a later parallel step', () => {
    expect(problems(STEPS)).toEqual([]);
    const [alone, load, later, fault] = restarts(STEPS);
    expect([alone, fault]).toEqual([undefined, undefined]);
    expect([load, later]).toMatchObject([{ from: 5 }, { from: 20 }]);
  });

  it('is refused without an event, or if its tool cannot continue', () => {
    expect(problems(DOCUMENT.replace(/, events: .*\]/, ''))).toEqual([
      expect.stringMatching(/^measure\.tool-died: “tool-died” has no effect/),
    ]);
    expect(problems(DOCUMENT.replace('oltp_point_select', 'bulk_insert'))).toContainEqual(
      expect.stringMatching(/^measure\.tool-died: .* cannot be restarted within a trial/),
    );
  });
});
