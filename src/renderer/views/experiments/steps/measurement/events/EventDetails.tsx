import { Autocomplete, Select, Textarea, TextInput } from '@mantine/core';
import type { FactorKindInfo } from '../../../../../../shared/model/factor.ts';
import { useCall } from '../../../../../client/index.ts';
import { readFields } from '../../../../../forms/index.ts';
import { useServerSettings } from '../../../document/useServerSettings.ts';
import type { EventPartProperties } from './EventPlace.tsx';
import classes from './events.module.css';

const NO_KINDS: readonly FactorKindInfo[] = [];
const MOST_ROWS = 6;

/** Statement, command or setting, by the kind of the event. */
export function EventDetails(properties: EventPartProperties) {
  switch (properties.draft.do) {
    case 'statement':
      return <Code {...properties} part="statement" hint="Sent by Kneepoint" words="Statement" />;
    case 'run':
      return <Code {...properties} part="command" hint="Run by sh" words="Command" />;
    case 'server-setting':
      return <ServerSetting {...properties} />;
    case 'host-setting':
      return <HostSetting {...properties} />;
    default:
      return <span className={classes.fixed}>with the target’s server control</span>;
  }
}

function Code({
  number,
  draft,
  onChange,
  problem,
  part,
  words,
  hint,
}: EventPartProperties & { part: 'statement' | 'command'; words: string; hint: string }) {
  const text = draft[part] ?? '';
  return (
    <Textarea
      aria-label={`${words} of event ${number}`}
      placeholder={hint}
      rows={Math.min(MOST_ROWS, text.split('\n').length)}
      classNames={{ input: 'kp-mono' }}
      value={text}
      error={problem(part)}
      onChange={(event) => onChange({ ...draft, [part]: event.currentTarget.value })}
    />
  );
}

const Value = ({ number, draft, onChange, problem }: EventPartProperties) => (
  <TextInput
    aria-label={`Value of event ${number}`}
    placeholder="Value"
    className={classes.value ?? ''}
    spellCheck={false}
    value={draft.value ?? ''}
    error={problem('value')}
    onChange={(event) => onChange({ ...draft, value: event.currentTarget.value })}
  />
);

const MOST_SHOWN = 80;

/** Offers the names that the server reports; any other can be typed. */
function ServerSetting(properties: EventPartProperties) {
  const { number, experiment, draft, onChange, problem } = properties;
  const targets = useCall('targets.list', {}).data ?? [];
  const { suggestions } = useServerSettings({ experiment, targets }, draft.on);
  return (
    <div className={classes.setting}>
      <Autocomplete
        aria-label={`Setting of event ${number}`}
        placeholder={suggestions.length > 0 ? `Search ${suggestions.length} settings` : 'Name of a setting'}
        spellCheck={false}
        limit={MOST_SHOWN}
        data={suggestions.map(({ name }) => name)}
        value={draft.setting ?? ''}
        error={problem('setting')}
        onChange={(setting) => onChange({ ...draft, setting })}
      />
      <Value {...properties} />
    </div>
  );
}

/** Settings that a factor of this kind varies, except commands: these are a separate event. */
function HostSetting(properties: EventPartProperties) {
  const { number, draft, onChange, problem } = properties;
  const { data: kinds = NO_KINDS } = useCall('experiments.factorKinds', {});
  const kind = kinds.find((each) => each.kind === draft.do);
  const shape = readFields(kind?.schema ?? {}).find(({ name }) => name === 'setting')?.shape;
  const known = shape?.kind === 'choice' ? shape.choices.map(String) : [];
  const names = [
    ...new Set([...known.filter((name) => name !== 'commands'), ...(draft.setting ? [draft.setting] : [])]),
  ];
  return (
    <div className={classes.setting}>
      <Select
        aria-label={`Setting of event ${number}`}
        placeholder="Choose a setting"
        searchable
        data={names}
        value={draft.setting ?? null}
        error={problem('setting')}
        onChange={(setting) => onChange({ ...draft, setting: setting ?? '' })}
      />
      <TextInput
        aria-label={`Object of the setting of event ${number}`}
        placeholder="Parameter, device …"
        spellCheck={false}
        value={draft.of ?? ''}
        error={problem('of')}
        onChange={(event) => onChange({ ...draft, of: event.currentTarget.value })}
      />
      <Value {...properties} />
    </div>
  );
}
