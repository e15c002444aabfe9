import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconInfoCircle,
  IconLoader2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { PreflightLine } from '../../../../../shared/contract/experiments.ts';
import type { DocumentProblem } from '../../../../../shared/model/experiment.ts';
import { type Finding, NO_FACTOR_UNDER_TEST } from '../../../../../shared/model/finding.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { TypedConfirmation } from '../../../../ui/index.ts';
import { STEPS, stepOf } from '../../document/steps.ts';
import { FixControl, type Fixing } from './FixControl.tsx';
import { remedyOf } from './remedies.ts';
import classes from './review.module.css';

const STATE_STYLES: Readonly<Record<PreflightLine['state'], { icon: typeof IconCircleCheck; colour: string }>> = {
  waiting: { icon: IconCircleDashed, colour: 'var(--kp-text-3)' },
  running: { icon: IconLoader2, colour: 'var(--kp-busy)' },
  ok: { icon: IconCircleCheck, colour: 'var(--kp-ok)' },
  note: { icon: IconInfoCircle, colour: 'var(--kp-text-2)' },
  warn: { icon: IconAlertTriangle, colour: 'var(--kp-warn)' },
  block: { icon: IconCircleX, colour: 'var(--kp-bad)' },
  skipped: { icon: IconCircleDashed, colour: 'var(--kp-text-3)' },
};

/** Blocks of a start, each once however many checks it stopped. */
export function blocksOf(lines: readonly PreflightLine[]): PreflightLine[] {
  const words = ({ title, finding, fix }: PreflightLine): string =>
    fix ? JSON.stringify([finding?.message ?? title, fix]) : title + finding?.message;
  const blocks = lines.filter(({ state }) => state === 'block');
  return blocks.filter((line, at) => blocks.findIndex((other) => words(other) === words(line)) === at);
}

/** Findings of the plan as separate lines. */
function linesOf(planned: readonly Finding[], lines: readonly PreflightLine[]): PreflightLine[] {
  const words = ({ code, message }: Finding): string => `${code} ${message}`;
  const shown = new Set(lines.flatMap(({ finding }) => (finding ? [words(finding)] : [])));
  return planned
    .filter((finding) => !shown.has(words(finding)))
    .map((finding) => ({
      id: `plan ${words(finding)}`,
      title: 'Plan',
      state: finding.code === NO_FACTOR_UNDER_TEST ? 'block' : finding.severity === 'note' ? 'note' : 'warn',
      finding,
    }));
}

interface Properties {
  lines: readonly PreflightLine[];
  /** Findings of the plan; those that a line also has are shown once. */
  planned: readonly Finding[];
  fixing: Fixing;
  /** Called with the text that the user typed to confirm a line. */
  onConfirm(phrase: string): void;
}

/** The checks before a start: blocks with their fixes, then warnings; the others are folded. */
export function PreflightList({ lines: checked, planned, fixing, onConfirm }: Properties) {
  const lines = [...checked, ...linesOf(planned, checked)];
  const of = (state: PreflightLine['state']) => lines.filter((line) => line.state === state);
  const blocks = blocksOf(lines);
  const warnings = of('warn');
  const skipped = of('skipped');
  return (
    <div className={classes.preflight}>
      <Progress lines={checked} />
      {blocks.length > 0 && (
        <Group tone="bad" title={`${blocks.length} to fix before the start`}>
          {blocks.map((line) => (
            <Line key={line.id} line={line} fixing={fixing}>
              {line.confirm !== undefined && <TypedConfirmation phrase={line.confirm} onConfirm={onConfirm} />}
            </Line>
          ))}
        </Group>
      )}
      {warnings.length > 0 && (
        <Group tone="warn" title={formatCount(warnings.length, 'warning')} note="not blocking">
          {warnings.map((line) => (
            <Line key={line.id} line={line} fixing={fixing} />
          ))}
        </Group>
      )}
      <Folded lines={of('note')} state="note" fixing={fixing} title={({ length }) => formatCount(length, 'note')} />
      <Folded lines={of('ok')} state="ok" fixing={fixing} title={({ length }) => `${length} passed`} />
      <Folded
        lines={skipped}
        state="skipped"
        fixing={fixing}
        title={({ length }) => `${length} more ${length === 1 ? 'check' : 'checks'} to run after this is fixed`}
      />
    </div>
  );
}

/** Problems of the document, each with the step where it is fixed. */
export function DocumentProblems({ problems }: { problems: readonly DocumentProblem[] }) {
  const [here] = useLocation();
  return (
    <div className={classes.preflight}>
      <Group tone="bad" title={`${problems.length} to fix before the checks run`}>
        {problems.map((problem) => {
          const step = STEPS.find(({ id }) => id === stepOf(problem));
          return (
            <li key={`${problem.path} ${problem.message}`}>
              <StateIcon state="block" />
              <div>
                <strong>{problem.message}</strong>
                {step && step.id !== 'review' && (
                  <div className={classes.fix}>
                    <Link href={here.replace(/[^/]*$/, step.id)}>Go to {step.title}</Link>
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </Group>
    </div>
  );
}

/** The current check, and the number of completed ones. */
function Progress({ lines }: { lines: readonly PreflightLine[] }) {
  const open = lines.filter(({ state }) => state === 'running' || state === 'waiting');
  const [now] = open;
  if (!now) return null;
  return (
    <p className={classes.progress}>
      <StateIcon state="running" />
      <span>
        {now.evidence === undefined
          ? `Checking ${lines.length - open.length + 1} of ${lines.length}: ${now.title}`
          : `${now.title}: ${now.evidence}`}
      </span>
    </p>
  );
}

interface GroupProperties {
  tone: 'bad' | 'warn';
  title: string;
  note?: string;
  children: ReactNode;
}

const Group = ({ tone, title, note, children }: GroupProperties) => (
  <section className={classes.group} data-tone={tone} aria-label={title}>
    <h3>
      {title} {note && <span>{note}</span>}
    </h3>
    <ul>{children}</ul>
  </section>
);

function Line({ line, fixing, children }: LineProperties) {
  const { title, finding, evidence, fix, confirm, state } = line;
  // The command is shown with it: the words for all systems would repeat it.
  const next = confirm === undefined && fix?.kind !== 'install' ? finding?.next : undefined;
  return (
    <li data-state={state}>
      <StateIcon state={state} />
      <div>
        <strong>{finding?.message ?? title}</strong>
        {evidence && <span>{evidence}</span>}
        {finding?.evidence && <code>{finding.evidence}</code>}
        {next && <em>{next}</em>}
        {children}
        <Fixes line={line} fixing={fixing} />
      </div>
    </li>
  );
}

function Fixes({ line: { fix, finding }, fixing }: Pick<LineProperties, 'line' | 'fixing'>) {
  const remedy = fix ?? remedyOf(finding, fixing.experiment);
  return (
    remedy && (
      <div className={classes.fix}>
        <FixControl fix={remedy} {...fixing} />
      </div>
    )
  );
}

interface LineProperties {
  line: PreflightLine;
  fixing: Fixing;
  children?: ReactNode;
}

function StateIcon({ state }: Pick<PreflightLine, 'state'>) {
  const { icon: Icon, colour } = STATE_STYLES[state];
  return (
    <Icon size={16} color={colour} stroke={1.8} aria-hidden="true" data-turning={state === 'running' || undefined} />
  );
}

interface FoldedProperties extends Pick<PreflightLine, 'state'>, Pick<LineProperties, 'fixing'> {
  lines: readonly PreflightLine[];
  title(lines: readonly PreflightLine[]): string;
}

/** Lines without any action, as one row that opens. */
function Folded({ lines, state, fixing, title }: FoldedProperties) {
  if (lines.length === 0) return null;
  return (
    <details className={classes.folded}>
      <summary>
        <StateIcon state={state} />
        <strong>{title(lines)}</strong>
        <span className="kp-ellipsis">{[...new Set(lines.map((line) => line.title))].join(', ')}</span>
        <IconChevronRight size={14} aria-hidden="true" />
      </summary>
      <ul>
        {lines.map((line) =>
          state === 'note' ? (
            <Line key={line.id} line={line} fixing={fixing} />
          ) : (
            <li key={line.id} data-state={state}>
              <StateIcon state={state} />
              <div>
                <strong>{line.title}</strong>
                {line.evidence && <span>{line.evidence}</span>}
              </div>
            </li>
          ),
        )}
      </ul>
    </details>
  );
}
