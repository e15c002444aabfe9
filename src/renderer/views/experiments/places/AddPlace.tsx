import { Button, Drawer } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../../shared/model/experiment.ts';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import type { TargetKindInfo } from '../../../../shared/model/target.ts';
import type { ToolInfo } from '../../../../shared/model/tool.ts';
import { useCall } from '../../../client/index.ts';
import { BlockSkeleton, ProblemBanner } from '../../../ui/index.ts';
import { HostForm } from '../../hosts/form/HostForm.tsx';
import { TargetForm } from '../../targets/index.tsx';
import classes from './places.module.css';

interface Properties {
  place: 'host' | 'target';
  /** Name that a document already uses. */
  name?: string;
  /** Suitable kinds of targets; absent: all. */
  kinds?: readonly string[] | undefined;
  /** Whether it is an action of a panel. */
  inHead?: boolean;
  /** Called with the name under which it was saved. */
  onAdded(name: string): void;
}

/** Adds a host or a target with the form of its page while the document stays open. */
export function AddPlace({ place, name, kinds, inHead, onAdded }: Properties) {
  const [opened, setOpened] = useState(false);
  const done = (saved?: { spec: { name: string } }): void => {
    setOpened(false);
    if (saved) onAdded(saved.spec.name);
  };
  const properties = { ...(name !== undefined && { name }), onDone: done };
  return (
    <>
      <Button {...(inHead ? IN_HEAD : { size: 'xs', variant: 'default' })} onClick={() => setOpened(true)}>
        Add {name ?? `a ${place}`}
      </Button>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="right"
        size={960}
        title={`Add ${name ?? `a ${place}`}`}
        classNames={{ content: classes.sheet ?? '', header: classes.head ?? '', body: classes.body ?? '' }}
      >
        {place === 'host' ? <NewHost {...properties} /> : <NewTarget {...properties} fitting={kinds} />}
      </Drawer>
    </>
  );
}

const IN_HEAD = { size: 'compact-sm', variant: 'subtle', color: 'gray', leftSection: <IconPlus size={14} /> } as const;

interface NewProperties {
  name?: string;
  onDone(saved?: { spec: { name: string } }): void;
}

function NewHost(properties: NewProperties) {
  const hosts = useCall('hosts.list', {});
  if (hosts.error) return <ProblemBanner problem={hosts.error.problem} />;
  if (!hosts.data) return <BlockSkeleton height={320} />;
  const others = hosts.data.map(({ spec }) => spec.name).filter((other) => other !== LOCAL_HOST_NAME);
  return <HostForm host={undefined} others={others} {...properties} />;
}

function NewTarget({ fitting, ...properties }: NewProperties & { fitting: readonly string[] | undefined }) {
  const hosts = useCall('hosts.list', {});
  const targets = useCall('targets.list', {});
  const kinds = useCall('targets.kinds', {});
  const problem = hosts.error ?? targets.error ?? kinds.error;
  if (problem) return <ProblemBanner problem={problem.problem} />;
  if (!hosts.data || !targets.data || !kinds.data) return <BlockSkeleton height={320} />;
  return (
    <TargetForm
      target={undefined}
      targets={targets.data}
      kinds={kinds.data.filter(({ kind }) => fitting === undefined || fitting.includes(kind))}
      hosts={hosts.data.map(({ spec }) => spec.name)}
      {...properties}
    />
  );
}

/**
 * Kinds of targets that a document can use: those that its tool drives and that have the server settings it varies. All kinds of the tool
 * if none is known to have them, or if the targets themselves are levels.
 */
export function kindsFor(
  tool: Pick<ToolInfo, 'drives'> | undefined,
  { factors }: Pick<Experiment, 'factors'>,
  kinds: readonly Pick<TargetKindInfo, 'kind' | 'ownSettings'>[],
): readonly string[] | undefined {
  if (!tool || factors.some(({ kind }) => kind === 'target')) return tool?.drives;
  const settings = factors.flatMap((factor) => (typeof factor.setting === 'string' ? [factor.setting] : []));
  const owners = kinds.filter(
    ({ ownSettings }) => ownSettings !== undefined && settings.some((setting) => new RegExp(ownSettings).test(setting)),
  );
  const fitting = tool.drives.filter((kind) => owners.some((owner) => owner.kind === kind));
  return fitting.length > 0 ? fitting : tool.drives;
}
