import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { chartText, chosenTitle } from '../../../../shared/chart-models/index.ts';
import { describeProblem, problemOf } from '../../../../shared/model/problem.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { ask, useAction, useLink } from '../../../client/index.ts';
import { ProblemBanner } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';
import { ChartSheet } from './ChartSheet.tsx';
import { ChosenChart } from './ChosenChart.tsx';

/** The charts of the document, then those added to the session. */
export function ChosenCharts({ detail, result, state }: TabProperties) {
  const { charts: own = [] } = detail.experiment;
  const { charts: added = [] } = detail;
  const { remove, problem } = useRemoval(detail);
  const { last, isAdded } = useScrollToAdded(added.length);
  const session = { detail, result, state };
  return (
    <>
      {own.map((choice, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: charts of a document do not change, and two may be equal
        <ChosenChart key={place} choice={choice} {...session} />
      ))}
      {problem ? <ProblemBanner problem={problem} /> : null}
      {added.map((choice, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and differ only by index
        <div key={place} ref={place === added.length - 1 ? last : undefined}>
          <ChosenChart
            choice={choice}
            {...session}
            controls={
              <ChartActions
                title={chosenTitle(choice, result)}
                text={`${own.length > 0 ? '' : 'charts:\n'}${chartText(choice)}`}
                onEdit={() => state.setChart({ choice, place })}
                onRemove={() => remove(place, chosenTitle(choice, result))}
              />
            }
          />
        </div>
      ))}
      <ChartSheet {...session} edited={state.chart} onClose={() => state.setChart(undefined)} onAdded={isAdded} />
    </>
  );
}

/** Scrolls to an added chart once it is rendered. */
function useScrollToAdded(count: number) {
  const last = useRef<HTMLDivElement>(null);
  const isAwaited = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is rendered once their number has changed
  useEffect(() => {
    if (isAwaited.current) last.current?.scrollIntoView({ block: 'center' });
    isAwaited.current = false;
  }, [count]);
  return {
    last,
    isAdded: () => {
      isAwaited.current = true;
    },
  };
}

/** Removes a chart; undoing adds it again at its place. */
function useRemoval({ session: { id }, charts = [] }: SessionDetail) {
  const link = useLink();
  const edit = useAction('sessions.edit');
  const remove = (place: number, title: string): void => {
    const removed = charts.filter((_, index) => index === place);
    const notice = `chart removed ${id} ${title}`;
    const putBack = async (): Promise<void> => {
      // Others may have been added or removed since.
      const { charts: now = [] } = await ask(link, 'sessions.get', { id });
      await ask(link, 'sessions.edit', { id, charts: [...now.slice(0, place), ...removed, ...now.slice(place)] });
    };
    const undo = (): void => {
      notifications.hide(notice);
      putBack().catch((thrown: unknown) =>
        notifications.show({ color: 'red', message: describeProblem(problemOf(thrown)) }),
      );
    };
    edit.mutate(
      { id, charts: charts.filter((_, index) => index !== place) },
      {
        onSuccess: () =>
          notifications.show({
            id: notice,
            autoClose: 8000,
            message: (
              <Group justify="space-between" wrap="nowrap">
                <span>“{title}” removed.</span>
                <Button variant="light" onClick={undo}>
                  Undo
                </Button>
              </Group>
            ),
          }),
      },
    );
  };
  return { remove, problem: edit.error?.problem };
}

interface Properties {
  /** Title of the chart. */
  title: string;
  /** The chart in the form of a document. */
  text: string;
  onEdit(): void;
  onRemove(): void;
}

/** Actions for a chart that was added to the session. */
const ChartActions = ({ title, text, onEdit, onRemove }: Properties) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Tooltip label="Edit, copy as YAML, remove">
        <ActionIcon aria-label={`Actions for ${title}`}>
          <IconDots size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item onClick={onEdit}>Edit</Menu.Item>
      <Menu.Item onClick={() => void copy(text)}>Copy as YAML</Menu.Item>
      <Menu.Item onClick={onRemove}>Remove</Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifications.show({ message: 'Copied as YAML, for the charts of a document.', autoClose: 3000 });
  } catch (thrown) {
    notifications.show({
      ...{ color: 'red', title: 'The chart was not copied.' },
      message: `${problemOf(thrown).message} Click in the window first, or allow clipboard access for this page.`,
    });
  }
}
