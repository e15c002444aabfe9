import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { EVENT_TITLES, type ScenarioEvent } from '../../../../../../shared/model/scenario.ts';
import { formatCount } from '../../../../../../shared/util/format.ts';
import { Fold, IconAction } from '../../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../../document/steps.ts';
import { draftOf, type EventDraft, eventOf, newEvent, withEvents } from './drafts.ts';
import { EventDetails } from './EventDetails.tsx';
import { type EventPartProperties, EventPlace } from './EventPlace.tsx';
import classes from './events.module.css';

/** An incomplete event being typed: the document keeps its previous one, `base`, as JSON. */
interface Unfinished {
  readonly base: string;
  readonly draft: EventDraft;
}

/** Maximum of a document. */
const MOST = 20;

type Properties = Pick<StepProperties, 'experiment' | 'state' | 'edit'> & { onInvalid(count: number): void };

/** Events at a second of each trial, a row each. */
export function EventsPanel({ experiment, state, edit, onInvalid }: Properties) {
  const events = experiment.measure.events ?? [];
  const [typed, setTyped] = useState<Readonly<Record<number, Unfinished>>>({});
  const add = useRef<HTMLButtonElement>(null);
  const draftAt = (event: ScenarioEvent, place: number): EventDraft | undefined => {
    const unfinished = typed[place];
    return unfinished?.base === JSON.stringify(event) ? unfinished.draft : undefined;
  };
  const invalid = events.filter((event, place) => {
    const draft = draftAt(event, place);
    return draft !== undefined && 'wrong' in eventOf(draft);
  }).length;
  useEffect(() => {
    onInvalid(invalid);
    return () => onInvalid(0);
  }, [onInvalid, invalid]);

  const change = (event: ScenarioEvent, place: number, draft: EventDraft): void => {
    const read = eventOf(draft);
    const next = 'event' in read ? read.event : event;
    setTyped((before) => ({ ...before, [place]: { base: JSON.stringify(next), draft } }));
    if ('event' in read) edit((now) => withEvents(now, replacedAt(now.measure.events ?? [], place, read.event)));
  };
  const remove = (place: number): void => {
    // The pressed button is gone, so the keyboard focus would be lost.
    add.current?.focus();
    setTyped({});
    edit((now) =>
      withEvents(
        now,
        (now.measure.events ?? []).filter((_, index) => index !== place),
      ),
    );
  };
  const problems = problemsBelow(state.checked?.problems ?? [], 'measure');
  return (
    <Fold
      title="Events of a trial"
      note={events.length === 0 ? 'none' : formatCount(events.length, 'event')}
      open={invalid > 0 || events.some((_, place) => Object.keys(problemsOf(problems, place)).length > 0)}
    >
      {events.length > 0 ? (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Second</th>
              <th scope="col">Action</th>
              <th scope="col">Details</th>
              <th scope="col">Where</th>
              <th scope="col">
                <span className="kp-visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {events.map((event, place) => (
              <EventRow
                // biome-ignore lint/suspicious/noArrayIndexKey: nothing else of an event is constant while it is edited
                key={place}
                number={place + 1}
                experiment={experiment}
                draft={draftAt(event, place) ?? draftOf(event)}
                problems={problemsOf(problems, place)}
                onChange={(draft) => change(event, place, draft)}
                onRemove={() => remove(place)}
              />
            ))}
          </tbody>
        </table>
      ) : (
        <p className={classes.words}>
          No events yet. Add one to measure the effect of a restart, kill, setting, statement or command.
        </p>
      )}
      {events.length > 0 ? (
        <p className={classes.words}>
          Seconds count from the start of the tool, including warm-up. The findings of the run report the depth of the
          dip and the recovery time.
        </p>
      ) : null}
      <Button
        ref={add}
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={events.length >= MOST}
        onClick={() => edit((now) => withEvents(now, [...(now.measure.events ?? []), newEvent(now)]))}
      >
        Add an event
      </Button>
    </Fold>
  );
}

const replacedAt = (events: readonly ScenarioEvent[], place: number, event: ScenarioEvent): ScenarioEvent[] =>
  Object.assign([...events], { [place]: event });

/** Messages of one event, by its part; '' for those of the whole. */
function problemsOf(problems: Readonly<Record<string, string>>, place: number): Record<string, string> {
  const own = `events.${place}`;
  return Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path === own ? [['', message]] : path.startsWith(`${own}.`) ? [[path.slice(own.length + 1), message]] : [],
    ),
  );
}

interface EventRowProperties extends Omit<EventPartProperties, 'problem'> {
  /** Messages of the document's check by the part they belong to. */
  problems: Readonly<Record<string, string>>;
  onRemove(): void;
}

const KINDS = Object.entries(EVENT_TITLES).map(([value, label]) => ({ value, label }));
const isKind = (value: string | null): value is ScenarioEvent['do'] => value !== null && value in EVENT_TITLES;

/** One event: problems are shown as soon as a field was left, or another kind was selected. */
function EventRow({ number, experiment, draft, problems, onChange, onRemove }: EventRowProperties) {
  const [touched, setTouched] = useState(false);
  const read = eventOf(draft);
  const wrong = 'wrong' in read && touched ? read.wrong : {};
  const problem = (part: string): string | undefined => wrong[part] ?? problems[part];
  const parts = { number, experiment, draft, onChange, problem };
  return (
    <tr className={classes.row} onBlur={() => setTouched(true)}>
      <td className={classes.second}>
        <TextInput
          aria-label={`Second of event ${number}`}
          value={draft.at}
          error={problem('at')}
          rightSection={<span className="kp-small">s</span>}
          onChange={(event) => onChange({ ...draft, at: event.currentTarget.value })}
        />
      </td>
      <td className={classes.kind}>
        <Select
          aria-label={`What event ${number} does`}
          data={KINDS}
          value={draft.do}
          allowDeselect={false}
          error={problem('do')}
          onChange={(chosen) => {
            if (isKind(chosen)) onChange(otherKind(draft, chosen));
          }}
        />
      </td>
      <td>
        <EventDetails {...parts} />
        {problems[''] === undefined ? null : <p className={classes.problem}>{problems['']}</p>}
      </td>
      <td className={classes.place}>
        <EventPlace {...parts} />
      </td>
      <td className={classes.remove}>
        <IconAction label={`Remove event ${number}`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.6} />
        </IconAction>
      </td>
    </tr>
  );
}

/** Fields of one kind are kept until it is selected again; a place of a server does not apply to a host. */
function otherKind({ on: _on, setting: _setting, ...draft }: EventDraft, kind: ScenarioEvent['do']): EventDraft {
  return { ...draft, do: kind };
}
