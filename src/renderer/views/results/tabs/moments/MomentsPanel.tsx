import { CHANGE_WORDS, intervalWords, nameOfSeries } from '../../../../../shared/analysis/index.ts';
import type { MomentComparison, SeriesBeforeAfter } from '../../../../../shared/model/analysis.ts';
import {
  formatClock,
  formatDuration,
  formatFigure,
  formatTimeOfDay,
  NO_VALUE,
} from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { type Column, DataTable, Panel, ProblemBanner, Status, type Tone } from '../../../../ui/index.ts';
import classes from './moments.module.css';

const TONES: Readonly<Record<SeriesBeforeAfter['verdict'], Tone>> = {
  more: 'busy',
  less: 'busy',
  same: 'ok',
  'not-known': 'idle',
};

const COLUMNS: readonly Column<SeriesBeforeAfter>[] = [
  { id: 'series', header: 'Series', value: nameOfSeries, cell: (row) => <SeriesName {...row} /> },
  { id: 'source', header: 'Host or server', value: ({ source }) => source },
  figure('before', 'Before'),
  figure('after', 'After'),
  {
    id: 'ratio',
    header: 'After ÷ before',
    align: 'right',
    hint: 'With its interval: 95 % for all series of this list together',
    value: ({ ratio }) => ratio,
    cell: (row) => intervalWords(row) ?? NO_VALUE,
  },
  {
    id: 'verdict',
    header: 'Verdict',
    hint: 'The same: within 3 % of each other',
    grow: true,
    value: ({ verdict }) => verdict,
    cell: ({ verdict }) => <Status tone={TONES[verdict]}>{CHANGE_WORDS[verdict]}</Status>,
  },
];

function figure(id: 'before' | 'after', header: string): Column<SeriesBeforeAfter> {
  return {
    id,
    header,
    align: 'right',
    value: (row) => row[id],
    cell: ({ digits = 1, unit, ...row }) => `${formatFigure(row[id], digits)}${unit === '' ? '' : ` ${unit}`}`,
  };
}

const SeriesName = (row: SeriesBeforeAfter) => (
  <>
    {nameOfSeries(row)}
    {row.isLoad ? <span className="kp-small kp-dim"> load</span> : null}
  </>
);

/** More than these are folded, except the last one. */
const OPEN = 3;

/** Changes after each note and event of a session that only watches. Renders nothing without any. */
export function MomentsPanel({ sessionId }: { sessionId: number }) {
  const moments = useCall('monitors.moments', { sessionId });
  if (moments.error) return <ProblemBanner problem={moments.error.problem} />;
  const all = moments.data ?? [];
  if (all.length === 0) return null;
  return (
    <Panel title="Before and after" note="Each note and event, compared with the time before it.">
      {all.map((moment, place) => (
        <Moment key={moment.eventId} moment={moment} isOpen={all.length <= OPEN || place === all.length - 1} />
      ))}
    </Panel>
  );
}

const KINDS = { note: 'Note', scenario: 'Event' } as const;
const seconds = ({ from, to }: MomentComparison['before']): string => formatDuration(Math.round((to - from) / 1000));

function Moment({ moment, isOpen }: { moment: MomentComparison; isOpen: boolean }) {
  const { at, kind, message, before, after, series, sentences } = moment;
  return (
    <details className={classes.moment} open={isOpen}>
      <summary>
        <span className="kp-dim">{formatTimeOfDay(at)}</span> {KINDS[kind]}: <strong>{message}</strong>
      </summary>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {series.length > 0 ? (
        <>
          <p className="kp-small kp-dim">
            {seconds(before)} before it against {seconds(after)} after it.
          </p>
          <DataTable
            label={`Before and after ${formatClock(at / 1000)} ${message}`}
            columns={COLUMNS}
            rows={series}
            rowId={({ sourceId, id }) => `${sourceId} ${id}`}
          />
          <Reasons series={series.slice(1)} />
        </>
      ) : null}
    </details>
  );
}

/** Why some are inconclusive, each reason once; that of the first series is already above. */
function Reasons({ series }: { series: readonly SeriesBeforeAfter[] }) {
  const reasons = new Map<string, string[]>();
  for (const row of series)
    if (row.why !== undefined)
      reasons.set(row.why, [...(reasons.get(row.why) ?? []), `${nameOfSeries(row)} of ${row.source}`]);
  return [...reasons].map(([why, names]) => (
    <p key={why} className="kp-small kp-dim">
      {names.join(', ')}: {why}
    </p>
  ));
}
