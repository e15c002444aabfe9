import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { TriedLines } from '../../../../../../shared/contract/monitors.ts';
import type { CommandMonitor } from '../../../../../../shared/model/monitors.ts';
import { formatCount, formatShort, NO_VALUE } from '../../../../../../shared/util/format.ts';
import { useCall } from '../../../../../client/index.ts';
import { type LineRead, LinesRead } from '../../../../../domain/pasted/LinesRead.tsx';
import { PastedText } from '../../../../../domain/pasted/PastedText.tsx';
import pasted from '../../../../../domain/pasted/pasted.module.css';
import { ProblemBanner } from '../../../../../ui/index.ts';

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
  ...{ number, text, isRead: figures?.some(isNumber) ?? false, isStrange: figures === undefined },
  words:
    figures
      ?.map(({ group, word, value }) =>
        value === undefined
          ? `${group}: “${word}” is not a number`
          : `${group} ${formatShort(value)}${units[group] ? ` ${units[group]}` : ''}`,
      )
      .join(' · ') ?? (text.trim() === '' ? '' : NO_VALUE),
});
