import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { TriedOutput } from '../../../../../shared/contract/experiments.ts';
import { metricOf } from '../../../../../shared/metrics/index.ts';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { formatCount, formatShort } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { FindingsList } from '../../../../domain/FindingsList.tsx';
import { Panel, ProblemBanner } from '../../../../ui/index.ts';
import pasted from './pasted.module.css';
import classes from './try.module.css';

const MOST_LINES = 500;
const MOST_LETTERS = 100_000;

/** Paste what a program printed, and see which lines the tool's parser takes and what it reads of them, with the options as they are. */
export function TryOutput({ tool, options }: { tool: ToolInfo; options: Experiment['workload']['options'] }) {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue({ tool: tool.id, options, text: text.slice(0, MOST_LETTERS) }, 200);
  const answer = useCall('experiments.tryOutput', asked, {
    enabled: asked.text.trim() !== '',
    placeholderData: (previous: TriedOutput | undefined) => previous,
  });
  return (
    <Panel
      title="Test the parser"
      note="Paste the tool’s output to see what a run with these options reads from it. Nothing is started."
    >
      <div className={pasted.body}>
        <Textarea
          aria-label="Output to try"
          placeholder="Lines of output"
          rows={6}
          spellCheck={false}
          classNames={{ input: pasted.pasted ?? '' }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {answer.error && <ProblemBanner problem={answer.error.problem} />}
        {text.trim() !== '' && answer.data && <Tried tried={answer.data} />}
      </div>
    </Panel>
  );
}

function Tried({ tried: { lines, findings, summary } }: { tried: TriedOutput }) {
  const samples = lines.reduce((sum, line) => sum + line.samples.length, 0);
  const strange = lines.filter(({ understood }) => !understood).length;
  const final = Object.entries(summary);
  return (
    <>
      <output className={classes.total} aria-label="What was read">
        {formatCount(samples, 'sample')} of {formatCount(lines.length, 'line')}
        {strange > 0 && `, ${formatCount(strange, 'line')} not understood`}
      </output>
      <table className={pasted.lines} aria-label="Lines and what was read of them">
        <tbody>
          {lines.slice(0, MOST_LINES).map((line) => (
            <tr
              key={line.number}
              data-read={line.samples.length > 0 || undefined}
              data-strange={!line.understood || undefined}
            >
              <td className={classes.line}>{line.text}</td>
              <td className={classes.read}>
                {line.samples.map(sampleWords).join('; ') || (line.understood ? '' : '–')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {final.length > 0 && (
        <p className="kp-small">
          Final figures: {final.map(([name, value]) => `${name} ${formatShort(value)}`).join(' · ')}
        </p>
      )}
      {findings.length > 0 && <FindingsList findings={findings} />}
    </>
  );
}

const sampleWords = ({ t, metrics }: TriedOutput['lines'][number]['samples'][number]): string =>
  [
    `${formatShort(t)} s`,
    ...Object.entries(metrics).map(([id, value]) => {
      const { label, unit } = metricOf(id);
      return `${label} ${formatShort(value)}${unit === '' ? '' : ` ${unit}`}`;
    }),
  ].join(' · ');
