import { z } from 'zod';
import type { Finding } from '../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { TargetKind } from '../../../../shared/model/target.ts';
import { type EndingWords, exitFinding, failedExit } from '../faults.ts';
import {
  defineTool,
  option,
  type ParseEvents,
  type Parser,
  type Phase,
  type PlanInput,
  type ToolPlan,
} from '../tool.ts';

/** The document's `monitors` define what is monitored, as for every tool. */
export const ObservationOptions = z.strictObject({
  'until-stopped': option(z.boolean().default(false), {
    title: 'Run until stopped',
    description:
      'A trial that you end early counts as complete, and the duration is its upper limit. Skip the trial to continue with the next one, or stop the session to end both. Off: a trial ended early counts as stopped, as with all other tools.',
    group: 'Length',
  }),
});
export type ObservationOptions = z.infer<typeof ObservationOptions>;

/** The generator comes first: without a target, it is monitored. */
const WATCHED: readonly TargetKind[] = ['host', 'mysql', 'postgres', 'mongodb', 'clickhouse', 'sqlite', 'storage'];

/** Trials without a load: hosts and servers are monitored in their normal operation. */
export const observationTool = defineTool(
  {
    id: 'observation',
    title: 'Observation',
    options: ObservationOptions,
    metrics: { primary: () => null },
    parser: observationParser,
  },
  {
    summary:
      'No load: monitors hosts and servers every second under their normal load, for a set time or until stopped.',
    drives: WATCHED,
    watchesOnly: true,
    needs: () => WATCHED,
    plan: planObservation,
    endsOnRequest: (options) => options['until-stopped'],
  },
);

/** The two lines of its output. Without the second one, it did not last the whole time. */
const BEGINS = /^Watching for \d+ s\.$/;
const WHOLE = 'The whole time has passed.';

/** A single `sleep` for the whole time: a loop would start a process each second, which puts load on the monitored host. */
const WAIT = `echo "Watching for $1 s."; sleep "$1" && echo "${WHOLE}"`;

/** Only waits: the monitors are not part of the tool. */
function planObservation({ warmup, duration }: PlanInput<ObservationOptions>): ToolPlan {
  const seconds = Math.ceil(warmup + duration);
  return {
    run: {
      argv: ['sh', '-c', WAIT, 'kneepoint-observation', String(seconds)],
      env: { LC_ALL: 'C' },
      files: [],
      plannedSeconds: seconds,
    },
  };
}

const ENDING: EndingWords = {
  name: 'The wait of a monitored trial',
  crashNext: 'Check the host’s log (dmesg) for the crash, then repeat the trial.',
  missing: {
    code: 'tool-missing',
    severity: 'error',
    message: 'The generator has no program named “sleep”, so the trial could not run.',
    next: 'Install coreutils or busybox there.',
  },
};

const ENDED_ON_REQUEST: Finding = {
  code: 'ended-when-told',
  severity: 'note',
  message: 'The trial was stopped before its upper limit, which its options allow. Its data is complete.',
};

const CUT_SHORT: Finding = {
  code: 'output-truncated',
  severity: 'error',
  message: 'The wait ended early. Data recorded until then is stored.',
  next: 'Check whether the program was terminated on the generator, then repeat the trial.',
};

/** Reads the two lines of the wait. There are no samples: all figures are those of hosts and servers. */
function observationParser(
  phase: Phase,
  { 'until-stopped': untilStopped }: ObservationOptions,
  events: ParseEvents,
): Parser {
  let isWhole = false;
  const outcome = (reason?: Finding) => {
    if (reason) events.finding(reason);
    return reason ? { summary: {}, ok: false, reason } : { summary: {}, ok: true };
  };
  return {
    line(text, stream, cut = false) {
      if (stream === 'stdout' && !cut && text === WHOLE) isWhole = true;
      else if (text.trim() !== '' && !(stream === 'stdout' && BEGINS.test(text))) events.unparsed(text);
    },
    end(exit) {
      if (phase === 'run' && untilStopped && isAsked(exit)) {
        events.finding(ENDED_ON_REQUEST);
        return outcome();
      }
      if (failedExit(exit)) return outcome(exitFinding(exit, ENDING));
      return phase === 'run' && !isWhole ? outcome(CUT_SHORT) : outcome();
    },
  };
}

/** Ending a job sends SIGTERM first, which ends the wait. */
const isAsked = (exit: ExitStatus | undefined): boolean => exit?.signal === 'SIGTERM' || exit?.code === 143;
