import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { gatheredFindings } from '../../../shared/checks/index.ts';
import { seenWords } from '../../../shared/model/monitored.ts';
import { describeProblem, type Problem, problemKind } from '../../../shared/model/problem.ts';
import { failedRuns } from '../../../shared/model/repeats.ts';
import type { Changed } from '../../../shared/model/restore.ts';
import { ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import { formatCount, formatDuration } from '../../../shared/util/format.ts';
import { EXIT, idOf, UsageError } from '../exit.ts';
import { print, printJson, printStatus } from '../terminal.ts';
import { type Common, type EngineClient, withEngine, withOpenEngine } from '../with-engine.ts';
import { writeOutput } from '../write-output.ts';
import { askNames, type DocumentOptions, readDocument, showProblems } from './document.ts';
import { answerLines, findingLine, resultTable, runName, stepsLines, trialOf } from './figures.ts';
import { Progress } from './progress.ts';

/** `destroy`: devices that may be overwritten, each as `HOST:DEVICE`. `confirm`: other confirmations that the preflight requires. */
export interface RunOptions extends DocumentOptions {
  destroy?: string[];
  confirm?: string[];
}

export async function runCommand(file: string, options: RunOptions): Promise<number> {
  return withEngine(options, async (engine) => {
    const first = await readDocument(engine, file, options);
    const names = first.experiment ? await askNames(engine, first.experiment, options) : [];
    const document =
      names.length === 0
        ? first
        : await readDocument(engine, file, { ...options, name: [...(options.name ?? []), ...names] });
    if (document.problems.length > 0) {
      showProblems(file, document);
      if (options.json) printJson({ problems: document.problems });
      return EXIT.wrongUse;
    }
    const session = await engine.sessions.start({
      text: document.text,
      destroy: [...(options.destroy ?? []), ...(options.confirm ?? [])],
    });
    const time = document.plan ? `, about ${formatDuration(document.plan.seconds)}` : '';
    printStatus(`Session ${session.id}: ${session.name}. ${formatCount(session.trialsTotal, 'trial')}${time}.`);
    const { findings } = await engine.sessions.get({ id: session.id });
    for (const finding of gatheredFindings(findings, [])) printStatus(findingLine(finding));
    return followSession(engine, session.id, options);
  });
}

export async function resumeCommand(id: string | undefined, options: Common): Promise<number> {
  const wanted = id === undefined ? undefined : idOf(id);
  return withEngine(options, async (engine) => {
    const session = wanted === undefined ? await sessionToContinue(engine) : await sessionOf(engine, wanted);
    await engine.sessions.resume({ id: session.id });
    printStatus(`Continuing session ${session.id}: ${session.name}.`);
    return followSession(engine, session.id, options);
  });
}

interface RepeatOptions extends Common {
  trial?: string[];
  replace?: string;
  add?: string;
  cell?: string[];
}

/** Trial and cell numbers count from 1, as displayed. */
export async function repeatCommand(id: string, options: RepeatOptions): Promise<number> {
  const sessionId = idOf(id);
  if (options.add !== undefined) return addRepeats(sessionId, options.add, options);
  if (options.cell) throw new UsageError('--cell requires --add, as in: kneepoint repeat 7 --add 6 --cell 2');
  const { replace: reason, trial: wanted } = options;
  if (reason !== undefined && !wanted)
    throw new UsageError(
      '--replace requires --trial, as in: kneepoint repeat 7 --trial 32 --replace "generator lost its SSH connection"',
    );
  return withEngine(options, async (engine) => {
    const runs = wanted === undefined ? [] : await engine.sessions.runs({ id: sessionId });
    const runIds = wanted?.map((trial) => trialOf(sessionId, runs, trial).id);
    const session = await engine.sessions.repeat({
      id: sessionId,
      ...(runIds && { runIds }),
      ...(reason !== undefined && { reason }),
    });
    printStatus(`Repeating trials of session ${session.id}: ${session.name}.`);
    return followSession(engine, session.id, options);
  });
}

/** Adds repeats to every cell, or to the given ones. */
async function addRepeats(sessionId: number, add: string, options: RepeatOptions): Promise<number> {
  if (options.trial) throw new UsageError('Use either --add or --trial, not both.');
  const repeats = idOf(add, 'number of repeats');
  const cells = options.cell?.map((cell) => idOf(cell, 'number of a cell') - 1);
  return withEngine(options, async (engine) => {
    const session = await engine.sessions.addRepeats({ id: sessionId, repeats, ...(cells && { cells }) });
    const count = formatCount(repeats, 'repeat');
    printStatus(
      `Adding ${count} to ${cells ? formatCount(cells.length, 'cell') : 'every cell'} of session ${session.id}: ${session.name}.`,
    );
    return followSession(engine, session.id, options);
  });
}

/** The newest incomplete session; failed ones are considered last. */
async function sessionToContinue(engine: EngineClient): Promise<Session> {
  const sessions = await engine.sessions.list({});
  const session =
    sessions.find(({ state }) => !ENDED_SESSION.includes(state)) ?? sessions.find(({ state }) => state === 'failed');
  if (!session) throw new UsageError('No session to continue: all have ended. List them with: kneepoint sessions');
  return session;
}

async function sessionOf(engine: EngineClient, id: number): Promise<Session> {
  const { session } = await engine.sessions.get({ id });
  if (session.state === 'done' || session.state === 'stopped')
    throw new UsageError(
      `Session ${id} is ${session.state} and cannot be continued. Its figures: kneepoint show ${id}`,
    );
  return session;
}

/** Shows a session's progress until it ends. An interrupt detaches from it: jobs on hosts continue. */
export async function followSession(engine: EngineClient, id: number, options: Common): Promise<number> {
  if (await followToEnd(engine, id)) return showEnd(engine, id, options);
  if (options.json) printJson(await outcomeOf(engine, id));
  return EXIT.runFailed;
}

/** Like `followSession`, but without figures. Returns whether the session ended; if not, the reason was printed. */
export async function followToEnd(engine: EngineClient, id: number): Promise<boolean> {
  const abort = new AbortController();
  const detach = (): void => abort.abort();
  for (const signal of DETACH_SIGNALS) process.on(signal, detach);
  const progress = new Progress();
  let needs: Problem | undefined;
  try {
    for await (const event of engine.sessions.watch({ id }, { signal: abort.signal })) {
      progress.take(event);
      if (event.kind === 'session' && event.session.needs && !problemKind(event.session.needs)?.mayPass) {
        // Any other input is given in a separate command, so this one has to end.
        needs = event.session.needs;
        detach();
      }
    }
  } finally {
    progress.end();
    for (const signal of DETACH_SIGNALS) process.off(signal, detach);
  }
  if (!abort.signal.aborted) return true;
  if (needs) printStatus(`Session ${id} needs input that cannot be given here. ${describeProblem(needs)}`);
  printStatus(`Detached from session ${id}. Jobs on its hosts keep running; continue with: kneepoint resume ${id}`);
  return false;
}

const DETACH_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function outcomeOf(engine: EngineClient, id: number) {
  const { session, findings } = await engine.sessions.get({ id });
  return {
    session,
    findings,
    runs: await engine.sessions.runs({ id }),
    result: await engine.results.session({ sessionId: id }),
  };
}

async function showEnd(engine: EngineClient, id: number, options: Common): Promise<number> {
  const outcome = await outcomeOf(engine, id);
  const { session, findings, runs, result } = outcome;
  const failed = failedRuns(runs);
  if (options.json) printJson(outcome);
  else if (result.metric !== null) {
    if (result.steps !== undefined) print(`${stepsLines(await engine.results.steps({ sessionId: id }))}\n`);
    if (result.stepName !== undefined) print(`Step “${result.stepName}”`);
    for (const line of answerLines(result)) print(`${line}\n`);
    print(resultTable(result));
  }
  // Do not repeat findings printed at the start.
  const printed = new Set(findings.map(({ message }) => message));
  for (const finding of gatheredFindings([...findings, ...(result.findings ?? [])], runs))
    if (!printed.has(finding.message)) printStatus(findingLine(finding));
  for (const run of failed) printStatus(`${runName(run)} ${run.state}: ${run.message ?? 'reason unknown.'}`);
  const seen = seenWords(await engine.monitors.sources({ sessionId: id }));
  if (seen !== '') printStatus(`Watched: ${seen}. Their series: kneepoint monitors ${id}`);
  const why = session.message ?? session.stoppedBy;
  printStatus(`Session ${id} is ${session.state}${why ? `: ${why}` : '.'}`);
  const unrestored = await printUnrestored(engine, id);
  return session.state === 'done' && failed.length === 0 && unrestored.length === 0 ? EXIT.done : EXIT.runFailed;
}

/** Prints settings that an inactive session has left changed on hosts and servers. */
export async function printUnrestored(engine: EngineClient, id: number): Promise<Changed[]> {
  const unrestored = (await engine.changes.list({})).filter(({ session, active }) => session === id && !active);
  for (const { place, what, first, message } of unrestored)
    printStatus(
      `Not restored: ${what} of ${place.kind} ${place.name}, which was ${first ?? 'unset'}. ${message ?? ''}`.trim(),
    );
  if (unrestored.length > 0) printStatus(`Restore it with: kneepoint restore ${id}`);
  return unrestored;
}

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
