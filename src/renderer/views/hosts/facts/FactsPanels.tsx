import type { HostFacts, ToolPresence } from '../../../../shared/model/host.ts';
import { formatBytes, formatDateTime, formatNumber, formatPercent, NO_VALUE } from '../../../../shared/util/format.ts';
import { isVirtualDisk } from '../../../../shared/util/virtual-disk.ts';
import { hostSettings } from '../../../domain/FactsTable.tsx';
import { DataTable, KeyValueList, Panel, Status } from '../../../ui/index.ts';
import classes from '../hosts.module.css';

/** Facts reported by a host at the last read. */
export function FactsPanels({ facts }: { facts: HostFacts }) {
  return (
    <div className={classes.facts}>
      <div>
        <System facts={facts} />
        <Networks facts={facts} />
      </div>
      <div>
        <Tools facts={facts} />
        <FileSystems facts={facts} />
      </div>
      <Disks facts={facts} />
    </div>
  );
}

const System = ({ facts }: { facts: HostFacts }) => (
  <Panel title="System" note={`as of ${formatDateTime(facts.readAt)}`}>
    <KeyValueList
      pairs={[
        ['Host name', facts.hostname],
        ['System', facts.os],
        ['Kernel', `${facts.kernel} (${facts.architecture})`],
        ['CPU', facts.cpuModel],
        ['CPUs', String(facts.cpuCount)],
        ...hostSettings(facts),
        ['Memory', facts.memoryBytes === undefined ? undefined : formatBytes(facts.memoryBytes)],
        ['Virtualization', facts.virtualization],
        ['Open files', facts.openFilesLimit === undefined ? undefined : `limit ${formatNumber(facts.openFilesLimit)}`],
        ['Threads', threadsWords(facts.threadsLimit)],
        ['Clock', clockWords(facts)],
      ]}
    />
  </Panel>
);

const threadsWords = (limit: HostFacts['threadsLimit']): string | undefined =>
  limit && `limit ${formatNumber(limit.most)}, ${formatNumber(limit.used)} in use`;

const Tools = ({ facts }: { facts: HostFacts }) => (
  <Panel title="Tools" flush>
    <DataTable
      label="Benchmark tools"
      rows={facts.tools}
      rowId={(tool) => tool.tool}
      empty="Tools not checked."
      columns={[
        { id: 'tool', header: 'Tool', value: (tool) => tool.tool, width: 100 },
        {
          id: 'state',
          header: 'Found',
          value: (tool) => (tool.found ? 0 : 1),
          cell: (tool) => <Found tool={tool} />,
          width: 130,
        },
        {
          id: 'where',
          header: 'Path, or how to install it',
          cell: (tool) => (
            <div className={classes.wrap}>{[tool.path, tool.message].filter(Boolean).join(' · ') || NO_VALUE}</div>
          ),
        },
      ]}
    />
  </Panel>
);

const Disks = ({ facts }: { facts: HostFacts }) => (
  <Panel title="Disks" flush>
    <DataTable
      label="Disks"
      rows={facts.disks}
      rowId={(disk) => disk.name}
      empty="Not reported by the host."
      columns={[
        { id: 'name', header: 'Name', value: (disk) => disk.name },
        {
          id: 'size',
          header: 'Size',
          value: (disk) => disk.sizeBytes,
          cell: (disk) => formatBytes(disk.sizeBytes),
          align: 'right',
        },
        {
          id: 'kind',
          header: 'Kind',
          value: (disk) => diskKind(disk, facts) ?? NO_VALUE,
        },
        { id: 'model', header: 'Model', value: (disk) => disk.model ?? NO_VALUE },
        { id: 'scheduler', header: 'Scheduler', value: (disk) => disk.scheduler ?? NO_VALUE },
        { id: 'mounts', header: 'Mounted at', value: (disk) => disk.mounts.join(', ') || NO_VALUE },
      ]}
    />
  </Panel>
);

const FileSystems = ({ facts }: { facts: HostFacts }) => (
  <Panel title="File systems" flush>
    <DataTable
      label="File systems"
      rows={facts.filesystems}
      rowId={(system) => system.mount}
      empty="Not reported by the host."
      columns={[
        { id: 'mount', header: 'Mounted at', grow: true, value: (system) => system.mount },
        { id: 'type', header: 'Type', minor: true, value: (system) => system.type },
        {
          id: 'size',
          header: 'Size',
          value: (system) => system.sizeBytes,
          cell: (system) => formatBytes(system.sizeBytes),
          align: 'right',
        },
        {
          id: 'free',
          header: 'Free',
          value: (system) => system.freeBytes,
          cell: (system) => formatBytes(system.freeBytes),
          align: 'right',
        },
        {
          id: 'used',
          header: 'Used',
          value: (system) => 1 - system.freeBytes / system.sizeBytes,
          cell: (system) => <Used share={1 - system.freeBytes / system.sizeBytes} />,
          width: 150,
        },
      ]}
    />
  </Panel>
);

const Networks = ({ facts }: { facts: HostFacts }) => (
  <Panel title="Networks" flush>
    <DataTable
      label="Networks"
      rows={facts.networks}
      rowId={(network) => network.name}
      empty="Not reported by the host."
      columns={[
        { id: 'name', header: 'Name', value: (network) => network.name },
        {
          id: 'speed',
          header: 'Link, Mbit/s',
          value: (network) => network.speedMbps,
          cell: (network) => formatNumber(network.speedMbps),
          align: 'right',
        },
        { id: 'addresses', header: 'Addresses', value: (network) => network.addresses.join(', ') },
      ]}
    />
  </Panel>
);

function clockWords({ clockOffsetMs: offset, clockRoundTripMs: trip }: HostFacts): string | undefined {
  if (offset === undefined) return undefined;
  const size = Math.abs(offset);
  const error = Math.max(1, (trip ?? 0) / 2);
  const exact = `${formatNumber(error, error < 10 ? 1 : 0)} ms`;
  // A difference below the error of the reading counts as none.
  if (size <= error) return `offset ≤ ${exact}`;
  const off = `${formatNumber(size, size < 10 ? 1 : 0)} ms ${offset > 0 ? 'behind' : 'ahead of'} this computer`;
  return trip === undefined ? off : `${off}, ± ${exact}`;
}

const Found = ({ tool }: { tool: ToolPresence }) => (
  <Status tone={tool.found ? 'ok' : 'idle'}>{tool.found ? (tool.version ?? 'found') : 'not found'}</Status>
);

function Used({ share }: { share: number }) {
  const full = share > 0.9;
  return (
    <span className={classes.used}>
      <span className={classes.usedBar}>
        <span style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} data-full={full || undefined} />
      </span>
      {formatPercent(share)}
    </span>
  );
}

type Disk = HostFacts['disks'][number];

/** Kind of a disk, in words; undefined if the host does not report it. */
function diskKind({ name, rotational }: Disk, { virtualization }: HostFacts): string | undefined {
  if (isVirtualDisk(name, virtualization)) return 'virtual disk';
  if (rotational === undefined) return undefined;
  return rotational ? 'rotating' : 'solid state';
}
