import { metricOf } from '../../../shared/metrics/index.ts';
import {
  ENDED_RUN,
  type Run,
  type SampleBatch,
  type Session,
  type SessionEvent,
} from '../../../shared/model/session.ts';
import { formatDuration, formatLevels, formatTimeOfDay, formatValue } from '../../../shared/util/format.ts';
import { plainText, printStatus, terminal } from '../terminal.ts';

const BAR_WIDTH = 20;

/** The samples so far of one run, for its tool's primary metric. */
interface Measured {
  last: number;
  sum: number;
  seconds: number;
}

/**
 * On a terminal, prints a line per ended trial, and one with the current state that is rewritten. Otherwise, prints the session's log line by line.
 */
export class Progress {
  #session: Session | undefined;
  readonly #runs = new Map<number, Run>();
  readonly #measured = new Map<number, Measured>();
  readonly #terminal = terminal().stderr.isTTY === true;
  #drawn = false;

  take(event: SessionEvent): void {
    if (event.kind === 'session') this.#session = event.session;
    else if (event.kind === 'run') this.#takeRun(event.run);
    else if (event.kind === 'samples') this.#takeSamples(event.batch);
    else for (const entry of event.entries) if (entry.level !== 'info' || !this.#terminal) this.#line(entry.message);
    this.#draw();
  }

  end(): void {
    if (this.#drawn) terminal().stderr.write('\r\x1b[K');
    this.#drawn = false;
  }

  #takeRun(run: Run): void {
    const before = this.#runs.get(run.id)?.state;
    this.#runs.set(run.id, run);
    const ended = ENDED_RUN.includes(run.state) && before !== undefined && before !== run.state;
    if (!ended || !this.#terminal) return;
    const measured = this.#measured.get(run.id);
    const mean =
      measured && measured.seconds > 0 ? valueWords(this.#session, run, measured.sum / measured.seconds) : '';
    const outcome = run.state === 'done' ? mean : `${run.state}${run.message ? `: ${run.message}` : ''}`;
    this.#line(`  ${this.#place(run)}  ${nameOf(run) || 'the only cell'}  ${outcome}`);
  }

  #takeSamples({ runId, t, columns }: SampleBatch): void {
    const run = this.#runs.get(runId);
    const values = run && columns[metricIn(this.#session, run)];
    if (!values) return;
    const measured = this.#measured.get(runId) ?? { last: Number.NaN, sum: 0, seconds: 0 };
    this.#measured.set(runId, measured);
    values.forEach((value, index) => {
      if (Number.isNaN(value)) return;
      measured.last = value;
      if ((t[index] ?? 0) <= run.warmup) return;
      measured.sum += value;
      measured.seconds += 1;
    });
  }

  #draw(): void {
    const session = this.#session;
    if (!this.#terminal || !session) return;
    const running = [...this.#runs.values()].filter((run) => run.state === 'running');
    const parts = [`${bar(session)} ${session.trialsEnded}/${session.trialsTotal}`];
    if (running.length > 0) parts.push(...runningWords(session, running, (id) => this.#measured.get(id)?.last));
    else {
      const { activity, activitySince } = session;
      parts.push(activity ?? session.state);
      if (activity !== undefined && activitySince !== undefined) parts.push(`since ${formatTimeOfDay(activitySince)}`);
    }
    if (session.expectedEndAt !== undefined) {
      const remaining = Math.round((session.expectedEndAt - Date.now()) / 1000);
      if (remaining > 0) parts.push(`about ${formatDuration(remaining)} remaining`);
    }
    // A terminal with an unknown width has 0 columns.
    const width = (terminal().stderr.columns || 80) - 1;
    terminal().stderr.write(`\r\x1b[K${plainText(parts.join(' · ')).slice(0, width)}`);
    this.#drawn = true;
  }

  #place(run: Run): string {
    const total = String(this.#session?.trialsTotal ?? '');
    return `${String(run.trial + 1).padStart(total.length)}/${total}`;
  }

  #line(text: string): void {
    this.end();
    printStatus(text);
  }
}

/** The primary metric of a run's step. */
const metricIn = (
  session: Pick<Session, 'steps' | 'primaryMetric'> | undefined,
  { step = 0 }: Pick<Run, 'step'>,
): string => session?.steps?.[step]?.metric ?? session?.primaryMetric ?? '';

const valueWords = (session: Session | undefined, run: Run, value: number): string =>
  formatValue(value, metricOf(metricIn(session, run)));

/** Step and levels. Empty for the only step of the only cell. */
const nameOf = ({ stepName, levels }: Run): string => [stepName, formatLevels(levels)].filter(Boolean).join(' · ');

/** Current runs with their latest figures; one without a planned end only shows seconds. Levels are named once, since parallel steps share them. */
export function runningWords(
  session: Pick<Session, 'steps' | 'primaryMetric'>,
  running: readonly Run[],
  lastOf: (runId: number) => number | undefined,
): string[] {
  return running.flatMap((run, place) => {
    const most = run.warmup + run.duration;
    const name = place === 0 ? nameOf(run) : (run.stepName ?? '');
    const last = lastOf(run.id);
    return [
      `${name} ${run.seconds}${most > 0 ? `/${most}` : ''} s`.trim(),
      ...(last !== undefined && Number.isFinite(last) ? [formatValue(last, metricOf(metricIn(session, run)))] : []),
    ];
  });
}

function bar({ trialsEnded, trialsTotal }: Session): string {
  const full = trialsTotal === 0 ? 0 : Math.floor((BAR_WIDTH * trialsEnded) / trialsTotal);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`;
}
