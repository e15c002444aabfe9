import { Button, Drawer } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { chosenTitle, metricDrawn } from '../../../../shared/chart-models/index.ts';
import { definedIn, metricNamed } from '../../../../shared/measures/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import { chartsOf } from '../../../../shared/model/chart.ts';
import { useAction, useCall } from '../../../client/index.ts';
import { ChartForm } from '../../../domain/charts/ChartForm.tsx';
import { choiceOf, draftOf, firstChart, isComplete, metricsOfResult } from '../../../domain/charts/draft.ts';
import { FormFooter, ProblemBanner } from '../../../ui/index.ts';
import type { EditedChart, TabProperties } from '../useResults.ts';
import { ChosenChart } from './ChosenChart.tsx';

/** Milliseconds without another key until the preview is updated. */
const TYPING = 250;

interface Properties extends TabProperties {
  /** Undefined: the sheet is closed. */
  edited: EditedChart | undefined;
  onClose(): void;
  /** Called when a new chart was added. */
  onAdded(): void;
}

/** Adds or changes a chart of a session, with a preview of the session’s own data. */
export const ChartSheet = ({ edited, onClose, ...rest }: Properties) => (
  <Drawer
    opened={edited !== undefined}
    onClose={onClose}
    position="right"
    size={860}
    title={edited?.place === undefined ? 'Add chart' : 'Edit chart'}
    classNames={{ content: 'kp-sheet', header: 'kp-sheet-head', body: 'kp-sheet-body' }}
  >
    {edited ? <Body edited={edited} onClose={onClose} {...rest} /> : null}
  </Drawer>
);

function Body({ edited, onClose, onAdded, ...session }: Properties & { edited: EditedChart }) {
  const { detail, result } = session;
  const { charts: added = [] } = detail;
  const { place } = edited;
  const [draft, setDraft] = useState(() => draftOf(edited.choice ?? firstChart(result, chartsOf(detail))));
  const choice = useMemo(() => choiceOf(draft), [draft]);
  const [previewed] = useDebouncedValue(choice, TYPING);
  const edit = useAction('sessions.edit');
  const sessions = useCall('sessions.list', {});
  const named = choice.metric === undefined ? undefined : metricNamed(choice.metric, definedIn(detail));
  const metric = metricDrawn(choice, named, result);
  const { title: _, ...untitled } = choice;
  const save = (): void => {
    const charts =
      place === undefined ? [...added, choice] : added.map((each, index) => (index === place ? choice : each));
    edit.mutate(
      { id: detail.session.id, charts },
      {
        onSuccess: () => {
          if (place === undefined) onAdded();
          onClose();
        },
      },
    );
  };
  return (
    <form
      className="kp-sheet-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(draft)) save();
      }}
    >
      <ChosenChart {...session} choice={previewed} height={280} stays />
      <ChartForm
        draft={draft}
        onChange={setDraft}
        metrics={metricsOfResult(result)}
        factors={result.factors}
        title={chosenTitle(untitled, { ...result, metric })}
        unit={metricOf(metric).unit}
        sessions={sessions.data?.filter(({ id, damaged }) => id !== detail.session.id && !damaged)}
      />
      <FormFooter problem={edit.error ? <ProblemBanner problem={edit.error.problem} /> : undefined}>
        <span className="kp-small kp-sheet-words">Drawn from what is stored: no measurement changes.</span>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={edit.isPending} disabled={!isComplete(draft)}>
          {place === undefined ? 'Add chart' : 'Save'}
        </Button>
      </FormFooter>
    </form>
  );
}
