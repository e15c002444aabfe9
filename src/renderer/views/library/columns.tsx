import { Link } from 'wouter';
import { metricOf } from '../../../shared/metrics/index.ts';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { sessionWords } from '../../../shared/model/session-words.ts';
import {
  formatDateTime,
  formatDuration,
  formatLevels,
  formatMoney,
  formatValue,
  NO_VALUE,
} from '../../../shared/util/format.ts';
import { orderWithin } from '../../../shared/util/order.ts';
import { Sparkline } from '../../charts/index.ts';
import { AgainRowMenu } from '../../domain/index.ts';
import { type Column, Status } from '../../ui/index.ts';

const seconds = ({ startedAt, endedAt }: Session): number | undefined =>
  startedAt === undefined || endedAt === undefined ? undefined : Math.round((endedAt - startedAt) / 1000);

const shape = ({ damaged, cells, repeats }: Session): string => (damaged ? NO_VALUE : `${cells} × ${repeats}`);

/** Where a session is looked at. */
export const placeOf = ({ id, state }: Session): string =>
  `/sessions/${id}/${ENDED_SESSION.includes(state) ? 'results' : 'live'}`;

/** Columns of the library, the main thing first. A click on a tag asks for the sessions that have it. */
export const sessionColumns = (onTag: (tag: string) => void): readonly Column<Session>[] => [
  {
    id: 'name',
    header: 'Session',
    grow: true,
    value: (session) => session.name,
    cell: (session) => <Name session={session} onTag={onTag} />,
  },
  {
    id: 'state',
    header: 'State',
    value: (session) => session.state,
    cell: (session) => {
      const { word, tone } = sessionWords(session);
      return (
        <Status tone={tone} title={session.message ?? ''}>
          {word}
        </Status>
      );
    },
  },
  ...SYSTEM_AND_FIGURES,
  ...TIME_AND_MONEY,
  { id: 'again', header: 'Again', width: 48, cell: (session) => <AgainRowMenu session={session} /> },
];

function Name({ session, onTag }: { session: Session; onTag(tag: string): void }) {
  return (
    <span
      className="kp-library-name"
      title={[session.name, session.damaged ? session.message : session.question].filter(Boolean).join('\n')}
    >
      {session.damaged ? (
        <>
          <span>{session.name}</span>
          <span className="kp-library-damage kp-ellipsis">{session.message}</span>
        </>
      ) : (
        <Link className="kp-ellipsis" href={placeOf(session)}>
          {session.name}
        </Link>
      )}
      {session.question ? <span className="kp-dim kp-ellipsis">{session.question}</span> : null}
      {session.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="kp-tag"
          title={`Only sessions with the tag ${tag}`}
          onClick={() => onTag(tag)}
        >
          {tag}
        </button>
      ))}
    </span>
  );
}

const SYSTEM_AND_FIGURES: readonly Column<Session>[] = [
  {
    id: 'system',
    header: 'Tool and target',
    value: (session) => `${session.tool} ${session.target ?? ''}`,
    cell: (session) => (
      <>
        {session.tool}
        {session.target ? <span className="kp-dim"> → {session.target}</span> : null}
      </>
    ),
  },
  {
    id: 'cells',
    header: 'Cells × rep.',
    hint: 'Combinations of levels × repeats of each',
    align: 'right',
    value: (session) => session.cells * session.repeats,
    cell: shape,
  },
  {
    id: 'best',
    header: 'Best cell',
    hint: 'Mean of the best cell, in the metric that the tool puts first',
    align: 'right',
    value: (session) => orderWithin(session.primaryMetric, session.best?.value),
    cell: (session) => (
      <span title={session.best ? formatLevels(session.best.levels) : ''}>
        {formatValue(session.best?.value, metricOf(session.primaryMetric))}
      </span>
    ),
  },
  {
    id: 'curve',
    header: 'Cell means',
    hint: 'Mean of each cell, in the order of the matrix',
    cell: (session) => <Sparkline values={session.sparkline} label={`Means of the cells of ${session.name}`} />,
  },
];

const TIME_AND_MONEY: readonly Column<Session>[] = [
  {
    id: 'date',
    header: 'Started',
    value: (session) => session.createdAt,
    // Of a damaged one even that may be unknown.
    cell: (session) => (session.createdAt > 0 ? formatDateTime(session.createdAt) : NO_VALUE),
  },
  {
    id: 'length',
    minor: true,
    header: 'Length',
    align: 'right',
    value: seconds,
    cell: (session) => formatDuration(seconds(session)),
  },
  {
    id: 'cost',
    header: 'Cost / h',
    hint: 'What the system costs per hour, when it was priced',
    align: 'right',
    value: (session) => orderWithin(session.currency ?? '', session.costPerHour),
    cell: (session) => (
      <span title={session.pricesAsOf && `Prices of ${session.pricesAsOf}`}>
        {formatMoney(session.costPerHour, session.currency)}
      </span>
    ),
  },
];
