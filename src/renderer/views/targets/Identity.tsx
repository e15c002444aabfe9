import { Chip, Select, TextInput } from '@mantine/core';
import type { TargetKindInfo } from '../../../shared/model/target.ts';
import { Panel } from '../../ui/index.ts';
import type { TargetDraft } from './draft.ts';
import classes from './targets.module.css';

const DIRECTLY = '(directly)';

interface Properties {
  draft: TargetDraft;
  /** Kinds to choose from; empty if it is fixed. */
  kinds: readonly TargetKindInfo[];
  /** Example name for a target of this kind. */
  nameExample: string | undefined;
  /** Absent for kinds that are always on this computer. */
  hosts: readonly string[] | undefined;
  /** Whether the host is its location, not only part of the route. */
  isPlace: boolean;
  problem: string | undefined;
  onChange(change: Partial<TargetDraft>): void;
}

/** Name, kind, and route of the app's own connection. */
export function Identity({ draft, kinds, nameExample, hosts, isPlace, problem, onChange }: Properties) {
  return (
    <Panel label="Name and kind">
      {kinds.length > 0 && (
        <Chip.Group
          value={draft.kind}
          onChange={(value) => {
            const next = kinds.find((entry) => entry.kind === value);
            if (next) onChange({ kind: next.kind, config: {}, server: {} });
          }}
        >
          <div role="radiogroup" aria-label="Kind of target" className={classes.kinds}>
            {kinds.map(({ kind, title }) => (
              <Chip key={kind} value={kind} size="sm" radius="sm" variant="outline">
                {title}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      )}
      <div className={classes.pair}>
        <TextInput
          label="Name"
          placeholder={nameExample === undefined ? '' : `e.g. ${nameExample}`}
          autoComplete="off"
          value={draft.name}
          error={problem}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        {hosts && (
          <Select
            label={isPlace ? 'Location' : 'Connect via'}
            data={[
              { value: DIRECTLY, label: isPlace ? 'this computer' : 'Direct' },
              ...hosts.map((name) => ({ value: name, label: name })),
            ]}
            value={draft.via ?? DIRECTLY}
            allowDeselect={false}
            onChange={(value) => onChange({ via: value === DIRECTLY ? null : value })}
          />
        )}
      </div>
    </Panel>
  );
}
