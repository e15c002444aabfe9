import { SegmentedControl, TextInput } from '@mantine/core';
import { secretWords } from '../../../../shared/model/app.ts';
import type { Host } from '../../../../shared/model/host.ts';
import { useCall } from '../../../client/index.ts';
import { type SecretChange, SecretField } from '../../../forms/index.ts';
import { Panel } from '../../../ui/index.ts';
import classes from '../hosts.module.css';
import { type HostDraft, textOf } from './draft.ts';

interface Properties {
  draft: HostDraft;
  wrong: Readonly<Record<string, string>>;
  host: Host | undefined;
  secret: SecretChange | undefined;
  onChange(change: Partial<HostDraft>): void;
  onSecret(secret: SecretChange | undefined): void;
}

const SECRET_WORDS = {
  key: { label: 'Passphrase of the key', description: 'Leave empty if the key has none.' },
  password: { label: 'Password', description: '' },
} as const;

const METHODS = [
  { value: 'agent', label: 'SSH agent' },
  { value: 'key', label: 'Key file' },
  { value: 'password', label: 'Password' },
];

/** User and authentication. */
export function SignIn({ draft, wrong, host, secret, onChange, onSecret }: Properties) {
  const { method } = draft;
  const secrets = useCall('app.secrets', {});
  const text = textOf(draft, wrong, onChange);
  return (
    <Panel title="Authentication">
      <div className={classes.formGrid}>
        <TextInput label="User" {...text('user')} />
        <div>
          <div className={classes.label}>Method</div>
          <SegmentedControl
            aria-label="Authentication method"
            value={method}
            data={METHODS}
            onChange={(chosen) => onChange({ method: chosen as HostDraft['method'] })}
          />
        </div>
      </div>
      <div className={classes.login}>
        {method === 'agent' ? (
          <p className={classes.formNote}>Uses the SSH agent of this computer; Kneepoint never reads the key.</p>
        ) : (
          <>
            <div className={classes.formGrid} data-second>
              {method === 'key' && (
                <TextInput label="Key file" placeholder="/home/you/.ssh/id_ed25519" {...text('keyFile')} />
              )}
              <SecretField
                {...SECRET_WORDS[method]}
                stored={host?.hasSecret === true && host.spec.kind === 'ssh' && host.spec.auth.method === method}
                words={secretWords(secrets.data)}
                value={secret}
                onChange={onSecret}
              />
              {method === 'password' && <span />}
            </div>
            <SecretNote />
          </>
        )}
      </div>
    </Panel>
  );
}

function SecretNote() {
  const secrets = useCall('app.secrets', {});
  return secrets.data ? <p className={classes.formNote}>{secrets.data.message}</p> : null;
}
