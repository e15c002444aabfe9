import { useEffect, useState } from 'react';
import { formatDuration, formatNumber } from '../../shared/util/format.ts';
import { useWorks, type Work } from '../client/index.ts';

/** From then on a person asks what the page is doing. */
const LONG_MS = 1000;
const TICK_MS = 250;

/** Words for calls that may take longer than a second, by the start of their names. Views show tests of hosts and targets themselves. */
const WORDS: readonly (readonly [start: string, words: string])[] = [
  ['reports.', 'Making the file'],
  ['results.compare', 'Comparing'],
  ['results.raw', 'Reading the output'],
  ['results.', 'Calculating figures'],
  ['monitors.', 'Reading monitored series'],
  ['sessions.list', 'Reading the library'],
  ['sessions.figures', 'Calculating figures of the library'],
  ['sessions.reingest', 'Reading the output again'],
  ['sessions.exclude', 'Excluding runs'],
  ['sessions.include', 'Including runs'],
  ['sessions.remove', 'Removing the session'],
  ['sessions.', 'Reading the session'],
  ['costs.valueForMoney', 'Calculating costs'],
  ['costs.', 'Reading prices'],
  ['experiments.', 'Checking the experiment'],
];

const wordsOf = ({ name, at }: Work): string | undefined =>
  at?.what ?? WORDS.find(([start]) => name.startsWith(start))?.[1];

/** Calls that the page has waited for long, and how much of each is done. It lies over the page, so that it moves nothing. */
export function Working() {
  const works = useWorks();
  const [now, setNow] = useState(0);
  const waits = works.length > 0;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [waits]);
  // One at a time: a second line would move when the first call has ended.
  const long = works.filter((work) => wordsOf(work) !== undefined && now - work.since >= LONG_MS);
  const work = long.find(({ at }) => at) ?? long[0];
  const words = work && wordsOf(work);
  if (work === undefined || words === undefined) return null;
  return (
    <div className="kp-working">
      <Line words={words} work={work} now={now} />
    </div>
  );
}

function Line({ words, work: { at, since }, now }: { words: string; work: Work; now: number }) {
  const amount = at ? `${at.unit} ${formatNumber(at.done)} of ${formatNumber(at.of)}` : undefined;
  return (
    <div
      role="progressbar"
      aria-label={words}
      {...(at && { 'aria-valuemin': 0, 'aria-valuemax': at.of, 'aria-valuenow': at.done, 'aria-valuetext': amount })}
    >
      <span>
        {words}
        {amount === undefined ? '' : `: ${amount}`}
      </span>
      <span className="kp-small">{formatDuration(Math.round((now - since) / 1000))}</span>
      <progress aria-hidden="true" {...(at && { max: at.of, value: at.done })} />
    </div>
  );
}
