import { Button } from '@mantine/core';
import { IconPencil, IconPlugConnected, IconServerOff, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Host } from '../../../shared/model/host.ts';
import { ask, callKey, useAction, useCall, useHostLinks, useLink } from '../../client/index.ts';
import { ChangedHere } from '../../domain/ChangedHere.tsx';
import { GiveUpProblem } from '../../domain/problems.tsx';
import {
  BlockSkeleton,
  ConfirmButton,
  EmptyState,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  useCrumbs,
} from '../../ui/index.ts';
import { type RunningTest, TestPanel, useHostTest } from './contact/TestPanel.tsx';
import { FactsPanels } from './facts/FactsPanels.tsx';
import { FileSetsPanel, ServersHere, SyncsPanel } from './HostPanels.tsx';
import { TunnelsPanel } from './tunnels/TunnelsPanel.tsx';
import { addressOf, LeftBehindBanner, LinkLight, loginOf, removalQuestion, useLeftBehind } from './words.tsx';

/** One host: connection, test, facts, tunnels. */
export function HostPage({ id }: { id: number }) {
  const hosts = useCall('hosts.list', {});
  const host = hosts.data?.find((entry) => entry.id === id);
  useCrumbs([{ label: host?.spec.name ?? 'Host' }]);
  if (hosts.error) {
    return (
      <Page>
        <ProblemBanner problem={hosts.error.problem} />
      </Page>
    );
  }
  if (!hosts.data) {
    return (
      <Page>
        <BlockSkeleton height={64} />
        <BlockSkeleton height={320} />
      </Page>
    );
  }
  if (!host) {
    return (
      <EmptyState
        icon={<IconServerOff size={28} stroke={1.4} />}
        title="Host not found"
        action={<Link href="/hosts">All hosts</Link>}
      >
        It may have been removed, or the link is incomplete.
      </EmptyState>
    );
  }
  return <OneHost host={host} />;
}

function OneHost({ host }: { host: Host }) {
  const { id, spec } = host;
  const connection = useLink();
  const queries = useQueryClient();
  const link = useHostLinks().find((entry) => entry.host === spec.name);
  const facts = useCall('hosts.facts', { id });
  const left = useLeftBehind()(spec.name);
  const test = useHostTest(async () => {
    const result = await ask(connection, 'hosts.test', { id });
    if (result.result === 'ok') queries.setQueryData(callKey('hosts.facts', { id }), { facts: result.facts });
    return result;
  });
  const remove = useRemove(id);
  const isLocal = spec.kind === 'local';
  useTestOnOpen(isLocal && facts.isSuccess, facts.data?.facts?.readAt, test);
  const through = spec.kind === 'ssh' && spec.jumps.length > 0 ? ` · via ${spec.jumps.join(' → ')}` : '';
  return (
    <Page>
      <PageHeader
        title={spec.name}
        aside={<LinkLight spec={spec} link={link} />}
        subtitle={`${addressOf(spec)}${through}${spec.kind === 'ssh' ? ` · ${loginOf(spec)}` : ''}`}
        actions={
          <>
            {spec.kind === 'ssh' && <RemoveAndEdit host={host} remove={remove} />}
            <Button
              leftSection={<IconPlugConnected size={16} stroke={1.6} />}
              loading={test.since !== undefined}
              onClick={test.run}
            >
              {isLocal ? 'Read again' : 'Test'}
            </Button>
          </>
        }
      />
      {remove.problem && (
        <GiveUpProblem problem={remove.problem} act="Remove" busy={remove.busy} onGiveUp={remove.run} />
      )}
      {link?.state === 'down' && link.message && test.result === undefined && (
        <ProblemBanner tone="warn" problem={{ message: link.message }} />
      )}
      {left.length > 0 && <LeftBehindBanner left={left} />}
      {(!isLocal || test.result?.result === 'failed') && (
        <TestPanel test={test} link={link} success={{ done: 'Connected', next: 'Facts are listed below.' }} />
      )}
      {facts.data?.facts ? (
        <>
          <FactsPanels facts={facts.data.facts} />
          <SyncsPanel host={host} facts={facts.data.facts} />
        </>
      ) : facts.isPending || (isLocal && test.result?.result !== 'failed') ? (
        <BlockSkeleton height={240} />
      ) : (
        test.since === undefined && test.result === undefined && <NotInspected onTest={test.run} />
      )}
      <ServersHere host={spec.name} />
      <ChangedHere places={[{ kind: 'host', name: spec.name }]} />
      <FileSetsPanel host={host} />
      {spec.kind === 'ssh' && <TunnelsPanel host={spec.name} />}
    </Page>
  );
}

const FRESH_MS = 60 * 60_000;

/**
 * Tests a host whose page was opened with `?test`. Facts of this computer need no connection: they are read when the page is opened, unless
 * they are recent.
 */
function useTestOnOpen(wanted: boolean, readAt: number | undefined, test: RunningTest): void {
  const [parameters, setParameters] = useSearchParams();
  const begun = useRef(false);
  const isAsked = parameters.has('test');
  const isDue = isAsked || (wanted && (readAt === undefined || Date.now() - readAt > FRESH_MS));
  useEffect(() => {
    if (!isDue || begun.current) return;
    begun.current = true;
    // Once: a reload of the page does not test again.
    if (isAsked) setParameters({}, { replace: true });
    test.run();
  }, [isDue, isAsked, setParameters, test]);
}

function useRemove(id: number) {
  const [, go] = useLocation();
  const action = useAction('hosts.remove', { onSuccess: () => go('/hosts') });
  return {
    busy: action.isPending,
    problem: action.error?.problem,
    run: (giveUp?: string) => action.mutate({ id, ...(giveUp !== undefined && { giveUp }) }),
  };
}

const RemoveAndEdit = ({ host: { id, spec }, remove }: { host: Host; remove: ReturnType<typeof useRemove> }) => (
  <>
    <ConfirmButton
      label="Remove"
      icon={<IconTrash size={16} stroke={1.6} />}
      question={removalQuestion(spec)}
      busy={remove.busy}
      onConfirm={() => remove.run()}
    />
    <Button
      component={Link}
      href={`/hosts/${id}/edit`}
      variant="default"
      leftSection={<IconPencil size={16} stroke={1.6} />}
    >
      Edit
    </Button>
  </>
);

const NotInspected = ({ onTest }: { onTest(): void }) => (
  <Panel label="Facts">
    <EmptyState
      icon={<IconPlugConnected size={28} stroke={1.4} />}
      title="No facts yet"
      action={<Button onClick={onTest}>Test</Button>}
    >
      A test logs in, reads system, CPU, memory, disks and networks, and looks for benchmark tools. It changes nothing.
    </EmptyState>
  </Panel>
);
