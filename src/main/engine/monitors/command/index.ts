import type { SeriesRule } from '../../../../shared/model/monitored.ts';
import type { CommandMonitor } from '../../../../shared/model/monitors.ts';
import { readPatterns } from '../../../../shared/patterns/index.ts';
import type { MonitorProgram } from '../monitor.ts';
import { STAMP, STAMP_LINES } from '../scripts/stamp.sh.ts';
import { CommandParser, groupsOf } from './parse.ts';

const rule = (group: string, unit: string): SeriesRule => ({
  id: group,
  label: group.replaceAll('_', ' '),
  unit,
  lane: 'own',
  main: true,
  reading: { kind: 'gauge', of: [group] },
});

/**
 * A custom command: each named group of its patterns is a series. Throws RangeError, whose message is a sentence, if the patterns are invalid. Exits
 * as the command does; with 69 if there is no /proc or no awk.
 */
export function commandMonitor(spec: CommandMonitor): MonitorProgram {
  const patterns = readPatterns(spec.pattern);
  const groups = [...groupsOf(patterns)];
  if (groups.length === 0)
    throw new RangeError('The patterns have no named group: write (?<name>…) around each figure to watch.');
  return {
    job: {
      argv: ['sh', '@stamp.sh@', '@stamp.awk@', '/proc', '@script.sh@'],
      env: {},
      files: [
        { name: 'stamp.sh', content: STAMP, mode: 0o600, secret: false },
        { name: 'stamp.awk', content: STAMP_LINES, mode: 0o600, secret: false },
        { name: 'script.sh', content: `${spec.command}\n`, mode: 0o600, secret: false },
      ],
    },
    parser: () => new CommandParser(patterns),
    rules: groups.map((group) => rule(group, spec.units?.[group] ?? '')),
    keepsOutput: true,
  };
}
