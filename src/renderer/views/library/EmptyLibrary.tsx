import { Button } from '@mantine/core';
import { IconBolt, IconDatabase, IconFlask, IconServer2, type TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { KneepointError, Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { ask, useCall, useLink } from '../../client/index.ts';
import { Page, PageHeader, ProblemBanner } from '../../ui/index.ts';

/** First launch: four ways to begin, the first without any preparation. */
export function EmptyLibrary({ quickstart }: { quickstart: Quickstart }) {
  const [, go] = useLocation();
  return (
    <Page>
      <PageHeader
        title="Find the knee"
        subtitle="No sessions yet. A session is one execution of an experiment: every second of every trial, stored and comparable."
      />
      {quickstart.problem ? <ProblemBanner problem={quickstart.problem} /> : null}
      <div className="kp-cards">
        <Card
          icon={IconBolt}
          title="Quick benchmark on this computer"
          action={
            <Button loading={quickstart.starting} onClick={quickstart.start}>
              {`Start the quick benchmark${quickstart.lasts}`}
            </Button>
          }
        >
          Measures the cost of a durable commit on this computer: SQLite with three durability settings and three thread
          counts, each measured twice, interleaved. Nothing to install.
        </Card>
        <Card
          icon={IconServer2}
          title="Add a host"
          action={
            <Button variant="default" onClick={() => go('/hosts/new')}>
              Add a host
            </Button>
          }
        >
          A machine reached by SSH that runs the load or the database. Kneepoint installs nothing on it.
        </Card>
        <Card
          icon={IconDatabase}
          title="Add a target"
          action={
            <Button variant="default" onClick={() => go('/targets/new')}>
              Add a target
            </Button>
          }
        >
          A database server or a folder on a disk to measure. Its version and settings are stored with each session.
        </Card>
        <Card
          icon={IconFlask}
          title="New experiment"
          action={
            <Button variant="default" onClick={() => go('/experiments/new')}>
              New experiment
            </Button>
          }
        >
          Choose a workload, what to vary and how often to repeat; the plan shows trials and time before anything
          starts.
        </Card>
      </div>
    </Page>
  );
}

interface CardProperties {
  icon: TablerIcon;
  title: string;
  children: ReactNode;
  action: ReactNode;
}

const Card = ({ icon: Icon, title, children, action }: CardProperties) => (
  <section className="kp-panel kp-card" aria-label={title}>
    <Icon size={22} stroke={1.5} aria-hidden="true" />
    <h2>{title}</h2>
    <p>{children}</p>
    <div>{action}</div>
  </section>
);

const QUICKSTART = { id: 'quickstart' };

interface Quickstart {
  start: () => void;
  starting: boolean;
  problem: Problem | undefined;
  /** Total duration, to follow its name on a button; empty until it is known. */
  lasts: string;
}

/** One click: starts the unmodified document of the quick benchmark, and opens its live page. */
export function useQuickstart(): Quickstart {
  const link = useLink();
  const [, go] = useLocation();
  const { data } = useCall('experiments.template', QUICKSTART);
  const action = useMutation<Session, KneepointError>({
    mutationFn: async () => {
      const { text } = await ask(link, 'experiments.template', QUICKSTART);
      return ask(link, 'sessions.start', { text });
    },
    onSuccess: (session) => go(`/sessions/${session.id}/live`),
  });
  const seconds = data?.outline?.seconds;
  const lasts = seconds === undefined ? '' : `, about ${formatDuration(Math.max(1, Math.round(seconds / 30)) * 30)}`;
  return { start: () => action.mutate(), starting: action.isPending, problem: action.error?.problem, lasts };
}
