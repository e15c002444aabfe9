import { Textarea } from '@mantine/core';
import classes from './lines.module.css';
import pasted from './pasted.module.css';

interface PastedProperties {
  label: string;
  placeholder: string;
  rows: number;
  value: string;
  onChange: (text: string) => void;
}

/** A field for lines of output as printed. */
export const PastedText = ({ label, onChange, ...rest }: PastedProperties) => (
  <Textarea
    aria-label={label}
    spellCheck={false}
    classNames={{ input: pasted.pasted ?? '' }}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...rest}
  />
);

/** A line of output, with its interpretation in words. */
export interface LineRead {
  number: number;
  text: string;
  words: string;
  isRead: boolean;
  /** No pattern or parser understands it. */
  isUnread: boolean;
}

const MOST_LINES = 500;

/** Lines of output with their interpretation; `total`: summary of all of them. */
export function LinesRead({ lines, total }: { lines: readonly LineRead[]; total: string }) {
  return (
    <>
      <output className={classes.total} aria-label="Lines read">
        {total}
      </output>
      <table className={pasted.lines} aria-label="Lines and parsed values">
        <tbody>
          {lines.slice(0, MOST_LINES).map(({ number, text, words, isRead, isUnread }) => (
            <tr key={number} data-read={isRead || undefined} data-strange={isUnread || undefined}>
              <td className={classes.line}>{text}</td>
              <td className={classes.read}>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
