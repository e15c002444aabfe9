import { Select, TagsInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CommandMonitor, StatementMonitor } from '../../../../../../shared/model/monitors.ts';
import { IconAction } from '../../../../../ui/index.ts';
import { KeptText } from './KeptText.tsx';
import classes from './monitors.module.css';
import { groupsIn, withUnit } from './monitors.ts';
import { TryPattern } from './TryPattern.tsx';

interface OwnProperties<T> {
  monitor: T;
  /** Messages by the part they belong to. */
  problems: Readonly<Record<string, string>>;
  /** Undefined: it is removed. */
  onChange: (monitor: T | undefined) => void;
}

interface FrameProperties {
  name: string;
  onRemove: () => void;
  children: ReactNode;
}

const Frame = ({ name, onRemove, children }: FrameProperties) => (
  <fieldset className={classes.own} aria-label={name}>
    {children}
    <div className={classes.remove}>
      <IconAction label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={16} stroke={1.6} />
      </IconAction>
    </div>
  </fieldset>
);

/** A statement whose numbers are series. */
export const OwnStatement = ({ monitor, problems, onChange }: OwnProperties<StatementMonitor>) => (
  <Frame name={monitor.name} onRemove={() => onChange(undefined)}>
    <KeptText
      label="Name"
      value={monitor.name}
      problem={problems.name}
      onChange={(name) => onChange({ ...monitor, name })}
    />
    <KeptText
      label="Statement"
      description="Each number in the first row is a series; rows of name and number also work"
      isCode
      value={monitor.statement}
      problem={problems.statement}
      onChange={(statement) => onChange({ ...monitor, statement })}
    />
    <TagsInput
      label="Counters"
      description="Columns or names of counters; shown as rates per second"
      value={monitor.counters ?? []}
      onChange={(counters) => {
        const { counters: _before, ...rest } = monitor;
        onChange(counters.length > 0 ? { ...rest, counters } : rest);
      }}
    />
  </Frame>
);

/** A program whose output is matched by a pattern. */
export function OwnCommand({
  monitor,
  problems,
  hosts,
  onChange,
}: OwnProperties<CommandMonitor> & { hosts: readonly string[] }) {
  return (
    <Frame name={monitor.name} onRemove={() => onChange(undefined)}>
      <KeptText
        label="Name"
        value={monitor.name}
        problem={problems.name}
        onChange={(name) => onChange({ ...monitor, name })}
      />
      <KeptText
        label="Command"
        description="POSIX sh. One line per second until it is stopped"
        isCode
        value={monitor.command}
        problem={problems.command}
        onChange={(command) => onChange({ ...monitor, command })}
      />
      <Select
        label="Host"
        description="Host"
        placeholder="Server host, or the first generator"
        clearable
        data={[...hosts]}
        value={monitor.host ?? null}
        onChange={(host) => {
          const { host: _before, ...rest } = monitor;
          onChange(host === null ? rest : { ...rest, host });
        }}
      />
      <div className={classes.pattern}>
        <KeptText
          label="Pattern of a line"
          description="RE2. Each named group is a series: (?P<watts>[0-9.]+)"
          isCode
          value={monitor.pattern}
          problem={
            problems.pattern ?? (groupsIn(monitor.pattern).length === 0 ? 'The pattern has no named group.' : undefined)
          }
          onChange={(pattern) => onChange({ ...monitor, pattern })}
        />
      </div>
      <div className={classes.units}>
        {groupsIn(monitor.pattern).map((group) => (
          <TextInput
            key={group}
            label={`Unit of ${group}`}
            placeholder="none"
            value={monitor.units?.[group] ?? ''}
            onChange={(event) => onChange(withUnit(monitor, group, event.currentTarget.value))}
          />
        ))}
      </div>
      <div className={classes.tried}>
        <TryPattern monitor={monitor} />
      </div>
    </Frame>
  );
}
