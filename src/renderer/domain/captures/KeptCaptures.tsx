import { Select } from '@mantine/core';
import { useState } from 'react';
import type { KeptCapture } from '../../../shared/model/capture.ts';
import {
  entryWords,
  type KeptEntry,
  keptEntries,
  momentWords,
  problemWords,
  sizeWords,
} from '../../../shared/model/capture-words.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { Run } from '../../../shared/model/session.ts';
import { formatCount, formatLevels, NO_VALUE } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { type Column, DataTable, Status } from '../../ui/index.ts';
import classes from './captures.module.css';
import { DifferenceTable } from './DifferenceTable.tsx';
import { KeptContent } from './KeptContent.tsx';

const NONE: readonly KeptCapture[] = [];

const COLUMNS: readonly Column<KeptEntry>[] = [
  { id: 'name', header: 'Capture', value: ({ name }) => name },
  { id: 'when', header: 'When', value: entryWords },
  { id: 'as', header: 'Stored as', value: ({ as }) => as },
  {
    id: 'size',
    header: 'Size',
    align: 'right',
    value: ({ bytes }) => bytes,
    cell: (kept) => (kept.bytes > 0 ? sizeWords(kept) : NO_VALUE),
  },
  {
    id: 'problem',
    header: 'Problem',
    grow: true,
    value: problemWords,
    cell: (kept) => (kept.problem === undefined ? NO_VALUE : <Status tone="warn">{problemWords(kept)}</Status>),
  },
];

/** A list is only worth its space with several moments or a problem. */
const LIST_HEIGHT = 240;

interface KeptProperties {
  run: Pick<Run, 'id'>;
  /** All runs of its session: their captures can be shown next to it. */
  runs: readonly Run[];
  sessionId: number;
  /** Begins a measure of a number of a table. */
  onMeasure?(measure: Partial<DerivedMeasure>): void;
}

/** Stored text and tables of a run: the list, and the selected one, optionally next to another one. */
export function KeptCaptures({ run, runs, sessionId, onMeasure }: KeptProperties) {
  const all = useCall('captures.list', { sessionId }).data ?? NONE;
  const kept = keptEntries(all.filter(({ runId }) => runId === run.id));
  const [chosen, choose] = useState<number>();
  const [otherId, setOther] = useState<string | null>(null);
  const shown = kept.find(({ id }) => id === chosen) ?? kept.find(({ problem }) => problem === undefined) ?? kept[0];
  if (!shown) return null;
  const others = all.filter(({ id, name, bytes }) => id !== shown.id && name === shown.name && bytes > 0);
  const other = others.find(({ id }) => String(id) === otherId);
  return (
    <section className={classes.section} aria-label="Captures">
      <div className={classes.head}>
        <h3>Captures</h3>
        <span className="kp-small">{formatCount(kept.length, 'capture')}</span>
      </div>
      <DataTable
        label="Captures"
        columns={COLUMNS.filter(({ id }) => id !== 'problem' || kept.some(({ problem }) => problem !== undefined))}
        rows={kept}
        rowId={({ id }) => String(id)}
        current={String(shown.id)}
        onRowClick={({ id }) => choose(id)}
        maxHeight={LIST_HEIGHT}
      />
      <div className={classes.head}>
        <h3>{`${shown.name}, ${entryWords(shown)}`}</h3>
        {others.length > 0 ? (
          <Select
            aria-label="Compare with"
            placeholder="Compare with: none"
            w={360}
            clearable
            searchable
            data={others.map((each) => ({
              value: String(each.id),
              label: `${runWords(each, runs)}${momentWords(each)}`,
            }))}
            value={other ? otherId : null}
            onChange={setOther}
          />
        ) : null}
      </div>
      {shown.isDifference && !other ? <Difference runId={run.id} name={shown.name} /> : null}
      {shown.isDifference && !other ? null : (
        <div className={classes.sides}>
          <KeptContent kept={shown} key={shown.id} onMeasure={onMeasure} />
          {other ? <KeptContent kept={other} key={other.id} /> : null}
        </div>
      )}
    </section>
  );
}

/** Name of its run, if its session has several. */
function runWords({ runId }: KeptCapture, runs: readonly Run[]): string {
  const run = runs.find(({ id }) => id === runId);
  if (!run || runs.length < 2) return '';
  const levels = formatLevels(run.levels);
  return `Trial ${run.trial + 1}${levels ? ` (${levels})` : ''}: `;
}

function Difference({ runId, name }: { runId: number; name: string }) {
  const query = useCall('captures.differences', { runId });
  const difference = query.data?.find((each) => each.name === name);
  if (!query.data) return null;
  if (!difference)
    return <span className="kp-dim">No difference available: the capture at the start or end is missing.</span>;
  return <DifferenceTable difference={difference} key={name} />;
}
