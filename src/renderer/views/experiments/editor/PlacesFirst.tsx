import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import { isOnlyFolder, openFolderWords, withFolder } from '../../../../shared/model/open-folders.ts';
import type { NamedPlace } from '../../../../shared/model/places.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { useCall } from '../../../client/index.ts';
import { FolderPicker } from '../../../domain/index.ts';
import { Panel } from '../../../ui/index.ts';
import type { StepProperties } from '../document/steps.ts';
import { AddPlace, kindsFor } from '../places/AddPlace.tsx';
import { AnotherPlace, SavedFolders } from '../steps/review/FixControl.tsx';
import classes from './editor.module.css';

interface Properties {
  /** It needs a target and names none. */
  open: boolean;
  missing: readonly NamedPlace[];
  /** Folders that it leaves open. */
  folders: readonly string[];
  experiment: Experiment;
  tools: readonly ToolInfo[];
  edit: StepProperties['edit'];
}

/** Asks first for the targets, hosts and folders of a template: open ones, and those that are not saved here. */
export function PlacesFirst({ missing, open, folders, experiment, tools, edit }: Properties) {
  const tool = tools.find(({ id }) => id === experiment.workload.tool);
  return (
    <Panel
      title="Choose where it runs"
      note={missing.length > 0 || open ? 'Not saved here: choose your own, or add them' : 'Not set by the template'}
      flush
    >
      <ul className={classes.missing}>
        {open && <OpenTarget {...{ tool, experiment, edit }} />}
        {missing.map(({ place, name }) => (
          <li key={`${place} ${name}`}>
            <span>
              {place === 'target' ? 'Target' : 'Host'} <b>{name}</b>
            </span>
            <AnotherPlace fix={{ kind: 'add', place, name }} {...{ experiment, tool, edit }} retry={() => undefined} />
          </li>
        ))}
        {folders.map((folder) => (
          <OpenFolder key={folder} {...{ folder, experiment, edit }} />
        ))}
      </ul>
    </Panel>
  );
}

/** A folder on the host that runs the tool: a saved storage path, or typed or picked there. */
function OpenFolder({ folder, experiment, edit }: Pick<Properties, 'experiment' | 'edit'> & { folder: string }) {
  const [typed, setTyped] = useState('');
  const host = experiment.where.generators[0] ?? LOCAL_HOST_NAME;
  const words = isOnlyFolder(folder) ? undefined : openFolderWords(folder);
  const choose = (chosen: string): void => edit((now) => withFolder(now, folder, chosen));
  return (
    <li>
      <span>
        Folder {words === undefined ? null : <b>{words}</b>} on {host}
      </span>
      <form
        className={classes.folder}
        onSubmit={(event) => {
          event.preventDefault();
          choose(typed.trim());
        }}
      >
        <SavedFolders
          {...{ host, experiment }}
          label={`Storage path${words === undefined ? '' : `, ${words}`}`}
          onUse={choose}
        />
        <TextInput
          size="xs"
          w={220}
          aria-label={words === undefined ? 'Folder' : `Folder ${words}`}
          placeholder="/path/of/a/folder"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <FolderPicker host={host} value={typed} floating onChoose={choose} />
        <Button size="xs" variant="default" type="submit" disabled={!typed.trim().startsWith('/')}>
          Use
        </Button>
      </form>
    </li>
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
      {fitting.length > 1 && (
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
      {fitting.length === 1 && fitting[0] && <UseOnly name={fitting[0].spec.name} onUse={choose} />}
      <AddPlace place="target" kinds={kinds} onAdded={choose} />
    </li>
  );
}

/** The only one that fits, with one click. */
const UseOnly = ({ name, onUse }: { name: string; onUse(name: string): void }) => (
  <Button size="xs" onClick={() => onUse(name)}>
    Use {name}
  </Button>
);
