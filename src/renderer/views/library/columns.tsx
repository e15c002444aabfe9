import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { metricOf } from '../../../shared/metrics/index.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import type { Session } from '../../../shared/model/session.ts';
import { sessionWords, targetWords, toolWords } from '../../../shared/model/session-words.ts';
import {
  formatDateTime,
  formatDuration,
  formatLevels,
  formatMoney,
  formatNumber,
  formatPercent,
  formatValue,
  NO_VALUE,
} from '../../../shared/util/format.ts';
import { orderWithin } from '../../../shared/util/numbers.ts';
import { Sparkline } from '../../charts/index.ts';
import { PendingFigure, Warnings } from '../../domain/index.ts';
import { type Column, Status } from '../../ui/index.ts';
import { placeOf } from './filter.ts';

const seconds = ({ startedAt, endedAt }: Session): number | undefined =>
  startedAt === undefined || endedAt === undefined ? undefined : Math.round((endedAt - startedAt) / 1000);

/** Columns of the library, the most important first; the least important are hidden first. `menu`: actions of a session. */
export const sessionColumns = (menu: (session: Session) => ReactNode): readonly Column<Session>[] => [
  {
    id: 'name',
    header: 'Session',
    grow: true,
    value: (session) => session.name,
    cell: (session) => <SessionName session={session} />,
  },
  {
    id: 'best',
    header: 'Best cell',
    hint: 'Mean of the best cell in the first metric of the tool, with the 95 % interval of its repeats',
    align: 'right',
    width: 136,
    value: ({ primaryMetric, best }) => (primaryMetric === null ? undefined : orderWithin(primaryMetric, best?.value)),
    cell: (session) => {
      const best = session.best && session.primaryMetric !== null && (
        <Best best={session.best} primaryMetric={session.primaryMetric} />
      );
      return session.figuresFollow ? <PendingFigure ids={[session.id]}>{best}</PendingFigure> : (best ?? NO_VALUE);
    },
  },
  {
    id: 'curve',
    header: 'Curves',
    hint: 'Means of the cells, one line per curve, from zero; coloured: the curve with the best cell',
    width: 104,
    hideOrder: 4,
    cell: ({ id, name, sparkline, curves, best, figuresFollow }) =>
      figuresFollow && sparkline.length === 0 ? (
        <PendingFigure ids={[id]} />
      ) : (
        <Sparkline curves={curves ?? [sparkline]} best={best?.value} label={`Curves of ${name}`} />
      ),
  },
  {
    id: 'state',
    header: 'State',
    width: 128,
    value: (session) => session.state,
    cell: (session) => {
      const { word, tone } = sessionWords(session);
      return (
        <Status tone={tone} title={session.message ?? session.stoppedBy ?? word}>
          {word}
        </Status>
      );
    },
  },
  ...SYSTEM_TIME_AND_MONEY,
  { id: 'menu', header: '', label: 'Actions', align: 'right', width: 52, cell: menu },
];

const SYSTEM_TIME_AND_MONEY: readonly Column<Session>[] = [
  {
    id: 'system',
    header: 'Tool and target',
    width: 156,
    hideOrder: 3,
    value: (session) => `${toolWords(session)} ${targetWords(session) ?? ''}`,
    cell: (session) => <TwoLines first={toolWords(session)} second={targetWords(session)} />,
  },
  {
    id: 'cells',
    header: 'Cells × rep.',
    hint: 'Combinations of levels × repeats of each',
    align: 'right',
    width: 96,
    hideOrder: 1,
    value: (session) => session.cells * session.repeats,
    cell: ({ damaged, cells, repeats }) => (damaged ? NO_VALUE : `${cells} × ${repeats}`),
  },
  {
    id: 'date',
    header: 'Started',
    width: 132,
    hideOrder: 4,
    value: (session) => session.createdAt,
    // For a damaged session even that may be unknown.
    cell: (session) => (
      <TwoLines
        first={session.createdAt > 0 ? formatDateTime(session.createdAt) : NO_VALUE}
        second={seconds(session) === undefined ? undefined : formatDuration(seconds(session))}
      />
    ),
  },
  {
    id: 'cost',
    header: 'Cost / h',
    hint: 'Price of the system per hour',
    align: 'right',
    width: 84,
    hideOrder: 2,
    value: (session) => orderWithin(session.currency ?? '', session.costPerHour),
    cell: (session) => (
      <span title={session.pricesAsOf && `Prices as of ${session.pricesAsOf}`}>
        {formatMoney(session.costPerHour, session.currency)}
      </span>
    ),
  },
];

const TwoLines = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <span className="kp-two-lines">
    <span className="kp-ellipsis" title={typeof first === 'string' ? first : undefined}>
      {first}
    </span>
    <span className="kp-ellipsis kp-small" title={typeof second === 'string' ? second : undefined}>
      {second}
    </span>
  </span>
);

function Best({ best, primaryMetric }: { best: NonNullable<Session['best']>; primaryMetric: string }) {
  const { value, levels, confidence } = best;
  const counted = caveatWords('counts', best);
  const metric = metricOf(primaryMetric);
  const half = confidence && Math.max(confidence.high - value, value - confidence.low) / Math.abs(value);
  const title = [
    formatLevels(levels),
    confidence &&
      `95 % interval of its repeats: ${formatNumber(confidence.low, metric.digits)} to ${formatValue(confidence.high, metric)}`,
    caveatWords('tooltip', best),
  ];
  return (
    <span className="kp-two-lines" title={title.filter(Boolean).join('\n')}>
      <span className="kp-ellipsis">
        {formatValue(value, metric)}
        <Warnings of={best} />
      </span>
      <span className="kp-ellipsis kp-small">
        {counted ? <b className="kp-library-errors">{counted}</b> : null}
        {counted && half !== undefined ? ', ' : null}
        {half === undefined ? null : half > 1 ? '± over 100 %' : `± ${formatPercent(half, half < 0.0995 ? 1 : 0)}`}
      </span>
    </span>
  );
}

const SHOWN_TAGS = 2;

/** Name first; below it the answer of the session, otherwise its question, and its tags. */
function SessionName({ session }: { session: Session }) {
  const { name, question, answer, damaged, message, tags } = session;
  const second = damaged ? message : (answer ?? question);
  return (
    <span className="kp-two-lines">
      {damaged ? (
        <span className="kp-ellipsis">{name}</span>
      ) : (
        <Link className="kp-ellipsis kp-library-link" href={placeOf(session)} title={name} draggable={false}>
          {name}
        </Link>
      )}
      <span className="kp-library-second">
        {second ? (
          <Tooltip label={second} multiline maw={480} openDelay={250} position="bottom-start" withinPortal>
            <span className="kp-ellipsis">{second}</span>
          </Tooltip>
        ) : null}
        {/* An answer needs the line: its tags follow as their number. */}
        <Tags tags={tags} shown={answer === undefined ? SHOWN_TAGS : 0} />
      </span>
    </span>
  );
}

/** The first ones; hover or focus shows the rest. */
function Tags({ tags, shown }: { tags: readonly string[]; shown: number }) {
  const rest = tags.slice(shown);
  return (
    <>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className="kp-tag kp-ellipsis" title={tag}>
          {tag}
        </span>
      ))}
      {rest.length > 0 ? (
        <Tooltip label={rest.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
          <button type="button" className="kp-tag" data-of-row aria-label={`+${rest.length} tags: ${rest.join(', ')}`}>
            +{rest.length}
          </button>
        </Tooltip>
      ) : null}
    </>
  );
}
