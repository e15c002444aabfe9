import { Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { EVENT_TITLES, type ScenarioEvent } from '../../../../../../shared/model/scenario.ts';
import { IconAction } from '../../../../../ui/index.ts';
import { type EventDraft, eventOf } from './drafts.ts';
import { EventDetails } from './EventDetails.tsx';
import { type EventPartProperties, EventPlace } from './EventPlace.tsx';
import classes from './events.module.css';

export interface EventRowProperties extends Omit<EventPartProperties, 'problem'> {
  /** Messages of the document's check by the part they belong to. */
  problems: Readonly<Record<string, string>>;
  onRemove(): void;
}

const KINDS = Object.entries(EVENT_TITLES).map(([value, label]) => ({ value, label }));
const isKind = (value: string | null): value is ScenarioEvent['do'] => value !== null && value in EVENT_TITLES;

/** One event: problems are shown as soon as a field was left, or another kind was selected. */
export function EventRow({ number, experiment, draft, problems, onChange, onRemove }: EventRowProperties) {
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
