import type { SshConfigEntry } from '../../../../shared/model/host.ts';
import { NO_VALUE } from '../../../../shared/util/format.ts';
import { type Column, Status } from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { addressOf, signInOf } from '../words.tsx';

export type Entry = SshConfigEntry & { saved: boolean };

export const isImportable = ({ spec, saved }: Entry): boolean => spec !== undefined && !saved;

export const entryColumns: readonly Column<Entry>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, width: 220 },
  { id: 'address', header: 'Address', value: ({ spec }) => (spec ? addressOf(spec) : NO_VALUE), width: 240 },
  {
    id: 'login',
    header: 'Authentication',
    width: 110,
    value: ({ spec }) => (spec ? signInOf(spec) : NO_VALUE),
    cell: ({ spec }) =>
      spec ? <span title={spec.auth.method === 'key' ? spec.auth.keyFile : ''}>{signInOf(spec)}</span> : NO_VALUE,
  },
  { id: 'via', header: 'Jump hosts', value: ({ spec }) => spec?.jumps.join(' → ') || NO_VALUE, width: 190 },
  { id: 'notes', header: 'Notes', grow: true, cell: (entry) => <Notes entry={entry} /> },
];

function Notes({ entry: { saved, problem, notes } }: { entry: Entry }) {
  if (saved) return <Status tone="idle">already saved</Status>;
  if (problem !== undefined) return <Status tone="bad">{problem}</Status>;
  return notes.length === 0 ? null : (
    <span className={classes.wrap} title={notes.join('\n')}>
      {notes.join(' ')}
    </span>
  );
}
