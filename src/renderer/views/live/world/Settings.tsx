import type { Run, RunFact } from '../../../../shared/model/session.ts';
import { type Column, DataTable } from '../../../ui/index.ts';

const COLUMNS: Column<RunFact>[] = [
  { id: 'what', header: 'Setting', value: ({ what }) => what },
  { id: 'place', header: 'Of', value: placeOf },
  { id: 'wanted', header: 'Wanted', value: ({ wanted }) => wanted },
  { id: 'found', header: 'Read back', value: ({ found }) => found ?? 'not set' },
  {
    id: 'first',
    header: 'Before the session',
    hint: 'What it is put back to at the end',
    value: ({ first }) => first ?? 'not set',
  },
];

/** What was set on hosts and servers for a trial, as it was read back. */
export const SettingsOfTrial = ({ run, maxHeight }: { run: Run; maxHeight: number }) => (
  <DataTable
    label={`Settings of trial ${run.trial + 1}`}
    columns={COLUMNS}
    rows={run.facts ?? []}
    rowId={(fact) => `${placeOf(fact)} ${fact.what}`}
    empty=""
    maxHeight={maxHeight}
  />
);

/** Settings beyond these are counted. */
const NAMED = 3;

/** The same in one line; nothing where nothing was set. */
export function SettingsLine({ run }: { run: Run | undefined }) {
  const facts = run?.facts ?? [];
  if (!run || facts.length === 0) return null;
  const named = facts.slice(0, NAMED).map((fact) => `${fact.what} = ${fact.found ?? 'not set'} on ${placeOf(fact)}`);
  const more = facts.length > NAMED ? [`${facts.length - NAMED} more`] : [];
  return (
    <div className="kp-small kp-dim kp-ellipsis">
      Set for trial {run.trial + 1}: {[...named, ...more].join(' · ')}
    </div>
  );
}

function placeOf({ place }: RunFact): string {
  return `${place.kind} ${place.name}`;
}
