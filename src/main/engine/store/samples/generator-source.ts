import type { Connection } from '../file/connection.ts';
import { notFound } from '../file/problems.ts';
import type { SourceRows } from '../tables/sources.ts';

const RUN = `SELECT run.session_id AS sessionId, coalesce(job.host, '') AS host
  FROM run LEFT JOIN job ON job.run_id = run.id AND job.generator = ? WHERE run.id = ?`;

/** Id of the source that a generator of a run is; made when it is not there yet. Inside the caller's transaction. */
export type GeneratorSource = (runId: number, generator: number) => number;

export function generatorSource({ db }: Connection, sources: SourceRows): GeneratorSource {
  const ofRun = db.prepare<[number, number], { sessionId: number; host: string }>(RUN);
  return (runId, generator) => {
    const run = ofRun.get(generator, runId);
    if (run === undefined) throw notFound('run', runId);
    return sources.ensure(run.sessionId, { kind: 'generator', name: run.host, position: generator }).id;
  };
}
