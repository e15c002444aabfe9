import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { TriedLines } from '../../../../../../shared/contract/monitors.ts';
import type { CommandMonitor, StatementMonitor } from '../../../../../../shared/model/monitors.ts';
import { formatCount, formatShort, NO_VALUE } from '../../../../../../shared/util/format.ts';
import { useCall } from '../../../../../client/index.ts';
import { type LineRead, LinesRead, PastedText } from '../../../../../domain/pasted/PastedText.tsx';
import pasted from '../../../../../domain/pasted/pasted.module.css';
import { IconAction, ProblemBanner } from '../../../../../ui/index.ts';
import { KeptText } from './KeptText.tsx';
import classes from './monitors.module.css';
import { groupsIn, withUnit } from './monitors.ts';

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
            problems.pattern ??
            (groupsIn(monitor.pattern).length === 0
              ? 'The pattern has no named group. Add one, such as (?P<watts>[0-9.]+).'
              : undefined)
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

const MOST_LETTERS = 100_000;

type Command = Pick<CommandMonitor, 'name' | 'pattern' | 'units'>;

/** Tests a pattern on printed lines of a command, and shows the matched figures. Nothing is started. */
export function TryPattern({ monitor }: { monitor: Command }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={pasted.body}>
      <div>
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Test the pattern
        </Button>
      </div>
      {isOpen ? <Tried monitor={monitor} /> : null}
    </div>
  );
}

function Tried({ monitor }: { monitor: Command }) {
  const { name, pattern, units } = monitor;
  const [text, setText] = useState('');
  const question = useMemo(() => ({ pattern, text: text.slice(0, MOST_LETTERS) }), [pattern, text]);
  const [asked] = useDebouncedValue(question, 200);
  const answer = useCall('monitors.tryLines', asked, {
    enabled: asked.text.trim() !== '',
    placeholderData: (before) => before,
  });
  const isTried = text.trim() !== '';
  return (
    <>
      <PastedText
        label={`Lines of ${name} to try`}
        placeholder="Paste some output of the command"
        rows={4}
        value={text}
        onChange={setText}
      />
      {isTried && answer.error ? <ProblemBanner problem={answer.error.problem} /> : null}
      {isTried && answer.data && !answer.error ? (
        <LinesRead
          lines={answer.data.lines.map((line, index) => lineRead(line, index + 1, units))}
          total={totalOf(answer.data)}
        />
      ) : null}
    </>
  );
}

type Line = TriedLines['lines'][number];

const isNumber = ({ value }: NonNullable<Line['figures']>[number]): boolean => value !== undefined;

function totalOf({ lines, left }: TriedLines): string {
  const figures = lines.reduce((sum, line) => sum + (line.figures ?? []).filter(isNumber).length, 0);
  const other = lines.filter(({ text, figures: read }) => !read && text.trim() !== '').length;
  return [
    `${formatCount(figures, 'figure')} of ${formatCount(lines.length, 'line')}`,
    ...(other > 0 ? [`${formatCount(other, 'line')} not matched`] : []),
    ...(left > 0 ? [`the last ${formatCount(left, 'line')} not parsed: the pattern takes too long`] : []),
  ].join(', ');
}

const lineRead = ({ text, figures }: Line, number: number, units: CommandMonitor['units'] = {}): LineRead => ({
  ...{ number, text, isRead: figures?.some(isNumber) ?? false, isUnread: figures === undefined },
  words:
    figures
      ?.map(({ group, word, value }) =>
        value === undefined
          ? `${group}: “${word}” is not a number`
          : `${group} ${formatShort(value)}${units[group] ? ` ${units[group]}` : ''}`,
      )
      .join(' · ') ?? (text.trim() === '' ? '' : NO_VALUE),
});
