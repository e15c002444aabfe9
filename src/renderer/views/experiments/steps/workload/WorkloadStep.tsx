import { Button, Group, Select, Textarea } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Experiment, Factor } from '../../../../../shared/model/experiment.ts';
import { levelsOf, optionOf } from '../../../../../shared/model/factor.ts';
import { LOCAL_HOST_NAME } from '../../../../../shared/model/host.ts';
import type { Plan } from '../../../../../shared/model/plan.ts';
import type { AccessShares } from '../../../../../shared/model/tool.ts';
import { formatNumber, plainLevel, plainLevels } from '../../../../../shared/util/format.ts';
import { FolderPicker } from '../../../../domain/index.ts';
import { type Field, OptionForm, readFields } from '../../../../forms/index.ts';
import { CodeBlock, Panel, saveFile } from '../../../../ui/index.ts';
import type { DocumentState } from '../../document/document.ts';
import { withTool } from '../../document/drafts.ts';
import { problemsBelow, type StepProperties } from '../../document/steps.ts';
import styles from './accesses.module.css';
import { OpenToolFile } from './OpenToolFile.tsx';
import { dashed } from './stepLines.ts';
import { TrialSteps } from './TrialSteps.tsx';
import { TryOutput } from './TryOutput.tsx';
import classes from './workload.module.css';

/** The task of the tool. */
export function WorkloadStep({ experiment, state, tools, edit }: StepProperties) {
  const tool = tools.find((entry) => entry.id === experiment.workload.tool);
  const fields = useMemo(() => readFields(tool?.options ?? {}), [tool]);
  const problems = state.checked?.problems ?? [];
  return (
    <>
      <Panel label="Question and tool">
        <div className={classes.intro}>
          <Select
            label="Tool"
            data={tools.map(({ id, title }) => ({ value: id, label: title }))}
            value={tool?.id ?? null}
            error={problems.find((problem) => problem.path === 'workload.tool')?.message}
            description={tool?.summary}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            allowDeselect={false}
            onChange={(id) => id && id !== tool?.id && edit((now) => withTool(now, id))}
          />
          <Textarea
            label="Question"
            placeholder="What should this answer? Shown above the results."
            rows={3}
            maxLength={2000}
            value={experiment.question ?? ''}
            onChange={(event) => {
              const text = event.currentTarget.value;
              edit(({ question: _, ...rest }) => (text === '' ? rest : { ...rest, question: text }));
            }}
          />
        </div>
      </Panel>
      <Panel title="Options">
        <OptionForm
          key={tool?.id ?? ''}
          searchable
          fields={fields}
          values={dashed(fields, experiment.workload.options)}
          problems={problemsBelow(problems, 'workload.options')}
          instead={variedWords(experiment.factors)}
          behind={foldersBehind(fields, experiment, (name, path) =>
            edit((now) => ({
              ...now,
              workload: { ...now.workload, options: { ...now.workload.options, [name]: path } },
            })),
          )}
          onChange={(options) => edit((now) => ({ ...now, workload: { ...now.workload, options } }))}
        />
      </Panel>
      <TrialSteps {...{ experiment, state, edit, fields }} />
      {state.checked?.accesses && <RowAccesses accesses={state.checked.accesses} />}
      <Commands experiment={experiment} state={state} />
      {tool?.file && <ToolFile key={`file ${tool.id}`} file={tool.file} tool={tool.title} state={state} />}
      {tool?.file && (
        <OpenToolFile key={`open ${tool.id}`} file={tool.file} tool={tool.id} experiment={experiment} edit={edit} />
      )}
      {tool && <TryOutput key={tool.id} tool={tool} options={experiment.workload.options} />}
    </>
  );
}

/** Folder pickers for options that are a folder of the first generator and not varied. */
const foldersBehind = (
  fields: readonly Field[],
  { factors, where, workload }: Experiment,
  choose: (name: string, path: string) => void,
): Record<string, ReactNode> =>
  Object.fromEntries(
    fields
      .filter(({ name, folder }) => folder && !factors.some((factor) => optionOf(factor) === name))
      .map(({ name }) => [
        name,
        <FolderPicker
          key={name}
          host={where.generators[0] ?? LOCAL_HOST_NAME}
          value={String(dashed(fields, workload.options)[name] ?? '')}
          onChoose={(path) => choose(name, path)}
        />,
      ]),
  );

const variedWords = (factors: readonly Factor[]): Record<string, string> =>
  Object.fromEntries(
    factors.map((factor) => [optionOf(factor), `varied: ${levelsOf(factor).map(plainLevel).join(', ')}`]),
  );

function Commands({ experiment, state }: { experiment: Experiment; state: DocumentState }) {
  const [chosen, setChosen] = useState(0);
  const { commands, plan } = state.checked ?? {};
  if (!commands || commands.length === 0) {
    return (
      <Panel title="Command">
        <span className="kp-dim">The command line appears here once the problems are fixed.</span>
      </Panel>
    );
  }
  const place = Math.min(chosen, commands.length - 1);
  return (
    <Panel
      title="Command"
      note={`As it will run on ${experiment.where.generators.join(', ')}; passwords are passed in a file and not shown.`}
      actions={<CellSelect plan={plan} count={commands.length} value={place} onChange={setChosen} />}
    >
      <CodeBlock text={commands[place] ?? ''} label="Copy the command" />
    </Panel>
  );
}

interface Properties {
  file: { title: string; name: string };
  tool: string;
  state: DocumentState;
}

/** The load as a file of the tool itself: to read, copy and save. */
function ToolFile({ file, tool, state }: Properties) {
  const [chosen, setChosen] = useState(0);
  const { files = [], plan } = state.checked ?? {};
  const place = Math.min(chosen, files.length - 1);
  const text = files[place];
  const save = (): void =>
    saveFile({ fileName: file.name, mediaType: 'text/plain', bytes: new TextEncoder().encode(text) });
  return (
    <Panel
      title={file.title}
      note={`The same load as a file that ${tool} can run on its own.`}
      actions={
        text !== undefined && (
          <Group gap={8}>
            <CellSelect plan={plan} count={files.length} value={place} onChange={setChosen} />
            <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
              Save
            </Button>
          </Group>
        )
      }
    >
      {text === undefined ? (
        <span className="kp-dim">It appears here once the problems are fixed.</span>
      ) : (
        <CodeBlock text={text} label={`Copy the ${file.title.toLowerCase()}`} maxHeight={320} />
      )}
    </Panel>
  );
}

const WIDTH = 132;
const HEIGHT = 88;

/**
 * Distribution of the workload's random accesses over rows, records or blocks: it determines what stays in memory, and what is contended.
 */
function RowAccesses({ accesses }: { accesses: readonly AccessShares[] }) {
  const thing = accesses[0]?.of ?? 'rows';
  return (
    <Panel title="Access distribution" note={`Which share of the ${thing} gets which share of the accesses.`}>
      <div className={styles.kinds}>
        {accesses.map((kind) => (
          <figure key={kind.words} className={styles.kind}>
            <div className={styles.picture}>
              <span>accesses, 0 to 100 %</span>
              <Curve kind={kind} />
              <span>{kind.of}, 0 to 100 %</span>
            </div>
            <figcaption>
              <div>{kind.words}</div>
              {kind.shares.map(({ accesses: share, rows }) => (
                <div key={share} className="kp-dim">
                  {percent(share)} of the accesses go to {percent(rows)} of the {kind.of}
                </div>
              ))}
            </figcaption>
          </figure>
        ))}
      </div>
    </Panel>
  );
}

const percent = (share: number): string => `${formatNumber(share * 100, share * 100 < 10 ? 2 : 0)} %`;

/** From none of both at the lower left to all of both. The diagonal is a uniform distribution. */
function Curve({ kind: { words, of, curve } }: { kind: AccessShares }) {
  const points = curve.map(
    ({ rows, accesses }) => `${(rows * WIDTH).toFixed(1)},${((1 - accesses) * HEIGHT).toFixed(1)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={styles.curve}
      role="img"
      aria-label={`Accesses by ${of}, ${words}`}
    >
      <rect x="0" y="0" width={WIDTH} height={HEIGHT} className={styles.ground} />
      <line x1="0" y1={HEIGHT} x2={WIDTH} y2="0" className={styles.alike} />
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} className={styles.area} />
      <polyline points={points.join(' ')} className={styles.line} />
    </svg>
  );
}

interface CellSelectProperties {
  plan: Plan | undefined;
  /** Number of selectable cells, from the first on. */
  count: number;
  value: number;
  onChange(cell: number): void;
}

/** Selects a cell of the plan by its levels; renders nothing if there is only one. */
function CellSelect({ plan, count, value, onChange }: CellSelectProperties) {
  if (count < 2) return null;
  return (
    <Select
      aria-label="Cell"
      w={260}
      value={String(value)}
      allowDeselect={false}
      searchable
      data={Array.from({ length: count }, (_, index) => ({
        value: String(index),
        label: `Cell ${index + 1}: ${plainLevels(plan?.cells[index]?.levels ?? {})}`,
      }))}
      onChange={(text) => onChange(Number(text ?? 0))}
    />
  );
}
