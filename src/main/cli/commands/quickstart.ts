import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { formatCount, formatDuration } from '../../../shared/util/format.ts';
import { EXIT } from '../exit.ts';
import { printStatus } from '../output.ts';
import { type EngineClient, withOpenEngine } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';
import { type DocumentOptions, readDocument, showProblems } from './document.ts';
import { followSession } from './run.ts';

/** The quick benchmark without a window: creates a session in the library and its PDF report. */
export async function quickstartCommand(options: DocumentOptions & { output?: string }): Promise<number> {
  return withOpenEngine(options, 'cli', async ({ client, appDir }) => {
    const document = await readDocument(client, path.join(appDir, 'workloads/experiments/quickstart.yaml'), options);
    if (document.problems.length > 0) {
      showProblems('quickstart', document);
      return EXIT.wrongUse;
    }
    const session = await client.sessions.start({ text: document.text });
    const trials = formatCount(session.trialsTotal, 'trial');
    printStatus(
      `Session ${session.id}: ${session.name}. ${trials} on a new SQLite database, about ${formatDuration(document.plan?.seconds)}.`,
    );
    const code = await followSession(client, session.id, options);
    if ((await client.sessions.get({ id: session.id })).session.state !== 'done') return code;
    const report = await client.reports.make({ sessionId: session.id, format: 'pdf' });
    const file = path.resolve(options.output ?? (await nextToLibrary(client, report.fileName)));
    writeOutput(file, report.bytes);
    printStatus(`The session is in the library: kneepoint show ${session.id}\nIts report: ${file}`);
    return code;
  });
}

/** By default, reports are written to the library's folder rather than the working directory. */
async function nextToLibrary(client: EngineClient, name: string): Promise<string> {
  const folder = path.join((await client.app.info({})).dataDir, 'reports');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return path.join(folder, name);
}
