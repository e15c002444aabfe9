import { Button, FileButton, Group, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFolderOpen } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { ReadLine, ReadToolFile } from '../../../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import { formatDuration } from '../../../../../shared/util/format.ts';
import { useCall } from '../../../../client/index.ts';
import pasted from '../../../../domain/pasted/pasted.module.css';
import { Panel, ProblemBanner, Status, type Tone } from '../../../../ui/index.ts';
import { withToolFile } from '../../document/dropped.ts';
import classes from './toolFile.module.css';

const MOST_LETTERS = 100_000;

interface Properties {
  file: { title: string; name: string };
  tool: string;
  experiment: Experiment;
  edit(change: (experiment: Experiment) => Experiment): void;
}

/** Opens a file of the tool itself: shows the result for its lines, then applies it to the options. */
export function OpenToolFile({ file, tool, experiment, edit }: Properties) {
  const [text, setText] = useState('');
  const { options } = experiment.workload;
  const question = useMemo(() => ({ tool, options, text: text.slice(0, MOST_LETTERS) }), [tool, options, text]);
  const [asked] = useDebouncedValue(question, 200);
  const answer = useCall('experiments.readFile', asked, { enabled: asked.text.trim() !== '' });
  const isOpen = text.trim() !== '';
  const current = asked.text === text ? answer.data : undefined;
  const use = (read: ReadToolFile): void => {
    edit((now) => withToolFile(now, read));
    setText('');
  };
  const what = file.title.toLowerCase();
  return (
    <Panel
      title={`Open a ${what}`}
      note="Replaces the options after you review its lines."
      actions={
        <FileButton onChange={(chosen) => void chosen?.text().then(setText)}>
          {(properties) => (
            <Button {...properties} size="xs" variant="default" leftSection={<IconFolderOpen size={14} />}>
              Choose a file
            </Button>
          )}
        </FileButton>
      }
    >
      <div className={pasted.body}>
        <Textarea
          aria-label={`Text of a ${what}`}
          placeholder={`Or paste a ${what} here`}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: pasted.pasted ?? '' }}
          value={text}
          error={text.length > MOST_LETTERS && 'The text is longer than 100,000 characters. Paste a shorter one.'}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {isOpen && answer.error && <ProblemBanner problem={answer.error.problem} />}
        {isOpen && current && <Outcome read={current} what={what} onUse={() => use(current)} />}
      </div>
    </Panel>
  );
}

const TONES: Readonly<Record<ReadLine['is'], Tone>> = { 'not-in-form': 'warn', refused: 'bad', note: 'idle' };
const WORDS: Readonly<Record<ReadLine['is'], string>> = {
  'not-in-form': 'not in the form',
  refused: 'does not run',
  note: 'note',
};

function Outcome({ read, what, onUse }: { read: ReadToolFile; what: string; onUse(): void }) {
  const { whole, lines, measure } = read;
  return (
    <>
      <output className={classes.outcome} aria-label="Result">
        {whole
          ? `The form cannot express everything, so the ${what} is kept unchanged.`
          : `The form expresses the whole workload of the ${what}.`}
        {measure.duration !== undefined &&
          ` The experiment then measures ${formatDuration(measure.duration)} after ${formatDuration(measure.warmup ?? 0)} of warm-up.`}
      </output>
      {lines.length > 0 && (
        <table className={pasted.lines} aria-label="Lines that are not plain options">
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.number} ${line.is} ${line.message}`}>
                <td className={classes.number}>{line.number}</td>
                <td className={classes.text}>{line.text}</td>
                <td className={classes.is}>
                  <Status tone={TONES[line.is]}>{WORDS[line.is]}</Status>
                </td>
                <td className={classes.message}>{line.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Group>
        <Button size="xs" onClick={onUse}>
          {whole ? `Use as a ${what}` : 'Use it as options'}
        </Button>
      </Group>
    </>
  );
}
