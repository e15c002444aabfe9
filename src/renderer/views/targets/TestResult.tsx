import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { settingWords } from '../../../shared/model/settings.ts';
import type { TargetDescription, TargetTest } from '../../../shared/model/target.ts';
import { formatBytes, formatDateTime, formatDuration } from '../../../shared/util/format.ts';
import { VaultUnlock } from '../../domain/problems.tsx';
import { DurabilityLight } from '../../domain/SettingsTable.tsx';
import { BlockSkeleton, EmptyState, KeyValueList, type Pair, Panel, ProblemBanner, Status } from '../../ui/index.ts';
import classes from './targets.module.css';

interface Properties {
  result: TargetTest | undefined;
  /** The form has been changed since. */
  outdated: boolean;
  busy: boolean;
  /** Whether there is a server to connect to. */
  testable: boolean;
  onTest(): void;
  /** Tests again, without validating the form. */
  onRetry(): void;
  /** Content below a result: problems that would prevent a start. */
  children?: ReactNode;
}

/** Tests the server, and shows the result or the problem next to the button. */
export function TestResult({ result, outdated, busy, testable, onTest, onRetry, children }: Properties) {
  const description = result?.result === 'ok' ? result.description : undefined;
  return (
    <div className={classes.result}>
      <Panel
        title="Test"
        note={busy ? 'Connecting and reading settings' : description && `as of ${formatDateTime(description.readAt)}`}
        actions={
          testable && (
            <Button
              variant="default"
              leftSection={<IconPlugConnected size={16} stroke={1.6} />}
              loading={busy}
              onClick={onTest}
            >
              Test
            </Button>
          )
        }
      >
        {outdated && (
          <ProblemBanner
            tone="warn"
            problem={{ message: 'The connection settings have changed since this test.', next: 'Test again.' }}
          />
        )}
        {!busy && result?.result === 'ok' ? children : null}
        {busy ? <BlockSkeleton height={160} /> : <Outcome result={result} testable={testable} onRetry={onRetry} />}
      </Panel>
      {description && <Settings description={description} />}
    </div>
  );
}

function Outcome({ result, testable, onRetry }: Pick<Properties, 'result' | 'testable' | 'onRetry'>) {
  if (result === undefined) {
    return (
      <EmptyState
        icon={<IconPlugConnected size={28} stroke={1.4} />}
        title={testable ? 'Not tested since this page opened' : 'Nothing to connect to'}
      >
        {testable
          ? 'A test connects and reads version, state and key settings. It changes nothing.'
          : 'This kind of target has no server. Checked in preflight.'}
      </EmptyState>
    );
  }
  if (result.result === 'failed') {
    if (result.problem.code === 'vault-locked') return <VaultUnlock problem={result.problem} onUnlocked={onRetry} />;
    return <ProblemBanner problem={result.problem} />;
  }
  return <Description description={result.description} roundTripMs={result.roundTripMs} />;
}

function Description({ description, roundTripMs }: { description: TargetDescription; roundTripMs: number }) {
  const { durability, middleware, location } = description;
  return (
    <>
      <KeyValueList
        pairs={[
          ...(location
            ? locationPairs(description, location)
            : [
                ['Server', `${description.product} ${description.version}`] as const,
                ['Variant', description.flavour] as const,
              ]),
          ['Via', middleware && [middleware.product, middleware.version].filter(Boolean).join(' ')],
          ['Encryption', description.tls],
          ['Data', description.dataBytes === undefined ? undefined : formatBytes(description.dataBytes)],
          ['Round trip', formatDuration(roundTripMs / 1000)],
        ]}
      />
      {middleware?.note && <p className="kp-small">{middleware.note}</p>}
      {durability && <DurabilityLight durability={durability} isFolder={location !== undefined} />}
    </>
  );
}

/** File system of a folder or device, and whether test files can be written there. */
const locationPairs = (
  { version, product }: TargetDescription,
  { path, mount, writable }: NonNullable<TargetDescription['location']>,
): Pair[] => [
  ['Path', path],
  ['File system', mount === undefined ? `none: ${product.toLowerCase()} ${version}` : `${version} on ${mount}`],
  [
    'Writable',
    writable ? (
      'yes'
    ) : (
      <Status key="writable" tone="bad">
        Not writable for this account
      </Status>
    ),
  ],
];

function Settings({ description: { settings, middleware } }: { description: TargetDescription }) {
  return (
    <>
      <SettingList title="Key settings" settings={settings} />
      {middleware && middleware.settings.length > 0 && (
        <SettingList title={`Settings of ${middleware.product}`} settings={middleware.settings} />
      )}
    </>
  );
}

const SettingList = ({ title, settings }: { title: string; settings: TargetDescription['settings'] }) => (
  <Panel title={title} flush>
    <dl className={classes.settings}>
      {settings.map(({ name, why, ...setting }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{settingWords(setting)}</dd>
          {why && <p>{why}</p>}
        </div>
      ))}
    </dl>
  </Panel>
);
