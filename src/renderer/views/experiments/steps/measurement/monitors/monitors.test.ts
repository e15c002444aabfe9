import { describe, expect, it } from 'vitest';
import { Experiment } from '../../../../../../shared/model/experiment.ts';
import { CommandMonitor, Monitors, StatementMonitor } from '../../../../../../shared/model/monitors.ts';
import { groupsIn, isWatched, newCommand, newStatement, replaced, withMonitors, withUnit } from './monitors.ts';

const bare = Experiment.parse({ kneepoint: 1, name: 'Bare', workload: { tool: 'sysbench' }, where: {}, measure: {} });

describe('monitors', () => {
  it('are on by default, and only differences are stored', () => {
    expect(isWatched(undefined, 'server')).toBe(true);
    const off = withMonitors(bare, { server: false });
    expect(off.monitors).toEqual({ server: false });
    expect(isWatched(off.monitors, 'server')).toBe(false);
    expect(withMonitors(off, { hosts: ['db2'] }).monitors).toEqual({ server: false, hosts: ['db2'] });
    const back = withMonitors(withMonitors(off, { hosts: [] }), { server: true });
    expect('monitors' in back).toBe(false);
    expect(back).toEqual(bare);
  });

  it('start with valid custom items with unique names', () => {
    const first = newStatement([]);
    expect(StatementMonitor.parse(first)).toEqual(first);
    expect(newStatement([first]).name).not.toBe(first.name);
    expect(newStatement([{ ...first, name: 'statement 2' }]).name).toBe('statement 3');
    const command = newCommand([]);
    expect(CommandMonitor.parse(command)).toEqual(command);
    expect(Monitors.parse({ statements: [first], commands: [command] })).toBeDefined();
  });

  it('are replaced, added and removed in place', () => {
    expect(replaced(['a', 'b'], 1, 'c')).toEqual(['a', 'c']);
    expect(replaced(['a', 'b'], 2, 'c')).toEqual(['a', 'b', 'c']);
    expect(replaced(['a', 'b'], 0, undefined)).toEqual(['b']);
  });
});

describe('groups of a pattern', () => {
  it('are series, in both spellings', () => {
    expect(groupsIn(String.raw`^(?P<load>\S+) (?<queue>\d+) (\d+) (?:x) (?P<load>y)`)).toEqual(['load', 'queue']);
    expect(groupsIn('(unfinished')).toEqual([]);
  });

  it('have units, which are removed with them', () => {
    const command = withUnit(newCommand([]), 'load', 'threads');
    expect(command.units).toEqual({ load: 'threads' });
    expect('units' in withUnit(command, 'load', ' ')).toBe(false);
    const other = withUnit({ ...command, pattern: '(?P<power>.)' }, 'power', 'W');
    expect(other.units).toEqual({ power: 'W' });
  });
});
