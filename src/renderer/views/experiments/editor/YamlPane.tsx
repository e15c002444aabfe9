import { useMemo, useState } from 'react';
import type { DocumentProblem } from '../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { formatCount } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { CodeEditor, suggestionsOf } from '../../../code-editor/index.ts';
import { Panel, Status } from '../../../ui/index.ts';
import { documentSchema, kindAtEnd } from './document-schema.ts';
import classes from './yaml.module.css';

interface Properties {
  text: string;
  problems: readonly DocumentProblem[];
  tools: readonly ToolInfo[];
  busy: boolean;
  /** The text does not include the last change of the forms yet, so it is read-only. */
  behind: boolean;
  onChange(text: string): void;
}

const NO_KINDS = [] as const;
const TOOL = /^\s*tool:\s*["']?([\w-]+)/m;

/** The document as text; problems are shown at their line and below. */
export function YamlPane({ text, problems, tools, busy, behind, onChange }: Properties) {
  const [goTo, setGoTo] = useState<{ line: number }>();
  const tool = TOOL.exec(text)?.[1];
  const { data: kinds = NO_KINDS } = useCall('experiments.factorKinds', {});
  const marked = useMemo(
    () => problems.flatMap(({ line, message }) => (line === undefined ? [] : [{ line, message }])),
    [problems],
  );
  return (
    <Panel
      title="Document"
      note="The same document as in the steps; comments and order stay as you write them."
      flush
      actions={
        problems.length > 0 ? (
          <Status tone="bad">{formatCount(problems.length, 'problem')}</Status>
        ) : (
          <Status tone={busy ? 'busy' : 'ok'}>{busy ? 'Checking' : 'No problems'}</Status>
        )
      }
    >
      <div className={classes.yaml}>
        <CodeEditor
          label="Document as YAML"
          language="yaml"
          text={text}
          readOnly={behind}
          invalid={problems.length > 0}
          problems={marked}
          goTo={goTo}
          suggest={(before) => suggestionsOf(documentSchema(tools, kinds, { tool, kind: kindAtEnd(before) }), before)}
          onChange={onChange}
        />
      </div>
      {problems.length > 0 && <Problems problems={problems} onChoose={(line) => setGoTo({ line })} />}
    </Panel>
  );
}

function Problems({ problems, onChoose }: { problems: readonly DocumentProblem[]; onChoose(line: number): void }) {
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>
          <button type="button" className={classes.jump} onClick={() => onChoose(problem.line ?? 1)}>
            <span className="kp-figures">{problem.line === undefined ? '' : `line ${problem.line}`}</span>
            <span>{problem.message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
