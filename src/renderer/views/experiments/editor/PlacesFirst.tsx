import { Select } from '@mantine/core';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { NamedPlace } from '../../../../shared/model/places.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { useCall } from '../../../client/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { StepProperties } from '../document/stepProperties.ts';
import { AddPlace } from '../places/AddPlace.tsx';
import { kindsFor } from '../places/kinds.ts';
import { AnotherPlace } from '../steps/review/FixControl.tsx';
import classes from './editor.module.css';

interface Properties {
  /** It needs a target and names none. */
  open: boolean;
  missing: readonly NamedPlace[];
  experiment: Experiment;
  tools: readonly ToolInfo[];
  edit: StepProperties['edit'];
}

/** Asks first for the targets and hosts of a template: those that it leaves open, and those it names that are not saved here. */
export function PlacesFirst({ missing, open, experiment, tools, edit }: Properties) {
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return (
    <Panel title="Choose where it runs" note="Not saved here: pick your own, or add them" flush>
      <ul className={classes.missing}>
        {open && <OpenTarget {...{ tool, experiment, edit }} />}
        {missing.map(({ place, name }) => (
          <li key={`${place} ${name}`}>
            <span>
              {place === 'target' ? 'Target' : 'Host'} <b>{name}</b>
            </span>
            <AnotherPlace fix={{ kind: 'add', place, name }} {...{ experiment, tool, edit }} again={() => undefined} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface OpenProperties extends Pick<Properties, 'experiment' | 'edit'> {
  tool: ToolInfo | undefined;
}

function OpenTarget({ tool, experiment, edit }: OpenProperties) {
  const saved = useCall('targets.list', {}).data ?? [];
  const known = useCall('targets.kinds', {}).data ?? [];
  const kinds = kindsFor(tool, experiment, known);
  const fitting = saved.filter(({ spec }) => kinds === undefined || kinds.includes(spec.kind));
  const choose = (target: string): void => edit((now) => ({ ...now, where: { ...now.where, target } }));
  return (
    <li>
      <span>Target: not chosen yet</span>
      {fitting.length > 0 && (
        <Select
          size="xs"
          w={220}
          aria-label="Target of the experiment"
          placeholder="A target"
          data={fitting.map(({ spec }) => spec.name)}
          value={null}
          onChange={(target) => target !== null && choose(target)}
        />
      )}
      <AddPlace place="target" kinds={kinds} onAdded={choose} />
    </li>
  );
}
