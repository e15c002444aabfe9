import { IconPlugConnected } from '@tabler/icons-react';
import type { TargetDescription, TargetTest } from '../../../shared/model/target.ts';
import { formatBytes, formatDateTime, formatDuration } from '../../../shared/util/format.ts';
import { settingWords } from '../../parts/settingWords.ts';
import { VaultUnlock } from '../../parts/VaultUnlock.tsx';
import { BlockSkeleton, EmptyState, KeyValueList, Panel, ProblemBanner, Status, type Tone } from '../../ui/index.ts';
import classes from './targets.module.css';

interface Properties {
  result: TargetTest | undefined;
  busy: boolean;
  /** Whether there is a server to ask. */
  testable: boolean;
  onAgain(): void;
}

/** What the server said, or why it could not be asked. */
export function TestResult({ result, busy, testable, onAgain }: Properties) {
  if (busy) {
    return (
      <Panel title="Test" note="Connecting and asking">
        <BlockSkeleton height={240} />
      </Panel>
    );
  }
  if (result === undefined) {
    return (
      <Panel title="Test">
        <EmptyState
          icon={<IconPlugConnected size={28} stroke={1.4} />}
          title={testable ? 'Not asked yet' : 'Nothing to connect to'}
        >
          {testable
            ? 'A test signs in and reads the version and the settings that matter for a result. It changes nothing.'
            : 'This kind of target has no server; the preflight looks at it before a start.'}
        </EmptyState>
      </Panel>
    );
  }
  if (result.result === 'failed') {
    if (result.problem.code === 'vault-locked') return <VaultUnlock problem={result.problem} onUnlocked={onAgain} />;
    return <ProblemBanner problem={result.problem} />;
  }
  return <Description description={result.description} roundTripMs={result.roundTripMs} />;
}

type Level = NonNullable<TargetDescription['durability']>['level'];
const DURABILITY: Readonly<Record<Level, { tone: Tone; words: string }>> = {
  safe: { tone: 'ok', words: 'Safe: a committed transaction survives a power cut' },
  relaxed: { tone: 'warn', words: 'Relaxed: the last moments may be lost in a power cut' },
  unsafe: { tone: 'bad', words: 'Unsafe: data may be lost or damaged in a power cut' },
  unknown: { tone: 'idle', words: 'Durability unknown' },
};

function Description({ description, roundTripMs }: { description: TargetDescription; roundTripMs: number }) {
  const { durability } = description;
  const look = durability && DURABILITY[durability.level];
  return (
    <div className={classes.result}>
      <Panel
        title={`${description.product} ${description.version}`}
        note={`as of ${formatDateTime(description.readAt)}`}
      >
        <KeyValueList
          pairs={[
            ['Flavour', description.flavour],
            ['Encryption', description.tls],
            ['Data', description.dataBytes === undefined ? undefined : formatBytes(description.dataBytes)],
            ['Round trip', formatDuration(roundTripMs / 1000)],
          ]}
        />
        {durability && look && (
          <div className={classes.durability} data-tone={look.tone}>
            <Status tone={look.tone}>{look.words}</Status>
            <p>{durability.why}</p>
          </div>
        )}
      </Panel>
      <Panel title="Settings that matter" flush>
        <dl className={classes.settings}>
          {description.settings.map(({ name, why, ...setting }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{settingWords(setting)}</dd>
              {why && <p>{why}</p>}
            </div>
          ))}
        </dl>
      </Panel>
    </div>
  );
}
