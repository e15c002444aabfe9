import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconRefresh, IconRotateClockwise } from '@tabler/icons-react';
import { useState } from 'react';
import { z } from 'zod';
import { type Problem, problemOf } from '../../../../shared/model/problem.ts';
import type { ServerLook, ServerPlace, ServerState as State, Target } from '../../../../shared/model/target.ts';
import { formatDateTime, formatDuration } from '../../../../shared/util/format.ts';
import { ask, useCall, useLink } from '../../../client/index.ts';
import { controlWords } from '../../../domain/controlWords.ts';
import { VaultUnlock } from '../../../domain/problems.tsx';
import {
  BlockSkeleton,
  CodeBlock,
  ConfirmButton,
  KeyValueList,
  type Pair,
  Panel,
  ProblemBanner,
  Status,
  type Tone,
  useNow,
} from '../../../ui/index.ts';
import classes from './server.module.css';

interface Properties {
  target: Target;
  place: ServerPlace;
}

/** Current state of the server, with buttons to start and stop it. */
export function ServerState({ target, place }: Properties) {
  const { look, act, state, problem, begin } = useServer(target.id);
  const again = (): void => void look.refetch();
  const shownProblem = problem ?? (act ? undefined : look.error?.problem);
  return (
    <>
      {shownProblem?.code === 'vault-locked' ? (
        <VaultUnlock problem={shownProblem} onUnlocked={again} />
      ) : (
        shownProblem && <StartProblem problem={shownProblem} />
      )}
      {look.data?.claims.map(({ place: what, by }) => (
        <ProblemBanner
          key={what}
          tone="warn"
          problem={{
            message: `Settings of ${what === 'server' ? 'this server' : place.host} are being varied by ${by}.`,
            next: 'Do not change the server until that session has ended.',
          }}
        />
      ))}
      <Panel
        title="Server"
        note={look.data && !act ? `as of ${formatDateTime(look.data.readAt)}` : undefined}
        actions={
          <Actions
            control={place.control.kind}
            name={target.spec.name}
            look={look.data}
            busy={act?.what}
            isLooking={look.isFetching}
            onAct={begin}
            onLook={again}
          />
        }
      >
        {act && <Progress what={act.what} since={act.since} state={state} limit={place.limitSeconds} />}
        {!act && !look.data && !look.error && <BlockSkeleton height={28} />}
        {!act && look.data && <Present look={look.data} />}
        <KeyValueList pairs={[['Server behind it', target.spec.behind], ...placePairs(place)]} />
      </Panel>
    </>
  );
}

function Present({ look }: { look: ServerLook }) {
  const { state, product, upSince, untold, readAt } = look;
  return (
    <div className={classes.state}>
      <Status tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Status>
      {product && <span>{product}</span>}
      {upSince !== undefined && (
        <span className="kp-dim">
          up since {formatDateTime(upSince)}, {formatDuration(Math.round((readAt - upSince) / 1000))}
        </span>
      )}
      {untold && <span className="kp-dim">{untold}</span>}
    </div>
  );
}

const LIMIT_SECONDS = 120;

interface ProgressProperties {
  what: ServerAct;
  since: number;
  state: ServerLook['state'] | undefined;
  limit: number | undefined;
}

function Progress({ what, since, state, limit = LIMIT_SECONDS }: ProgressProperties) {
  const seconds = Math.max(0, Math.round((useNow(1_000) - since) / 1000));
  return (
    <div className={classes.state} role="status">
      <Status tone="busy">{ACT_WORDS[what].under}</Status>
      <span>{state ? `now ${STATE_WORDS[state].toLowerCase()}` : ''}</span>
      <span className="kp-dim">
        {formatDuration(seconds)} of at most {formatDuration(limit)}
      </span>
    </div>
  );
}

interface ActionsProperties {
  control: ServerPlace['control']['kind'];
  name: string;
  look: ServerLook | undefined;
  busy: ServerAct | undefined;
  isLooking: boolean;
  onAct(what: ServerAct): void;
  onLook(): void;
}

function Actions({ control, name, look, busy, isLooking, onAct, onLook }: ActionsProperties) {
  const offers = (what: ServerAct): boolean => {
    if (control === 'none') return false;
    if (busy !== undefined) return busy === what;
    return look !== undefined && (look.state === 'stopped') === (what === 'start');
  };
  const closes = `Clients that are connected to ${name} lose their connections.`;
  return (
    <div className={classes.actions}>
      {offers('start') && (
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.6} />}
          loading={busy === 'start'}
          onClick={() => onAct('start')}
        >
          Start
        </Button>
      )}
      {offers('restart') && (
        <ConfirmButton
          label="Restart"
          icon={<IconRotateClockwise size={16} stroke={1.6} />}
          busy={busy === 'restart'}
          question={`Restart the server of ${name}? ${closes}`}
          onConfirm={() => onAct('restart')}
        />
      )}
      {offers('stop') && (
        <ConfirmButton
          label="Stop"
          icon={<IconPlayerStop size={16} stroke={1.6} />}
          busy={busy === 'stop'}
          question={`Stop the server of ${name}? ${closes}`}
          onConfirm={() => onAct('stop')}
        />
      )}
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} stroke={1.6} />}
        disabled={busy !== undefined}
        loading={isLooking && busy === undefined}
        onClick={onLook}
      >
        Check again
      </Button>
    </div>
  );
}

function placePairs({ host, control, settingsFile }: ServerPlace): Pair[] {
  const managed = control.kind === 'managed' ? control : undefined;
  const settings = Object.entries(managed?.settings ?? {}).map(([name, value]) => `${name} = ${String(value)}`);
  return [
    ['Host', host],
    ['Control', controlWords(control)],
    ['Program', managed && <span className="kp-mono">{managed.program}</span>],
    ['Data folder', managed && (managed.folder ?? `a folder of the account on ${host}`)],
    ['Base settings', settings.length > 0 && <span className="kp-mono">{settings.join(', ')}</span>],
    ['Settings file', settingsFile],
  ];
}

const WithLog = z.object({ log: z.array(z.string()) });

/** Why an action on a server failed, with the end of its log if there is one. */
function StartProblem({ problem }: { problem: Problem }) {
  const { data } = WithLog.safeParse(problem.details);
  return (
    <>
      <ProblemBanner problem={problem} />
      {data && (
        <Panel title="Last lines of its log">
          <CodeBlock text={data.log.join('\n')} label="Copy the lines" maxHeight={320} atEnd />
        </Panel>
      )}
    </>
  );
}

const STATE_WORDS: Readonly<Record<State, string>> = {
  running: 'Running',
  starting: 'Starting: the process runs but does not respond yet',
  stopped: 'Stopped',
};
const STATE_TONES: Readonly<Record<State, Tone>> = { running: 'ok', starting: 'busy', stopped: 'idle' };

const ACT_WORDS: Readonly<Record<ServerAct, { under: string }>> = {
  start: { under: 'Starting' },
  stop: { under: 'Stopping' },
  restart: { under: 'Restarting' },
};

const CALLS = {
  start: 'targets.startServer',
  stop: 'targets.stopServer',
  restart: 'targets.restartServer',
} as const;
type ServerAct = keyof typeof CALLS;

const POLL_MS = 1_000;

/** The state of a server, one action at a time, and its progress. */
function useServer(id: number) {
  const link = useLink();
  const [act, setAct] = useState<{ what: ServerAct; since: number }>();
  const [problem, setProblem] = useState<Problem>();
  const look = useCall('targets.lookAtServer', { id }, { enabled: !act, retry: false, staleTime: 0 });
  const progress = useCall(
    'targets.serverState',
    { id },
    { enabled: act !== undefined, refetchInterval: POLL_MS, retry: false, gcTime: 0 },
  );
  const begin = async (what: ServerAct): Promise<void> => {
    setAct({ what, since: Date.now() });
    setProblem(undefined);
    try {
      await ask(link, CALLS[what], { id });
    } catch (error) {
      setProblem(problemOf(error));
    }
    setAct(undefined);
    await look.refetch();
  };
  return { look, act, state: progress.data?.state, problem, begin: (what: ServerAct) => void begin(what) };
}
