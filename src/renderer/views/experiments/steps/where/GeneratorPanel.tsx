import { Checkbox, Radio } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Host } from '../../../../../shared/model/host.ts';
import { useHostLinks } from '../../../../client/index.ts';
import { Panel, TableSkeleton } from '../../../../ui/index.ts';
import { AddPlace } from '../../places/AddPlace.tsx';
import { hostItem } from './places.tsx';
import classes from './where.module.css';

interface Properties {
  hosts: readonly Host[] | undefined;
  generators: readonly string[];
  /** Whether the tool can divide its load between several hosts. */
  divides: boolean;
  onChange(generators: string[]): void;
}

/** The first generator, and those that share the load with it. */
export function GeneratorPanel({ hosts, generators: [first = '', ...further], divides, onChange }: Properties) {
  const links = useHostLinks();
  const choose = (name: string): void => onChange([name, ...further.filter((other) => other !== name)]);
  return (
    <Panel
      title="Generator"
      note="The host that runs the tool"
      flush
      actions={<AddPlace place="host" inHead onAdded={choose} />}
    >
      {hosts ? (
        <>
          <PickList
            label="Generator"
            items={hosts.map((host) => hostItem(host, links))}
            chosen={first}
            onChoose={choose}
          />
          {further.length > 0 || (divides && hosts.length > 1) ? (
            <FurtherGenerators
              hosts={hosts.map(({ spec }) => spec.name).filter((name) => name !== first)}
              chosen={further}
              onChoose={(names) => onChange([first, ...names])}
            />
          ) : null}
        </>
      ) : (
        <TableSkeleton rows={3} />
      )}
    </Panel>
  );
}

interface FurtherGeneratorsProperties {
  /** Every host that could share the load: all except the first generator. */
  hosts: readonly string[];
  chosen: readonly string[];
  onChoose(names: string[]): void;
}

/** Hosts that generate load together with the first one. */
function FurtherGenerators({ hosts, chosen, onChoose }: FurtherGeneratorsProperties) {
  return (
    <Checkbox.Group
      className={classes.further}
      label="Additional generators"
      description="The load is divided between all generators, which start together."
      value={[...chosen]}
      onChange={(names) => onChoose(names)}
    >
      {hosts.map((name) => (
        <Checkbox key={name} value={name} label={name} />
      ))}
    </Checkbox.Group>
  );
}

interface Item {
  name: string;
  title: string;
  words: string;
  aside?: ReactNode;
}

/** Selects one of a few, or of many in a list that scrolls, with distinguishing details. The selected one is visible at first. */
export function PickList({
  label,
  items,
  chosen,
  onChoose,
}: {
  label: string;
  items: readonly Item[];
  chosen: string;
  onChoose(name: string): void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const picked = list.current?.querySelector<HTMLElement>('[data-chosen]');
    if (list.current && picked) list.current.scrollTop = picked.offsetTop - picked.offsetHeight;
  }, []);
  return (
    <Radio.Group
      ref={list}
      className={classes.picks ?? ''}
      label={label}
      labelProps={{ className: 'kp-visually-hidden' }}
      value={chosen}
      onChange={onChoose}
    >
      {items.map(({ name, title, words, aside }) => (
        <label key={name} htmlFor={`${id}-${name}`} className={classes.pick} data-chosen={name === chosen || undefined}>
          <Radio id={`${id}-${name}`} value={name} aria-label={title} />
          <span>
            <strong>{title}</strong>
            <span className="kp-small">{words}</span>
          </span>
          {aside}
        </label>
      ))}
    </Radio.Group>
  );
}
