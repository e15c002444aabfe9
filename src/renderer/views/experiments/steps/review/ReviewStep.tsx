import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { PreflightLine } from '../../../../../shared/contract/experiments.ts';
import type { DocumentProblem } from '../../../../../shared/model/experiment.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import { type Problem, problemOf } from '../../../../../shared/model/problem.ts';
import { ENDED_SESSION } from '../../../../../shared/model/session.ts';
import { formatLevels } from '../../../../../shared/util/format.ts';
import { useCall, useStream } from '../../../../client/index.ts';
import { CopyText, Panel, ProblemBanner, TableSkeleton } from '../../../../ui/index.ts';
import { devicesAllowed, type PreflightProperties, type StepProperties } from '../../document/steps.ts';
import type { Fixing } from './FixControl.tsx';
import { blocksOf, DocumentProblems, PreflightList } from './PreflightList.tsx';
import classes from './review.module.css';

const NO_PROBLEMS: readonly DocumentProblem[] = [];
const NO_FINDINGS: readonly Finding[] = [];

type ReviewProperties = StepProperties & PreflightProperties;

/** Checks everything on the actual hosts, and shows exactly what will be run. */
export function ReviewStep({ state, experiment, tools, edit, ...preflight }: ReviewProperties) {
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return (
    <>
      <Preflight
        {...preflight}
        problems={state.checked?.problems ?? NO_PROBLEMS}
        planned={state.checked?.plan?.findings ?? NO_FINDINGS}
        fixing={{ experiment, tool, edit }}
      />
      <Commands state={state} />
    </>
  );
}

/** Runs once the document is settled, and again on request or when a device was allowed. */
function usePreflight({ document, blocked, allowed, onAllow, onBlocks }: PreflightProperties & { blocked: boolean }) {
  const [request, setRequest] = useState<Request>();
  const [round, setRound] = useState(1);
  const [lines, setLines] = useState<readonly PreflightLine[]>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    let gone = false;
    setLines(undefined);
    setProblem(undefined);
    if (blocked) return;
    document.settle().then(
      (text) => gone || setRequest({ text, destroy: devicesAllowed(allowed, text), round }),
      (error) => gone || setProblem(problemOf(error)),
    );
    return () => {
      gone = true;
    };
  }, [document, blocked, allowed, round]);
  const blocks = blocksOf(lines ?? []).length;
  useEffect(() => {
    onBlocks(blocks);
    // The results are only known on this step.
    return () => onBlocks(0);
  }, [blocks, onBlocks]);
  const again = (): void => {
    setRequest(undefined);
    setRound(round + 1);
  };
  const allow = (device: string): void => {
    if (!request) return;
    setRequest(undefined);
    onAllow({ text: request.text, devices: [...request.destroy, device] });
    setRound(round + 1);
  };
  const busy = lines === undefined || lines.some((line) => line.state === 'waiting' || line.state === 'running');
  useWhenUnblocked({ isStarting: lines === undefined, isBlocked: !busy && blocks > 0 }, again);
  return { request, lines, problem, busy, setLines, setProblem, again, allow };
}

/** Checks again when sessions, hosts or targets change while something blocks the start: they may have been the obstacle. */
function useWhenUnblocked(
  { isStarting, isBlocked }: { isStarting: boolean; isBlocked: boolean },
  again: () => void,
): void {
  const sessions = useCall('sessions.list', {}).data;
  const hosts = useCall('hosts.list', {}).data;
  const targets = useCall('targets.list', {}).data;
  // Only what a start depends on: the checks themselves renew facts of hosts.
  const now =
    sessions &&
    hosts &&
    targets &&
    JSON.stringify([
      sessions.filter(({ state }) => !ENDED_SESSION.includes(state)).map(({ id, state }) => [id, state]),
      hosts.map(({ spec }) => spec),
      targets.map(({ spec }) => spec),
    ]);
  const checked = useRef<string>(undefined);
  useEffect(() => {
    if (isStarting || checked.current === undefined) checked.current = now;
    else if (isBlocked && now !== undefined && now !== checked.current) {
      checked.current = now;
      again();
    }
  });
}

interface ChecksProperties extends PreflightProperties {
  /** While there are any, nothing is checked. */
  problems: readonly DocumentProblem[];
  planned: readonly Finding[];
  fixing: Omit<Fixing, 'retry'>;
}

function Preflight({ document, problems, planned, fixing, allowed, onAllow, onBlocks }: ChecksProperties) {
  const blocked = problems.length > 0;
  const {
    request,
    lines,
    problem,
    busy,
    setLines,
    setProblem,
    again: retry,
    allow,
  } = usePreflight({
    document,
    blocked,
    allowed,
    onAllow,
    onBlocks,
  });
  return (
    <Panel
      title="Preflight"
      note={<span aria-live="polite">{blocked ? 'Not checked yet' : summaryOf(lines, busy)}</span>}
      flush
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={14} />}
          disabled={blocked || busy}
          onClick={retry}
        >
          Check again
        </Button>
      }
    >
      {request && <Listen key={request.round} request={request} onLines={setLines} onProblem={setProblem} />}
      {problem && <ProblemBanner problem={problem} />}
      {blocked ? (
        <DocumentProblems problems={problems} />
      ) : lines ? (
        <PreflightList lines={lines} planned={planned} fixing={{ ...fixing, retry }} onConfirm={allow} />
      ) : (
        !problem && <TableSkeleton rows={4} />
      )}
    </Panel>
  );
}

interface Request {
  text: string;
  destroy: readonly string[];
  round: number;
}

function Listen({
  request: { text, destroy },
  onLines,
  onProblem,
}: {
  request: Request;
  onLines(lines: readonly PreflightLine[]): void;
  onProblem(problem: Problem): void;
}) {
  useStream(
    'experiments.preflight',
    { text, destroy: [...destroy] },
    { onItem: onLines, onError: (error) => onProblem(error.problem) },
  );
  return null;
}

function summaryOf(lines: readonly PreflightLine[] | undefined, busy: boolean): string {
  if (!lines || busy) return 'Checking hosts, tools and target';
  const count = (state: PreflightLine['state']): number => lines.filter((line) => line.state === state).length;
  if (count('block') > 0) return 'Cannot start yet';
  return count('warn') > 0 ? 'Ready, with warnings' : 'Ready to start';
}

function Commands({ state }: { state: StepProperties['state'] }) {
  const { plan, commands, dataCommands } = state.checked ?? {};
  if (!plan || !commands) return null;
  const around = [
    ...(dataCommands?.prepare ?? []).map((command) => ({ command, when: 'prepares the data' })),
    ...(dataCommands?.cleanup ?? []).map((command) => ({ command, when: 'removes the data' })),
  ];
  return (
    <Panel
      title="Commands"
      note="One per cell, repeated as planned; passwords are passed in a file and not shown"
      flush
      actions={
        <CopyText text={[...around.map(({ command }) => command), ...commands].join('\n')} label="Copy all commands" />
      }
    >
      <ol className={classes.commands}>
        {around.map(({ command, when }) => (
          <li key={when + command}>
            <span />
            <span className="kp-dim">{when}</span>
            <code>{command}</code>
            <CopyText text={command} label={`Copy the command that ${when}`} />
          </li>
        ))}
        {plan.cells.slice(0, commands.length).map((cell) => (
          <li key={cell.index}>
            <span className="kp-figures">{cell.index + 1}</span>
            <span>{formatLevels(cell.levels) || 'the only cell'}</span>
            <code>{commands[cell.index]}</code>
            <CopyText text={commands[cell.index] ?? ''} label={`Copy the command of cell ${cell.index + 1}`} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
