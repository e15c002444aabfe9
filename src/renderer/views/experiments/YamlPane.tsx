import { useRef, useState } from 'react';
import type { DocumentProblem } from '../../../shared/model/experiment.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { Panel, Status } from '../../ui/index.ts';
import classes from './yaml.module.css';

interface Properties {
  text: string;
  problems: readonly DocumentProblem[];
  busy: boolean;
  /** The text lacks the last change of the forms still: not to be written in. */
  behind: boolean;
  onChange(text: string): void;
}

/** Height of a line in pixels: text, numbers and marks share it. */
const LINE = 20;
const PADDING = 8;

/** The document as text; what is wrong stands at its line and below. */
export function YamlPane({ text, problems, busy, behind, onChange }: Properties) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const lines = text.split('\n').length;
  const marked = new Map<number, string>();
  for (const { line, message } of problems) {
    if (line !== undefined) marked.set(line, [marked.get(line), message].filter(Boolean).join(' '));
  }
  const goTo = (line: number): void => {
    const field = area.current;
    if (!field) return;
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    field.focus();
    field.setSelectionRange(start, start + (text.split('\n')[line - 1]?.length ?? 0));
    field.scrollTop = Math.max(0, (line - 4) * LINE);
  };
  return (
    <Panel
      title="Document"
      note="The same document as in the steps; comments and order stay as you write them."
      flush
      actions={
        problems.length > 0 ? (
          <Status tone="bad">{formatCount(problems.length, 'problem')}</Status>
        ) : (
          <Status tone={busy ? 'busy' : 'ok'}>{busy ? 'Checking' : 'No problem'}</Status>
        )
      }
    >
      <div className={classes.yaml}>
        <div className={classes.gutter} aria-hidden="true">
          <div style={{ transform: `translateY(${PADDING - scrolled}px)` }}>
            {Array.from({ length: lines }, (_, index) => index + 1).map((line) => (
              <div key={line} data-marked={marked.has(line) || undefined} title={marked.get(line)}>
                {line}
              </div>
            ))}
          </div>
        </div>
        <div className={classes.paper}>
          {[...marked.keys()].map((line) => (
            <div key={line} className={classes.markedLine} style={{ top: PADDING + (line - 1) * LINE - scrolled }} />
          ))}
          <textarea
            ref={area}
            aria-label="Document as YAML"
            aria-invalid={problems.length > 0}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            wrap="off"
            readOnly={behind}
            value={text}
            onChange={(event) => onChange(event.currentTarget.value)}
            onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          />
        </div>
      </div>
      {problems.length > 0 && (
        <ul className={classes.problems} aria-label="Problems">
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.message}`}>
              <button type="button" className={classes.jump} onClick={() => goTo(problem.line ?? 1)}>
                <span className="kp-figures">{problem.line === undefined ? '' : `line ${problem.line}`}</span>
                <span>{problem.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
