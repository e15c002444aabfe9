import { Button, Checkbox } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Host } from '../../../../../shared/model/host.ts';
import { useHostLinks } from '../../../../client/index.ts';
import { Panel, TableSkeleton } from '../../../../ui/index.ts';
import { PickList } from './PickList.tsx';
import { hostItem } from './placeWords.tsx';
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
  return (
    <Panel
      title="Generator"
      note="The host that runs the tool"
      flush
      actions={<AddLink to="/hosts/new" words="Add a host" />}
    >
      {hosts ? (
        <>
          <PickList
            label="Generator"
            items={hosts.map((host) => hostItem(host, links))}
            chosen={first}
            onChoose={(name) => onChange([name, ...further.filter((other) => other !== name)])}
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
  /** Every host that could help: all but the first generator. */
  hosts: readonly string[];
  chosen: readonly string[];
  onChoose(names: string[]): void;
}

/** Hosts that make the load together with the first one. */
function FurtherGenerators({ hosts, chosen, onChoose }: FurtherGeneratorsProperties) {
  return (
    <Checkbox.Group
      className={classes.further}
      label="Additional generators"
      description="The load of each trial is divided between all of them, and they start together."
      value={[...chosen]}
      onChange={(names) => onChoose(names)}
    >
      {hosts.map((name) => (
        <Checkbox key={name} value={name} label={name} />
      ))}
    </Checkbox.Group>
  );
}

export const AddLink = ({ to, words }: { to: string; words: string }) => (
  <Button
    component={Link}
    href={to}
    size="compact-sm"
    variant="subtle"
    color="gray"
    leftSection={<IconPlus size={14} />}
  >
    {words}
  </Button>
);
