import { KneepointError } from '../../../../../shared/model/problem.ts';
import { type Job, type JobFileLine, jobFileLines, jobsIn } from './job-sections.ts';
import { secondsOf } from './place.ts';

/** Start and run time of a job as given in its file, in seconds. */
interface Timed {
  job: Job;
  /** Counts from 0: the jobs of a stage run concurrently, and each stage waits for the previous ones. */
  stage: number;
  /** Since the start of fio, regardless of the start of its stage. */
  delay: number;
  /** The maximum for a job that ends by its size. */
  runtime?: number;
  /** Whether it ends when its size is done, while other jobs run by time. */
  bySize: boolean;
  /** Before its runtime, not counted. */
  ramp: number;
}

/** The stages of a job file. Times in seconds. */
export interface Schedule {
  jobs: readonly Timed[];
  stages: number;
  /** Total duration, if the file has a time for any stage. */
  seconds?: number;
  /** Number of stages without a time, which end when their jobs are done. */
  untimed: number;
  /** The longest delay of a job. */
  delay: number;
}

const timeOf = (job: Job, name: string): number | undefined => secondsOf(job.options.get(name)?.value ?? '');

/** Undefined if the file does not set it. */
function isByTime({ options }: Job): boolean | undefined {
  const value = options.get('time_based')?.value;
  return value === undefined ? undefined : value !== '0';
}

/** Jobs that run for their full time. If the file sets time_based for none, its times are assumed to mean that, since Kneepoint runs jobs by time. */
function runningByTime(jobs: readonly Timed[]): readonly Timed[] {
  const timed = jobs.filter(({ runtime, job }) => runtime !== undefined && isByTime(job) !== false);
  const byTime = timed.filter(({ job }) => isByTime(job));
  return byTime.length > 0 ? byTime : timed;
}

/** Whether the file must set time_based, since the jobs' times alone do not imply it. */
export const needsTimeBased = ({ jobs }: Schedule): boolean =>
  jobs.some(({ bySize, runtime }) => bySize && runtime !== undefined);

export function scheduleOf(lines: readonly JobFileLine[]): Schedule {
  const jobs: Timed[] = [];
  const stageOf = new Map<string, number>();
  let current = 0;
  for (const job of jobsIn(lines)) {
    const waits = job.options.has('stonewall') && job.options.get('stonewall')?.value !== '0';
    if (waits && jobs.length > 0) current = Math.max(...jobs.map(({ stage }) => stage)) + 1;
    const before = stageOf.get(job.options.get('wait_for')?.value ?? '');
    const stage = before === undefined ? current : Math.max(current, before + 1);
    stageOf.set(job.name, stage);
    const runtime = timeOf(job, 'runtime');
    jobs.push({
      ...{ job, stage, delay: timeOf(job, 'startdelay') ?? 0, ramp: timeOf(job, 'ramp_time') ?? 0, bySize: false },
      ...(runtime !== undefined && runtime >= 1 && { runtime }),
    });
  }
  const byTime = runningByTime(jobs);
  for (const each of jobs) each.bySize = byTime.length > 0 && !byTime.includes(each);
  const stages = Math.max(0, ...jobs.map(({ stage }) => stage)) + 1;
  const delay = Math.max(0, ...jobs.map((each) => each.delay));
  const seconds = lengths(jobs, stages)?.reduce((sum, each) => sum + each, 0);
  const timed = new Set(jobs.flatMap(({ stage, runtime }) => (runtime === undefined ? [] : [stage])));
  const untimed = seconds === undefined ? 0 : stages - timed.size;
  return { jobs, stages, delay, untimed, ...(seconds !== undefined && { seconds }) };
}

/** Whether jobs warm up at different times, which the single warm-up of an experiment cannot represent. */
const rampsApart = (jobs: readonly Timed[], stages: number): boolean =>
  stages > 1 || jobs.some(({ delay }) => delay > 0);

/** The longest time of a job from its start to its end. Undefined if the file gives none. */
const lengthOf = ({ ramp, runtime }: Timed): number | undefined => (runtime === undefined ? undefined : ramp + runtime);

/**
 * Maximum duration of each stage, from the times of its jobs. Undefined if no job has one. A stage whose jobs end when they are done, which is not
 * known in advance, gets the maximum of the others.
 */
function lengths(all: readonly Timed[], stages: number): number[] | undefined {
  const jobs = rampsApart(all, stages) ? all : all.map((job) => ({ ...job, ramp: 0 }));
  const longest = Math.max(0, ...jobs.map((job) => lengthOf(job) ?? 0));
  if (longest === 0) return undefined;
  const ofStages: number[] = [];
  let begun = 0;
  for (let stage = 0; stage < stages; stage += 1) {
    const ends = jobs.flatMap((job) => {
      const length = lengthOf(job);
      return job.stage === stage && length !== undefined ? [Math.max(0, job.delay - begun) + length] : [];
    });
    ofStages.push(ends.length === 0 ? longest : Math.max(...ends));
    begun += ofStages.at(-1) ?? 0;
  }
  return ofStages;
}

/** Whether jobs need times of their own: different run times, starts or warm-ups, or an end by size. Each then keeps its share of the duration. */
export const hasShares = ({ jobs, seconds, delay, stages }: Schedule): boolean =>
  seconds !== undefined &&
  (delay > 0 ||
    jobs.some(({ bySize }) => bySize) ||
    (stages > 1 && jobs.some(({ ramp }) => ramp > 0)) ||
    new Set(jobs.flatMap(({ runtime }) => runtime ?? [])).size > 1);

/** Whether its jobs keep their own ramps. */
export const keepsRamps = (schedule: Schedule): boolean =>
  rampsApart(schedule.jobs, schedule.stages) && hasShares(schedule);

/** Whether all jobs start together and run for the same time. */
export function isAtOnce(text: string): boolean {
  const schedule = scheduleOf(jobFileLines(text));
  return schedule.stages === 1 && schedule.delay === 0 && !hasShares(schedule);
}

const RUNTIME = /^(runtime|timeout|time_based)$/;

/** A job that removes files also ends when it is done, since they cannot be removed again. */
const isOnce = ({ job, bySize }: Timed): boolean => bySize || job.options.get('ioengine')?.value === 'filedelete';

/**
 * A job file whose jobs together take the seconds of the experiment, or less if some end by their size. Stages share them equally or in proportion to
 * their runtimes, and a job that starts later in its stage ends with it. Whole seconds, at least one each. `seconds`: for every job without a time in
 * the file. Throws `experiment-invalid` if a job would start after the end.
 */
export function timedJobFile(text: string, total: number): { text: string; seconds: number } {
  const lines = jobFileLines(text);
  const schedule = scheduleOf(lines);
  const { jobs, stages } = schedule;
  const own = hasShares(schedule) ? lengths(jobs, stages) : undefined;
  const whole = own?.reduce((sum, each) => sum + each, 0) ?? stages;
  const shares = Array.from({ length: stages }, (_, stage) => (total * (own?.[stage] ?? 1)) / whole);
  const seconds = Math.max(1, Math.floor(total / stages));
  const runtimes = new Map(
    jobs.map(({ job, stage, delay, runtime, ramp }) => {
      const begun = shares.slice(0, stage).reduce((sum, each) => sum + each, 0);
      const left = (shares[stage] ?? 0) - Math.max(0, delay - begun) - (own && rampsApart(jobs, stages) ? ramp : 0);
      if (delay > 0 && left < 1) throw tooLate(job.name, delay, total);
      const wanted = own && runtime !== undefined ? (runtime * total) / whole : left;
      return [job.lastLine, Math.max(1, Math.floor(Math.min(wanted, left)))];
    }),
  );
  const once = new Set(jobs.filter(isOnce).map(({ job }) => job.lastLine));
  const kept = text.split('\n').flatMap((line, index) => {
    const byTime = lines.find(({ number }) => number === index + 1);
    const isTime = byTime?.kind === 'option' && RUNTIME.test(byTime.name);
    const ending = runtimes.get(index + 1);
    return [
      ...(isTime ? [] : [line]),
      ...(ending === undefined || ending === seconds ? [] : [`runtime=${ending}`]),
      ...(once.has(index + 1) ? ['time_based=0'] : []),
    ];
  });
  return { text: kept.join('\n'), seconds };
}

const tooLate = (name: string, delay: number, total: number): KneepointError =>
  new KneepointError({
    code: 'experiment-invalid',
    message: `The job ${name} of the job file starts after ${delay} s (startdelay), but the jobs end after ${total} s.`,
    safe: 'Nothing was started and no file was written.',
    next: 'Measure for longer, or shorten the startdelay.',
  });
