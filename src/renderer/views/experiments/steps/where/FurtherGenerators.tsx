import { Checkbox } from '@mantine/core';
import classes from './where.module.css';

interface Properties {
  /** Every host that could help: all but the first generator. */
  hosts: readonly string[];
  chosen: readonly string[];
  onChoose(names: string[]): void;
}

/** Hosts that make the load together with the first one. */
export function FurtherGenerators({ hosts, chosen, onChoose }: Properties) {
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
