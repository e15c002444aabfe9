import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ExperimentFile } from '../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { ToolInfo } from '../../../shared/model/tool.ts';
import { BlockSkeleton, ProblemBanner, useCrumbs } from '../../ui/index.ts';
import { EditorHead } from './EditorHead.tsx';
import classes from './editor.module.css';
import { Footer } from './Footer.tsx';
import { PlanCard } from './PlanCard.tsx';
import { StepBar } from './StepBar.tsx';
import { StepContent } from './StepContent.tsx';
import { STEPS } from './steps.ts';
import { useAllowed } from './useAllowed.ts';
import { type OpenDocument, type Origin, useDocument } from './useDocument.ts';
import { addressOf, useSave, useStart } from './useDocumentActions.ts';
import { YamlPane } from './YamlPane.tsx';

interface Properties {
  file?: ExperimentFile;
  /** Last part of the address, and the name under which unsaved changes are kept. */
  id: string;
  origin: Origin;
  tools: readonly ToolInfo[];
  step: string | undefined;
}

/** A document in five steps or as text, with what it comes to beside it. */
export function EditorPage({ file, id, origin, tools, step }: Properties) {
  const open = useDocument(id, origin);
  const { document, state } = open;
  const [, go] = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const [blocks, setBlocks] = useState(0);
  const [unfit, setUnfit] = useState(0);
  const [allowed, setAllowed] = useAllowed(state);
  const save = useSave(file, open, id, step, setProblem);
  const start = useStart(open, allowed, setProblem);
  const yaml = step === 'yaml' || (!state.readable && !state.busy);
  const current = STEPS.find((entry) => entry.id === step)?.id ?? 'workload';
  const name = state.experiment?.name ?? file?.name ?? 'New experiment';
  useCrumbs([{ label: name }]);
  const edit = (change: (experiment: Experiment) => Experiment): void => document.edit(change);
  const to = (next: string): void => go(addressOf(id, next));
  const problems = state.checked?.problems ?? [];

  return (
    <div className={classes.editor}>
      <EditorHead
        file={file}
        name={name}
        changed={open.changed}
        yaml={yaml}
        onlyYaml={yaml && !state.readable}
        nameable={state.experiment !== undefined && !yaml}
        saving={save.busy}
        onName={(next) => edit((now) => ({ ...now, name: next }))}
        onView={(text) => to(text ? 'yaml' : 'workload')}
        onSave={() => void save.run()}
      />
      <Banners open={open} problem={problem} onDismiss={() => setProblem(undefined)} />
      {!yaml && (
        <StepBar
          current={current}
          problems={problems}
          checked={!state.busy && !state.problem}
          unfit={unfit}
          hrefOf={(next) => addressOf(id, next)}
        />
      )}
      <div className={classes.columns}>
        <div className={classes.content}>
          {yaml ? (
            <YamlPane
              text={state.text}
              problems={problems}
              busy={state.busy}
              behind={state.textBehind}
              onChange={(text) => document.setText(text)}
            />
          ) : state.experiment ? (
            <StepContent
              step={current}
              experiment={state.experiment}
              state={state}
              tools={tools}
              edit={edit}
              onUnfit={setUnfit}
              preflight={{ document, allowed, onAllow: setAllowed, onBlocks: setBlocks }}
            />
          ) : (
            <BlockSkeleton height={360} />
          )}
        </div>
        <PlanCard state={state} onStep={to} onRetry={() => document.retry()} />
      </div>
      <Footer
        current={yaml ? undefined : current}
        hrefOf={(next) => addressOf(id, next)}
        ready={!state.busy && problems.length === 0 && blocks === 0 && unfit === 0 && !state.problem}
        openPoints={problems.length + unfit}
        blocks={blocks}
        starting={start.busy}
        onStart={() => void start.run()}
      />
    </div>
  );
}

function Banners({
  open,
  problem,
  onDismiss,
}: {
  open: OpenDocument;
  problem: Problem | undefined;
  onDismiss(): void;
}) {
  return (
    <>
      {open.fromDraft && open.changed && (
        <ProblemBanner
          tone="busy"
          problem={{ message: 'Your unsaved changes from before are shown.' }}
          actions={
            <Button size="compact-sm" variant="default" onClick={open.discard}>
              Discard them
            </Button>
          }
        />
      )}
      {problem && (
        <ProblemBanner
          problem={problem}
          actions={
            <Button size="compact-sm" variant="default" onClick={onDismiss}>
              Dismiss
            </Button>
          }
        />
      )}
    </>
  );
}
