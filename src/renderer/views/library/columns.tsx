import { Link } from 'wouter';
import { metricOf } from '../../../shared/metrics/index.ts';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { sessionWords } from '../../../shared/model/session-words.ts';
import { formatDateTime, formatDuration, formatLevels, formatMoney, formatValue } from '../../../shared/util/format.ts';
import { Sparkline } from '../../charts/index.ts';
import { type Column, Status } from '../../ui/index.ts';

const seconds = ({ startedAt, endedAt }: Session): number | undefined =>
  startedAt === undefined || endedAt === undefined ? undefined : Math.round((endedAt - startedAt) / 1000);

const shape = ({ cells, repeats }: Session): string => `${cells} × ${repeats}`;

/** Columns of the library, the main thing first. A click on a tag asks for the sessions that have it. */
export const sessionColumns = (onTag: (tag: string) => void): readonly Column<Session>[] => [
  {
    id: 'name',
    header: 'Session',
    grow: true,
    value: (session) => session.name,
    cell: (session) => (
      <span className="kp-library-name" title={[session.name, session.question].filter(Boolean).join('\n')}>
        <Link
          className="kp-ellipsis"
          href={`/sessions/${session.id}/${ENDED_SESSION.includes(session.state) ? 'results' : 'live'}`}
        >
          {session.name}
        </Link>
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
    ),
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
    value: (session) => session.best?.value,
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
  {
    id: 'date',
    header: 'Started',
    value: (session) => session.createdAt,
    cell: (session) => formatDateTime(session.createdAt),
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
    value: (session) => session.costPerHour,
    cell: (session) => formatMoney(session.costPerHour, session.currency),
  },
];
