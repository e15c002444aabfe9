import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { SecretStatus } from '../../../shared/model/app.ts';
import { useAction, useCall } from '../../client/index.ts';
import { NoticesSwitch } from '../../domain/index.ts';
import { VaultDialog } from '../../forms/index.ts';
import {
  BlockSkeleton,
  CopyText,
  KeyValueList,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  Status,
  TableSkeleton,
  type Tone,
} from '../../ui/index.ts';
import classes from './settings.module.css';

/** `/settings`: appearance, storage of passwords, location of the data, and diagnostics. */
export function SettingsView() {
  return (
    <Page>
      <PageHeader title="Settings" />
      <div className={classes.columns}>
        <div>
          <Appearance />
          <Panel title="Notifications">
            <NoticesSwitch />
          </Panel>
          <SecretsPanel />
          <About />
        </div>
        <DoctorPanel />
      </div>
    </Page>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Appearance">
      <SegmentedControl
        aria-label="Theme"
        value={colorScheme}
        data={[
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
          { value: 'auto', label: 'System' },
        ]}
        onChange={(value) => setColorScheme(value === 'light' || value === 'dark' ? value : 'auto')}
      />
    </Panel>
  );
}

const MODES = {
  desktop: 'desktop app',
  browser: 'in a browser, served from this computer',
  cli: 'command line',
  test: 'test',
} as const;

function About() {
  const info = useCall('app.info', {});
  return (
    <Panel title="Data and version">
      {info.error && <ProblemBanner problem={info.error.problem} />}
      {info.data ? (
        <KeyValueList
          pairs={[
            [
              'Data folder',
              <span key="folder" className={classes.folder}>
                <code>{info.data.dataDir}</code>
                <CopyText text={info.data.dataDir} label="Copy the path" />
              </span>,
            ],
            ['Kneepoint', info.data.version],
            ['Runs as', MODES[info.data.mode]],
            [
              'Engine',
              `Node ${info.data.node.replace(/^v/, '')}, SQLite ${info.data.sqlite}, process ${info.data.pid}`,
            ],
          ]}
        />
      ) : (
        !info.error && <BlockSkeleton height={96} />
      )}
    </Panel>
  );
}

/** Diagnostics of the app and this computer. */
function DoctorPanel() {
  const doctor = useCall('app.doctor', {});
  return (
    <Panel
      title="Doctor"
      note="Requirements on this computer"
      flush
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconRefresh size={14} />}
          disabled={doctor.isFetching}
          onClick={() => void doctor.refetch()}
        >
          Check again
        </Button>
      }
    >
      {doctor.error && <ProblemBanner problem={doctor.error.problem} />}
      {!doctor.data && !doctor.error && <TableSkeleton rows={5} />}
      <ul className={classes.doctor}>
        {doctor.data?.map(({ topic, ok, message, next }) => {
          const Icon = ok ? IconCircleCheck : IconAlertTriangle;
          return (
            <li key={`${topic} ${message}`}>
              <Icon
                size={18}
                stroke={1.8}
                color={ok ? 'var(--kp-ok)' : 'var(--kp-warn)'}
                aria-label={ok ? 'fine' : 'needs attention'}
              />
              <strong>{topic}</strong>
              <span>
                {message} {next && <em>{next}</em>}
              </span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function stateOf({ keeper, unlocked, vaultExists }: SecretStatus): { tone: Tone; words: string } {
  if (keeper === 'keychain') return { tone: 'ok', words: 'Stored in the system keychain' };
  if (unlocked) return { tone: 'ok', words: 'Stored in the vault (unlocked)' };
  if (vaultExists) return { tone: 'warn', words: 'Stored in the vault (locked)' };
  return { tone: 'warn', words: 'In memory until Kneepoint ends' };
}

/** Storage of passwords and key passphrases, and the vault if there is no keychain. */
function SecretsPanel() {
  const secrets = useCall('app.secrets', {});
  const [asking, setAsking] = useState(false);
  const unlock = useAction('app.unlockVault', {
    onSuccess: () => {
      setAsking(false);
      void secrets.refetch();
    },
  });
  const status = secrets.data;
  const state = status && stateOf(status);
  return (
    <Panel title="Passwords">
      {secrets.error && <ProblemBanner problem={secrets.error.problem} />}
      {!status && !secrets.error && <BlockSkeleton height={48} />}
      {status && state && (
        <div className={classes.secrets}>
          <div>
            <Status tone={state.tone}>{state.words}</Status>
            <p>{status.message}</p>
          </div>
          {status.keeper !== 'keychain' && !status.unlocked && (
            <Button variant={status.vaultExists ? 'filled' : 'default'} onClick={() => setAsking(true)}>
              {status.vaultExists ? 'Unlock the vault…' : 'Create a vault…'}
            </Button>
          )}
        </div>
      )}
      <VaultDialog
        opened={asking}
        exists={status?.vaultExists ?? true}
        busy={unlock.isPending}
        problem={unlock.error?.problem.message}
        onSubmit={(passphrase) => unlock.mutate({ passphrase })}
        onClose={() => {
          setAsking(false);
          unlock.reset();
        }}
      />
    </Panel>
  );
}
