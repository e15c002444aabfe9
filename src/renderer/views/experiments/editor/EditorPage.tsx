import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ExperimentFile } from '../../../../shared/contract/experiments.ts';
import type { DocumentProblem, Experiment } from '../../../../shared/model/experiment.ts';
import { type Finding, NO_FACTOR_UNDER_TEST } from '../../../../shared/model/finding.ts';
import { isOnlyFolder, openFolders, openFolderWords } from '../../../../shared/model/open-folders.ts';
import type { NamedPlace } from '../../../../shared/model/places.ts';
import type { Problem } from '../../../../shared/model/problem.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { useAction } from '../../../client/index.ts';
import { BlockSkeleton, ProblemBanner, useCrumbs, useKeptScroll, useUndoKeys } from '../../../ui/index.ts';
import { draftOf } from '../document/drafts.ts';
import { TEXT } from '../document/history.ts';
import {
  type PreflightProperties,
  problemsOfStep,
  STEPS,
  type StepId,
  type StepProperties,
  stepOf,
  useAllowed,
} from '../document/steps.ts';
import {
  addressOf,
  type OpenDocument,
  type Origin,
  useDocument,
  useMissingPlaces,
  useSave,
  useStart,
} from '../document/useDocumentActions.ts';
import { EditorHead } from './EditorHead.tsx';
import classes from './editor.module.css';
import { PlacesFirst } from './PlacesFirst.tsx';
import { PlanCard } from './PlanCard.tsx';
import { Footer, StepBar, StepContent } from './StepBar.tsx';
import { YamlPane } from './YamlPane.tsx';

interface Properties {
  file?: ExperimentFile;
  /** Last part of the address, and the key under which unsaved changes are stored. */
  id: string;
  origin: Origin;
  tools: readonly ToolInfo[];
  step: string | undefined;
}

const NO_PROBLEMS: readonly DocumentProblem[] = [];

/** A document in five steps or as text, with its summary next to it. */
export function EditorPage({ file, id, origin, tools, step }: Properties) {
  const open = useDocument(id, origin);
  const { document, state } = open;
  const [, go] = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const [blocks, setBlocks] = useState(0);
  const [invalid, setInvalid] = useState(0);
  const [allowed, setAllowed] = useAllowed(state);
  const current = STEPS.find((entry) => entry.id === step)?.id ?? 'workload';
  const to = (next: string): void => go(addressOf(id, next));
  const save = useSave(file, open, id, step, setProblem);
  const start = useStart(file, id, open, allowed, (refused) => {
    // Its checks are on the step “Review”, each with its remedy.
    if (refused?.code === 'preflight-refused' && current !== 'review') to('review');
    else setProblem(refused);
  });
  useDraftNotice(id, name(state.experiment?.name, file), open.kept);
  const yaml = step === 'yaml' || (!state.readable && !state.busy);
  const title = name(state.experiment?.name, file);
  useCrumbs([{ label: title }]);
  const edit = useCallback((change: (experiment: Experiment) => Experiment): void => document.edit(change), [document]);
  const missing = useMissingPlaces(state.experiment);
  const folders = useMemo(() => (state.experiment ? openFolders(state.experiment) : []), [state.experiment]);
  const small = useAction('experiments.small', { onSuccess: ({ experiment }) => document.edit(() => experiment) });
  const { experiment } = state;
  // The step “Where” already asks for it.
  const asksTarget =
    current !== 'where' &&
    file?.origin === 'template' &&
    state.experiment !== undefined &&
    state.experiment.where.target === undefined &&
    problemsOfStep(state.checked?.problems ?? NO_PROBLEMS, 'where').length > 0;
  const questions = openQuestion(state.checked?.plan?.findings);
  const problems = [
    ...(state.checked?.problems ?? NO_PROBLEMS),
    ...missing.map(problemOfPlace),
    ...folders.map(problemOfFolder),
    ...questions,
  ];
  // Undone changes are shown: on their step, or in the text.
  const travel = (place: string | undefined): void => {
    if (place === undefined || (yaml && place !== TEXT)) return;
    const there = place === TEXT ? 'yaml' : stepOf({ path: place });
    if (place === TEXT ? !yaml : there !== current && there !== 'review') to(there);
  };
  const undo = (): void => travel(document.undo());
  const redo = (): void => travel(document.redo());
  useUndoKeys(undo, redo);
  const place = useKeptScroll(yaml ? 'yaml' : current);

  return (
    <div className={classes.editor}>
      <EditorHead
        file={file}
        name={title}
        changed={open.changed}
        yaml={yaml}
        onlyYaml={yaml && !state.readable}
        nameable={state.experiment !== undefined && !yaml}
        saving={save.busy}
        onUndo={state.canUndo ? undo : undefined}
        onRedo={state.canRedo ? redo : undefined}
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
          invalid={invalid}
          hrefOf={(next) => addressOf(id, next)}
        />
      )}
      <div className={classes.columns} ref={place}>
        <div className={classes.content}>
          {!yaml &&
            current !== 'review' &&
            (missing.length > 0 || asksTarget || folders.length > 0) &&
            state.experiment && (
              <PlacesFirst {...{ missing, folders, tools, edit }} open={asksTarget} experiment={state.experiment} />
            )}
          <Content
            step={yaml ? undefined : current}
            open={open}
            tools={tools}
            edit={edit}
            onInvalid={setInvalid}
            preflight={{ allowed, onAllow: setAllowed, onBlocks: setBlocks }}
          />
        </div>
        <PlanCard
          state={state}
          questions={questions}
          notes={yaml || current !== 'review'}
          onStep={to}
          onRetry={() => document.retry()}
          onSmall={experiment?.small && (() => small.mutate({ experiment }))}
          onShort={(measure) => edit((now) => ({ ...now, measure: { ...now.measure, ...measure } }))}
        />
      </div>
      <Footer
        current={yaml ? undefined : current}
        hrefOf={(next) => addressOf(id, next)}
        ready={!state.busy && problems.length === 0 && blocks === 0 && invalid === 0 && !state.problem}
        openPoints={problems.length + invalid}
        blocks={blocks}
        starting={start.busy}
        onStart={() => void start.run()}
      />
    </div>
  );
}

const problemOfFolder = (folder: string): DocumentProblem => ({
  path: 'where',
  message: isOnlyFolder(folder) ? 'No folder is chosen yet.' : `No folder is chosen yet: ${openFolderWords(folder)}.`,
});

const problemOfPlace = ({ place, name: missing }: NamedPlace): DocumentProblem => ({
  path: 'where',
  message: `There is no ${place} named “${missing}”.`,
});

/** A document may leave open which of several factors is under test; here it is required before a start. */
const openQuestion = (findings: readonly Finding[] = []): DocumentProblem[] =>
  findings.filter(({ code }) => code === NO_FACTOR_UNDER_TEST).map(({ message }) => ({ path: 'factors', message }));

const name = (own: string | undefined, file: ExperimentFile | undefined): string =>
  own ?? file?.name ?? 'New experiment';

/** Reports where unsaved changes are when the user leaves. */
function useDraftNotice(id: string, title: string, kept: boolean): void {
  const latest = useRef({ title, kept });
  useEffect(() => {
    latest.current = { title, kept };
  });
  useEffect(
    () => () => {
      if (!latest.current.kept || draftOf(id) === undefined) return;
      notifications.show({
        id: `draft ${id}`,
        message: `“${latest.current.title}” is a draft under Experiments until this window is closed.`,
      });
    },
    [id],
  );
}

interface ContentProperties {
  /** Absent: the text. */
  step: StepId | undefined;
  open: OpenDocument;
  tools: readonly ToolInfo[];
  edit: StepProperties['edit'];
  onInvalid(count: number): void;
  preflight: Omit<PreflightProperties, 'document'>;
}

/** The document as text or one of its steps. */
function Content({ step, open: { document, state }, tools, edit, onInvalid, preflight }: ContentProperties) {
  if (step === undefined) {
    return (
      <YamlPane
        text={state.text}
        problems={state.checked?.problems ?? NO_PROBLEMS}
        tools={tools}
        busy={state.busy}
        behind={state.textBehind}
        onChange={(text) => document.setText(text)}
      />
    );
  }
  if (!state.experiment) return <BlockSkeleton height={360} />;
  return (
    <StepContent
      step={step}
      experiment={state.experiment}
      state={state}
      tools={tools}
      edit={edit}
      onInvalid={onInvalid}
      preflight={{ document, ...preflight }}
    />
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
          tone="idle"
          problem={{ message: 'Draft restored.' }}
          actions={
            <Button size="compact-sm" variant="default" onClick={open.discard}>
              Discard draft
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
