import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Fix } from '../../../../../shared/contract/experiments.ts';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import { isOpenFolder, savedFolders, withFolder } from '../../../../../shared/model/open-folders.ts';
import { withPlace } from '../../../../../shared/model/places.ts';
import type { ToolInfo } from '../../../../../shared/model/tool.ts';
import { useAction, useCall } from '../../../../client/index.ts';
import { FolderPicker } from '../../../../domain/index.ts';
import { PasswordForm, UnlockButton } from '../../../../domain/problems.tsx';
import { CopyText } from '../../../../ui/index.ts';
import { withTested } from '../../document/document.ts';
import type { StepProperties } from '../../document/steps.ts';
import { AddPlace, kindsFor } from '../../places/AddPlace.tsx';
import type { Remedy } from './remedies.ts';
import classes from './review.module.css';

export interface Fixing {
  readonly experiment: Experiment;
  readonly tool: ToolInfo | undefined;
  readonly edit: StepProperties['edit'];
  /** Checks again. */
  readonly retry: () => void;
}

type Of<Kind extends Fix['kind']> = Extract<Fix, { kind: Kind }>;

/** The fix of a line, next to it. */
export function FixControl({ fix, ...fixing }: Fixing & { fix: Remedy }) {
  const [here] = useLocation();
  switch (fix.kind) {
    case 'password':
      return (
        <>
          <PasswordForm {...{ [fix.place]: fix.name }} onSaved={fixing.retry} />
          <OpenPlace {...fix} />
        </>
      );
    case 'open-vault':
      return <UnlockButton onUnlocked={fixing.retry} />;
    case 'allow-cleartext':
      return <AllowCleartext target={fix.target} onSaved={fixing.retry} />;
    case 'install':
    case 'shell':
      return (
        <>
          <code className={classes.command}>{fix.command}</code>
          <CopyText text={fix.command} label="Copy the command" />
        </>
      );
    case 'tested':
      return fix.names.map((name) => (
        <Act
          key={name}
          words={name}
          onAct={() => {
            fixing.edit((now) => withTested(now, name));
            fixing.retry();
          }}
        />
      ));
    case 'step':
      return <Link href={siblingPath(here, fix.step)}>{fix.words}</Link>;
    case 'change':
      return (
        <Act
          words={fix.words}
          onAct={() => {
            fixing.edit(fix.change);
            fixing.retry();
          }}
        />
      );
    case 'path':
      return <AnotherPath fix={fix} {...fixing} />;
    case 'add':
      return <AnotherPlace fix={fix} {...fixing} />;
    case 'generator':
      return (
        <Act
          words={`Measure from ${fix.host}`}
          onAct={() => {
            fixing.edit((now) => ({ ...now, where: { ...now.where, generators: [fix.host] } }));
            fixing.retry();
          }}
        />
      );
    case 'open':
      return <OpenPlace {...fix} />;
    case 'session':
      return <Link href={`/sessions/${fix.id}/live`}>Open session {fix.id}</Link>;
  }
}

const Act = ({ words, busy = false, onAct }: { words: string; busy?: boolean; onAct(): void }) => (
  <Button size="xs" variant="default" loading={busy} onClick={onAct}>
    {words}
  </Button>
);

function AllowCleartext({ target, onSaved }: { target: string; onSaved(): void }) {
  const found = useCall('targets.list', {}).data?.find(({ spec }) => spec.name === target);
  const save = useAction('targets.save', { onSuccess: onSaved });
  if (!found) return null;
  const { id, spec } = found;
  const config = { ...spec.config, allowCleartextPassword: true };
  return (
    <>
      <Act
        words={`Allow cleartext for ${target}`}
        busy={save.isPending}
        onAct={() => save.mutate({ id, spec: { ...spec, config } })}
      />
      <OpenPlace place="target" name={target} />
      {save.error && <span role="alert">{save.error.problem.message}</span>}
    </>
  );
}

/** Link to where a host or target is corrected. */
function OpenPlace({ place, name }: Pick<Of<'open'>, 'place' | 'name'>) {
  const hosts = useCall('hosts.list', {}, { enabled: place === 'host' }).data;
  const targets = useCall('targets.list', {}, { enabled: place === 'target' }).data;
  const found = (place === 'host' ? hosts : targets)?.find(({ spec }) => spec.name === name);
  return found ? <Link href={`/${place}s/${found.id}`}>Open {name}</Link> : null;
}

const siblingPath = (here: string, step: string): string => here.replace(/[^/]*$/, step);

function AnotherPath({ fix: { option, path, folder }, experiment, edit, retry }: Fixing & { fix: Of<'path'> }) {
  const [here] = useLocation();
  const isOpen = isOpenFolder(path);
  const [typed, setTyped] = useState(isOpen ? '' : path);
  const factor = experiment.factors.find((each) => each.kind === 'option' && optionOf(each) === option);
  const set = (chosen: string): void => {
    edit((now) =>
      isOpen
        ? withFolder(now, path, chosen)
        : { ...now, workload: { ...now.workload, options: { ...now.workload.options, [option]: chosen } } },
    );
    retry();
  };
  if (factor && !isOpen) return <Link href={siblingPath(here, 'matrix')}>Change the levels of {factor.name}</Link>;
  const use = (event: FormEvent): void => {
    event.preventDefault();
    set(typed.trim());
  };
  return (
    <form className={classes.fixForm} onSubmit={use}>
      {isOpen && folder !== undefined ? <SavedFolders host={folder} experiment={experiment} onUse={set} /> : null}
      <TextInput
        size="xs"
        w={280}
        aria-label={`Another path for ${option}`}
        placeholder="/path/of/a/folder"
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {folder === undefined ? null : <FolderPicker host={folder} value={typed} floating onChoose={set} />}
      <Button size="xs" type="submit" variant="default" disabled={typed.trim() === '' || typed.trim() === path}>
        Use this path
      </Button>
    </form>
  );
}

/** Hosts, targets or folders that are offered by one click each. */
const FEW = 2;

/** Saved names to use: a few as a button each, more as a list. */
function SavedNames({
  names,
  what,
  label,
  onUse,
}: {
  names: readonly string[];
  what: string;
  label: string;
  onUse(name: string): void;
}) {
  if (names.length <= FEW)
    return names.map((name) => <Act key={name} words={`Use ${name}`} onAct={() => onUse(name)} />);
  return (
    <Select
      size="xs"
      w={220}
      aria-label={label}
      placeholder={what}
      data={[...names]}
      value={null}
      onChange={(name) => name !== null && onUse(name)}
    />
  );
}

interface FolderProperties {
  /** The host that has the folder. */
  host: string;
  experiment: Experiment;
  /** For a list: the folder that is chosen. */
  label?: string | undefined;
  onUse(path: string): void;
}

/** The saved storage paths of a host. */
export function SavedFolders({ host, experiment, label = 'Storage path', onUse }: FolderProperties) {
  const targets = useCall('targets.list', {}).data ?? [];
  const kinds = useCall('targets.kinds', {}).data ?? [];
  const folders = savedFolders(targets, kinds, host, experiment);
  const use = (chosen: string): void => {
    const path = folders.find(({ name }) => name === chosen)?.path;
    if (path !== undefined) onUse(path);
  };
  return <SavedNames names={folders.map(({ name }) => name)} what="A saved storage path" label={label} onUse={use} />;
}

/** Selects another host or target to replace an unsaved one, or adds it. */
export function AnotherPlace({ fix: { place, name }, experiment, tool, edit, retry }: Fixing & { fix: Of<'add'> }) {
  const hosts = useCall('hosts.list', {}, { enabled: place === 'host' }).data;
  const targets = useCall('targets.list', {}, { enabled: place === 'target' }).data;
  const known = useCall('targets.kinds', {}, { enabled: place === 'target' }).data ?? [];
  const kinds = kindsFor(tool, experiment, known);
  const fitting = place === 'host' ? hosts : targets?.filter(({ spec }) => kinds?.includes(spec.kind) ?? true);
  const names = (fitting ?? []).map(({ spec }) => spec.name);
  const canPick = isPickable(experiment, place, name);
  const use = (chosen: string): void => {
    if (chosen !== name) edit((now) => withPlace(now, { place, name }, chosen));
    retry();
  };
  return (
    <>
      {canPick && (
        <SavedNames {...{ names }} what={`Another ${place}`} label={`Another ${place} for ${name}`} onUse={use} />
      )}
      <AddPlace place={place} name={name} kinds={kinds} onAdded={use} />
    </>
  );
}

/** Whether the document names it where it can be replaced: as the only place of its kind, or as a level. */
function isPickable({ where, factors }: Experiment, place: Of<'add'>['place'], name: string): boolean {
  if (place === 'host') return where.generators.includes(name);
  return where.target === name || factors.some(({ kind, levels }) => kind === 'target' && levels.includes(name));
}
