import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { TriedOutput } from '../../../../../shared/contract/experiments.ts';
import { metricOf } from '../../../../../shared/metrics/index.ts';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { formatCount, formatShort } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import { FindingsList } from '../../../../domain/FindingsList.tsx';
import { type LineRead, LinesRead, PastedText } from '../../../../domain/pasted/PastedText.tsx';
import pasted from '../../../../domain/pasted/pasted.module.css';
import { Panel, ProblemBanner } from '../../../../ui/index.ts';

const MOST_LETTERS = 100_000;

/** Tests pasted output of a program: shows the lines that the tool's parser reads, and its results, with the current options. */
export function TryOutput({ tool, options }: { tool: ToolInfo; options: Experiment['workload']['options'] }) {
  const [text, setText] = useState('');
  const question = useMemo(
    () => ({ tool: tool.id, options, text: text.slice(0, MOST_LETTERS) }),
    [tool.id, options, text],
  );
  const [asked] = useDebouncedValue(question, 200);
  const answer = useCall('experiments.tryOutput', asked, {
    enabled: asked.text.trim() !== '',
    placeholderData: (previous: TriedOutput | undefined) => previous,
  });
  return (
    <Panel
      title="Test the parser"
      note="Paste tool output to see what these options parse from it. Nothing is started."
    >
      <div className={pasted.body}>
        <PastedText label="Output to try" placeholder="Lines of output" rows={6} value={text} onChange={setText} />
        {answer.error && <ProblemBanner problem={answer.error.problem} />}
        {text.trim() !== '' && answer.data && <Tried tried={answer.data} />}
      </div>
    </Panel>
  );
}

function Tried({ tried: { lines, findings, summary } }: { tried: TriedOutput }) {
  const samples = lines.reduce((sum, line) => sum + line.samples.length, 0);
  const unread = lines.filter(({ understood }) => !understood).length;
  const final = Object.entries(summary);
  const also = unread > 0 ? `, ${formatCount(unread, 'line')} not parsed` : '';
  return (
    <>
      <LinesRead
        lines={lines.map(lineRead)}
        total={`${formatCount(samples, 'sample')} of ${formatCount(lines.length, 'line')}${also}`}
      />
      {final.length > 0 && (
        <p className="kp-small">
          Final figures: {final.map(([name, value]) => `${name} ${formatShort(value)}`).join(' · ')}
        </p>
      )}
      {findings.length > 0 && <FindingsList findings={findings} />}
    </>
  );
}

const lineRead = ({ number, text, understood, samples }: TriedOutput['lines'][number]): LineRead => ({
  ...{ number, text, isRead: samples.length > 0, isUnread: !understood },
  words: samples.map(sampleWords).join('; ') || (understood ? '' : '–'),
});

const sampleWords = ({ t, metrics }: TriedOutput['lines'][number]['samples'][number]): string =>
  [
    `${formatShort(t)} s`,
    ...Object.entries(metrics).map(([id, value]) => {
      const { label, unit } = metricOf(id);
      return `${label} ${formatShort(value)}${unit === '' ? '' : ` ${unit}`}`;
    }),
  ].join(' · ');
