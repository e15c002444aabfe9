import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionOrigin } from '../../../shared/model/session.ts';
import type { FactsSnapshot } from '../../../shared/model/session-snapshot.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import type { IngestBatch, SampleRows } from './samples/sample-rows.ts';
import type { Latencies, LatencyRows } from './tables/latencies.ts';
import type { NewRun, RunRow } from './tables/run-row.ts';
import type { RunRows } from './tables/runs.ts';
import type { NewSession, SessionRow } from './tables/session-row.ts';
import type { SessionRows } from './tables/sessions.ts';

/** A session whose runs were measured elsewhere. Its tools may be unknown to this version. */
export interface EndedSession extends Pick<NewSession, 'uuid' | 'tags' | 'createdAt' | 'snapshot'> {
  readonly origin: Exclude<SessionOrigin, 'measured'>;
  /** Undefined if nothing is known about its hosts and servers. */
  readonly facts?: FactsSnapshot;
  /** Epoch milliseconds; null if unknown. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** A run of it, with the output it was read from. */
export interface EndedRun extends NewRun {
  /** A final state. */
  readonly state: RunRow['state'];
  readonly about?: Partial<
    Pick<RunRow, 'message' | 'exit' | 'command' | 'startedAt' | 'endedAt' | 'findings' | 'partial'>
  >;
  readonly summary: RunRow['summary'];
  readonly samples: IngestBatch['samples'];
  readonly output: Uint8Array;
  readonly latencies?: Latencies;
}

interface Tables {
  readonly sessions: SessionRows;
  readonly runs: RunRows;
  readonly samples: SampleRows;
  readonly latencies: LatencyRows;
  atomically<T>(work: () => T): T;
}

/** Stores a finished session atomically. It has no jobs, so it uses no host or target. */
export const insertEnded = (
  { sessions, runs, samples, latencies, atomically }: Tables,
  { facts = { hosts: [] }, startedAt, endedAt, ...session }: EndedSession,
  ended: readonly EndedRun[],
): SessionRow =>
  atomically(() => {
    const open = ended.find(({ state }) => !ENDED_RUN.includes(state));
    if (open)
      throw new KneepointError({
        code: 'bad-request',
        message: `Trial ${open.trial + 1} has not ended: it is ${open.state}.`,
        safe: 'Nothing was stored.',
      });
    const { id } = sessions.insert(
      { ...session, state: 'done', places: { targets: [], generators: [] } },
      ended.map(({ trial, cell, repeat, step, levels, warmup, duration, seed = null }) => ({
        ...{ trial, cell, repeat, levels, warmup, duration, seed },
        ...(step !== undefined && { step }),
      })),
    );
    sessions.keepFacts(id, facts);
    const inserted = runs.ofSession(id).sort((one, other) => one.id - other.id);
    for (const [index, run] of inserted.entries()) {
      const { state, summary, about, latencies: events, ...read } = ended[index] as EndedRun;
      const stored = { runId: run.id, generator: 0, stream: 'stdout', offset: 0, samples: read.samples } as const;
      samples.ingest({ ...stored, bytes: read.output });
      samples.seal(run.id);
      if (events) latencies.set(run.id, events);
      runs.update(run.id, { ...about, state, summary });
    }
    return sessions.update(id, { startedAt, endedAt });
  });
