import { Select } from '@mantine/core';
import { useRef } from 'react';
import { LOCAL_HOST_NAME } from '../../../../../../shared/model/host.ts';
import { useCall } from '../../../../../client/index.ts';
import { Fold } from '../../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../../document/steps.ts';
import { replaced } from '../monitors/monitors.ts';
import { CaptureFields } from './CaptureFields.tsx';
import classes from './captures.module.css';
import { MOST, named, ownCapture, readyFor, SOURCES, withCaptures } from './captures.ts';

/** Text and tables that are stored for each run: ready-made captures to choose, and custom ones. */
export function CapturesPanel({ experiment, state, edit }: Pick<StepProperties, 'experiment' | 'state' | 'edit'>) {
  const captures = experiment.captures ?? [];
  const hosts = useCall('hosts.list', {}).data ?? [];
  const kinds = useCall('targets.kinds', {}).data ?? [];
  const targets = useCall('targets.list', {}).data ?? [];
  const add = useRef<HTMLInputElement>(null);
  const names = [...new Set([LOCAL_HOST_NAME, ...hosts.map(({ spec }) => spec.name)])];
  const problems = problemsBelow(state.checked?.problems ?? [], 'captures');
  const meant = [
    experiment.where.target,
    ...experiment.factors.filter(({ kind }) => kind === 'target').flatMap(({ levels }) => levels.map(String)),
  ];
  const targetKinds = targets.flatMap(({ spec }) => (meant.includes(spec.name) ? [spec.kind] : []));
  const groups = readyFor(kinds, targetKinds);
  const ready = groups.flatMap(({ family, ready: all }) =>
    all.map(({ description, capture }) => ({ value: `${family}: ${capture.name}`, family, description, capture })),
  );
  const choices = [
    ...groups.map(({ family, ready: all }) => ({
      group: family,
      items: all.map(({ capture }) => ({ value: `${family}: ${capture.name}`, label: capture.name })),
    })),
    {
      group: 'Custom',
      items: Object.entries(SOURCES).map(([value, label]) => ({ value, label: `Custom ${label.toLowerCase()}` })),
    },
  ];
  const addChosen = (value: string | null): void => {
    const found = ready.find((each) => each.value === value)?.capture ?? ownOf(value);
    if (found) edit((now) => withCaptures(now, [...(now.captures ?? []), named(found, now.captures ?? [])]));
  };
  return (
    <Fold
      title="Captures"
      note={captures.length === 0 ? 'none' : captures.map(({ name }) => name).join(', ')}
      open={Object.keys(problems).length > 0}
    >
      <div className={classes.list}>
        {captures.length === 0 ? (
          <p className={classes.words}>
            No captures yet. Add one to store text or tables of each run: the process list in a stall, statements per
            operation.
          </p>
        ) : null}
        {captures.map((capture, place) => (
          <CaptureFields
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is typed, and the index is its only identity
            key={place}
            capture={capture}
            hosts={[...new Set([...names, ...(capture.host === undefined ? [] : [capture.host])])]}
            problems={problemsOf(problems, place)}
            onChange={(next) => {
              if (!next) add.current?.focus();
              edit((now) => withCaptures(now, replaced(now.captures ?? [], place, next)));
            }}
          />
        ))}
        <Select
          ref={add}
          aria-label="Add a capture"
          placeholder="Add a capture"
          w={360}
          maxDropdownHeight={360}
          searchable
          disabled={captures.length >= MOST}
          data={choices}
          value={null}
          onChange={addChosen}
          renderOption={({ option }) => (
            <span className={classes.option}>
              <span>{option.label}</span>
              <span className="kp-small">{ready.find(({ value }) => value === option.value)?.description}</span>
            </span>
          )}
        />
      </div>
    </Fold>
  );
}

function ownOf(value: string | null) {
  const source = Object.keys(SOURCES).find((each) => each === value);
  return source === undefined ? undefined : ownCapture(source as keyof typeof SOURCES);
}

/** Messages of one capture, by its part; '' for those of the whole. */
function problemsOf(problems: Readonly<Record<string, string>>, place: number): Record<string, string> {
  const own = String(place);
  return Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path === own ? [['', message]] : path.startsWith(`${own}.`) ? [[path.slice(own.length + 1), message]] : [],
    ),
  );
}
