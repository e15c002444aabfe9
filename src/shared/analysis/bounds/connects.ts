import type { RunEvidence } from '../evidence.ts';
import { clientsOf, isKnown, meanIn, seriesMeaning } from '../lines.ts';
import { amount } from './words.ts';

/** Connections for each operation from which on connecting is a part of what an operation takes. */
const EACH = 0.5;

/** Connections that were made each second, where that is about one for each operation; undefined: it is not, or nobody tells. */
export function connectsPerSecond({ rate, servers, window }: RunEvidence): number | undefined {
  if (!isKnown(rate, window)) return undefined;
  const made = servers.flatMap((server) => {
    const series = seriesMeaning(server, 'connects');
    return isKnown(series, window) ? [meanIn(series, window)] : [];
  });
  const all = made.reduce((sum, each) => sum + each, 0);
  const operations = meanIn(rate, window);
  return operations > 0 && all >= EACH * operations ? all : undefined;
}

/** Of the time from one operation of a client to its next, a part outside of operations that is worth a word. */
const OUTSIDE = 0.2;

/** The sentence on it, behind that of the bound; empty where connections are kept. */
export function connectWords(evidence: RunEvidence): string {
  const { rate, latency, window } = evidence;
  const made = connectsPerSecond(evidence);
  if (made === undefined || !rate) return '';
  const operations = meanIn(rate, window);
  const takes = isKnown(latency, window) ? meanIn(latency, window) : evidence.meanLatencyMs;
  const clients = clientsOf(evidence);
  const between = clients === undefined || takes === undefined ? 0 : (1000 * clients) / operations - takes;
  const where =
    takes !== undefined && between >= OUTSIDE * (takes + between)
      ? `an operation takes ${amount(takes)} ms, and ${amount(between)} ms pass until the same client begins the next one, with connecting`
      : 'connecting is a part of what is measured';
  return ` ${amount(made)} connections/s were made, ${amount(made / operations)} for each operation: ${where}.`;
}
