import { formatBytes, formatCount, formatDuration, NO_VALUE } from '../util/format.ts';
import type { Estimate } from './plan.ts';

/** Parts of a plan's time, each with its words; parts that take no time are omitted. */
export function estimateRows(estimate: Estimate): { title: string; words: string }[] {
  const { start, prepare, again, load, overhead, pauses, before = 0, dataBytes, preparing, open = 0 } = estimate;
  const rows = [
    {
      title: 'Load',
      words:
        open > 0 ? `${formatDuration(load)}, and ${formatCount(open, 'step')} of unknown length` : formatDuration(load),
    },
    ...(pauses > 0 ? [{ title: 'Pauses', words: formatDuration(pauses) }] : []),
    ...changeRows(estimate),
    ...(before > 0 ? [{ title: 'Before each trial', words: formatDuration(Math.round(before)) }] : []),
    { title: 'Launching, collecting', words: formatDuration(Math.round(overhead)) },
    { title: 'Reading facts', words: formatDuration(Math.round(start)) },
  ];
  if (preparing === 'there' && again === 0) rows.push({ title: 'Preparing data', words: 'prepared' });
  else if (prepare === undefined) rows.push({ title: 'Preparing data', words: 'unknown' });
  else if (preparing !== 'none') rows.push({ title: 'Preparing data', words: formatDuration(Math.round(prepare)) });
  if (again > 0) rows.push({ title: 'Preparing again', words: formatDuration(Math.round(again)) });
  if (preparing !== 'none')
    rows.push({ title: 'Data size', words: dataBytes === undefined ? NO_VALUE : `about ${formatBytes(dataBytes)}` });
  return rows;
}

/** How often servers and hosts are changed, and how often data is prepared. */
function changeRows({ changes, changing = 0, loads = 0, again }: Estimate): { title: string; words: string }[] {
  const { restarts = 0, reloads = 0 } = changes ?? {};
  const counted = [
    ...(restarts > 0 ? [formatCount(restarts, 'restart')] : []),
    ...(reloads > 0 ? [formatCount(reloads, 'reload')] : []),
  ];
  return [
    ...(counted.length > 0
      ? [{ title: 'Changing servers', words: `${formatDuration(changing)}: at most ${counted.join(', ')}` }]
      : []),
    ...(again > 0 && loads > 0 ? [{ title: 'Data loads', words: formatCount(loads, 'load') }] : []),
  ];
}

/** Basis of an estimate, a sentence. */
export function estimateBasis({ sessions, preparing }: Estimate, generators: readonly string[]): string {
  if (sessions.length === 0)
    return preparing === 'unknown'
      ? 'Estimated from defaults (no earlier session), without preparing data.'
      : 'Estimated from defaults (no earlier session).';
  const learned = `Estimated from ${formatCount(sessions.length, 'session')} on ${generators.join(', ')}`;
  if (preparing === 'default') return `${learned}; default rate for preparing data.`;
  if (preparing === 'unknown') return `${learned}, without preparing data.`;
  return `${learned}.`;
}
