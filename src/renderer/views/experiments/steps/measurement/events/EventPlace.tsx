import { Select } from '@mantine/core';
import type { Experiment } from '../../../../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../../../../shared/model/host.ts';
import { useCall } from '../../../../../client/index.ts';
import type { EventDraft } from './drafts.ts';
import classes from './events.module.css';

/** Properties of a part of a row. */
export interface EventPartProperties {
  /** From 1. */
  number: number;
  experiment: Experiment;
  draft: EventDraft;
  onChange(draft: EventDraft): void;
  /** The problem of one of its fields. */
  problem(part: string): string | undefined;
}

/** Default place of a host setting: as in the document. */
const TARGET = 'target';

/** The target or host of the event. */
export function EventPlace(properties: EventPartProperties) {
  switch (properties.draft.do) {
    case 'run':
      return <HostOfCommand {...properties} />;
    case 'server-setting':
      return <OtherTarget {...properties} />;
    case 'host-setting':
      return <HostOfSetting {...properties} />;
    default: {
      return <span className={classes.fixed}>{targetOf(properties.experiment) ?? 'the target of the trial'}</span>;
    }
  }
}

/** The target of every trial; undefined if a factor selects it. */
const targetOf = ({ where, factors }: Experiment): string | undefined =>
  factors.some(({ kind }) => kind === 'target') ? undefined : where.target;

const without = <K extends keyof EventDraft>(draft: EventDraft, part: K): Omit<EventDraft, K> => {
  const { [part]: _part, ...rest } = draft;
  return rest;
};

function useHostNames(also: string | undefined): string[] {
  const hosts = useCall('hosts.list', {}).data ?? [];
  return [...new Set([LOCAL_HOST_NAME, ...hosts.map(({ spec }) => spec.name), ...(also === undefined ? [] : [also])])];
}

function HostOfCommand({ number, draft, onChange, problem }: EventPartProperties) {
  return (
    <Select
      aria-label={`Host of event ${number}`}
      placeholder="Server host"
      clearable
      data={useHostNames(draft.host)}
      value={draft.host ?? null}
      error={problem('host')}
      onChange={(host) => onChange(host === null ? without(draft, 'host') : { ...draft, host })}
    />
  );
}

function OtherTarget({ number, experiment, draft, onChange, problem }: EventPartProperties) {
  const targets = useCall('targets.list', {}).data ?? [];
  const names = [...new Set([...targets.map(({ spec }) => spec.name), ...(draft.on === undefined ? [] : [draft.on])])];
  return (
    <Select
      aria-label={`Target of event ${number}`}
      placeholder={targetOf(experiment) ?? 'The target of the trial'}
      clearable
      data={names}
      value={draft.on ?? null}
      error={problem('on')}
      onChange={(on) => onChange(on === null ? without(draft, 'on') : { ...draft, on })}
    />
  );
}

function HostOfSetting({ number, draft, onChange, problem }: EventPartProperties) {
  const named = draft.on === undefined || draft.on === 'generators' ? undefined : draft.on;
  const hosts = useHostNames(named).filter((name) => name !== TARGET);
  return (
    <Select
      aria-label={`Host of event ${number}`}
      allowDeselect={false}
      data={[
        { value: TARGET, label: 'Server host' },
        { value: 'generators', label: 'The generators' },
        ...hosts.map((name) => ({ value: name, label: name })),
      ]}
      value={draft.on ?? TARGET}
      error={problem('on')}
      onChange={(on) => onChange(on === null || on === TARGET ? without(draft, 'on') : { ...draft, on })}
    />
  );
}
