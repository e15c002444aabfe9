import { levelName } from '../../../../shared/model/factor.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import {
  compressionOf,
  type StoredTable,
  type TargetFacts,
  targetsOf,
  withNodes,
} from '../../../../shared/model/session-snapshot.ts';
import { factRows, toolWords } from '../../../../shared/model/session-words.ts';
import { everySetting } from '../../../../shared/model/settings.ts';
import { storageLines } from '../../../../shared/model/storage-words.ts';
import { formatBytes, formatDateTime, formatLevel, formatNumber } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { hostSettings } from '../../../domain/FactsTable.tsx';
import { DurabilityLight, FactsTable, SettingsTable } from '../../../domain/index.ts';
import { CodeBlock, KeyValueList, type Pair, Panel } from '../../../ui/index.ts';
import type { StepProperties } from '../useResults.ts';

/** Everything that applied when it started, and the document to run it again. */
export function SetupTab({ detail, state }: StepProperties) {
  const runs = useCall('sessions.runs', { id: state.id });
  const facts = factRows(runs.data ?? []);
  const added = addedLevels(detail);
  const targets = withNodes(targetsOf(detail));
  const ofServers = targets.flatMap(({ server, hostFacts }) =>
    server && hostFacts ? [{ name: server.host, facts: hostFacts }] : [],
  );
  // A server host can also be a generator, and several servers can share one.
  const hosts = [...new Map([...detail.hosts, ...ofServers].map((host) => [host.name, host])).values()];
  return (
    <>
      <div className="kp-split">
        <div className="kp-column">
          {hosts.map((host) => (
            <Panel key={host.name} title={host.name} note="host, at the start">
              {host.facts ? (
                <KeyValueList pairs={hostPairs(host.facts)} />
              ) : (
                <span className="kp-dim">Its facts were not read.</span>
              )}
            </Panel>
          ))}
          {detail.places ? (
            <Panel
              title="Storage"
              note="Folders and devices of the tool, and data folders of servers, at the start of the session"
            >
              {storageLines(detail.places, targets).map((line) => (
                <div key={line}>{line}</div>
              ))}
            </Panel>
          ) : null}
          <TargetPanels targets={targets} />
          <Panel title="Versions">
            <KeyValueList
              pairs={[
                ['Kneepoint', detail.appVersion],
                [toolWords(detail.session), detail.toolVersion ?? 'not reported'],
              ]}
            />
          </Panel>
        </div>
        <Panel title="Experiment document" note={added.length > 0 ? 'with levels added later' : 'as started'}>
          {added.map((words) => (
            <p key={words} className="kp-small kp-dim">
              Added {words}
            </p>
          ))}
          <CodeBlock text={detail.experimentText} label="Copy the document" />
        </Panel>
      </div>
      {facts.length > 0 ? (
        <Panel title="Settings applied to the runs" note="on hosts and servers, read back before each run" flush>
          <FactsTable rows={facts} counted />
        </Panel>
      ) : null}
      <TargetSettings targets={targets} />
    </>
  );
}

/** Levels added after the start, each with its time. */
const addedLevels = ({ later = [] }: SessionDetail): string[] =>
  later.flatMap(({ at, grown }) =>
    grown
      ? [
          `${formatDateTime(at)}: ${grown.factor} ${grown.levels.map((level) => formatLevel(levelName(level))).join(', ')}`,
        ]
      : [],
  );

function hostPairs(facts: HostFacts): Pair[] {
  return [
    ['System', `${facts.os}, kernel ${facts.kernel}, ${facts.architecture}`],
    ['CPU', `${facts.cpuModel ?? 'unknown model'}, ${facts.cpuCount} CPUs`],
    ['Memory', facts.memoryBytes === undefined ? undefined : formatBytes(facts.memoryBytes)],
    ...facts.disks.map(
      (disk): Pair => [
        `Disk ${disk.name}`,
        [
          formatBytes(disk.sizeBytes),
          disk.model,
          disk.firmware && `firmware ${disk.firmware}`,
          disk.scheduler,
          disk.writeCache,
          disk.link,
          disk.powerSaving && `power saving: ${disk.powerSaving}`,
          disk.mounts.join(' '),
        ]
          .filter(Boolean)
          .join(', '),
      ],
    ),
    ...facts.networks.map(
      (network): Pair => [
        `Network ${network.name}`,
        [network.addresses.join(' '), network.speedMbps ? `${formatNumber(network.speedMbps)} Mbit/s` : '']
          .filter(Boolean)
          .join(', '),
      ],
    ),
    ['Virtualization', facts.virtualization],
    ...hostSettings(facts),
    ['Read', formatDateTime(facts.readAt)],
  ];
}

interface Properties {
  targets: readonly TargetFacts[];
}

/** Facts reported by each target at the start. */
function TargetPanels({ targets }: Properties) {
  const kinds = useCall('targets.kinds', {});
  const titleOf = (kind: string): string => kinds.data?.find((entry) => entry.kind === kind)?.title ?? kind;
  return targets.map((target) => {
    const { durability, location } = target.description ?? {};
    return (
      <Panel key={target.name} title={target.name} note="target, at the start">
        <KeyValueList pairs={targetPairs(target, titleOf(target.kind))} />
        {durability ? <DurabilityLight durability={durability} isFolder={location !== undefined} /> : null}
      </Panel>
    );
  });
}

/** Its settings; with several targets, one table under the name of each. */
function TargetSettings({ targets }: Properties) {
  return targets.map((target) => {
    const settings = everySetting(target.description, target.settings);
    if (settings.length === 0) return null;
    const whole = target.settings ? 'at the start of the session' : 'Only relevant settings were stored.';
    const moment = <span className="kp-dim">{targets.length > 1 ? `${target.name}: ${whole}` : whole}</span>;
    return <SettingsTable key={target.name} settings={settings} moment={moment} />;
  });
}

const TABLES_SHOWN = 5;

/** “9.5 MiB, 10,000 rows of about 1,000 bytes; first 200 rows compress 2.1 : 1”. */
function tableWords(table: StoredTable): string {
  const { bytes, rows, sample } = table;
  const ratio = compressionOf(table);
  const each = rows ? `, about ${formatNumber(rows)} rows of ${formatNumber(bytes / rows)} bytes` : '';
  const packed =
    ratio === undefined ? '' : `; first ${formatNumber(sample?.rows)} rows compress ${formatNumber(ratio, 1)} : 1`;
  return `${formatBytes(bytes)}${sample?.rows === 0 ? ', no rows' : each}${packed}`;
}

const productWords = (middleware: NonNullable<TargetFacts['description']>['middleware']): string | undefined =>
  middleware && [middleware.product, middleware.version].filter(Boolean).join(' ');

function targetPairs(
  { address, behind, proxy, server, description, process, roundTrips = [], tables = [] }: TargetFacts,
  kind: string,
): Pair[] {
  const middleware = description?.middleware;
  return [
    ['Kind', kind],
    ['Address', address],
    ['Proxy', behind === undefined ? undefined : productWords(middleware) || 'a proxy'],
    ['Proxy host', proxy?.host],
    ['Start and stop of the proxy', proxy?.started],
    ['Server behind it', behind],
    ['Server host', server?.host],
    ['Start and stop', server?.started],
    ['Version', description ? `${description.product} ${description.version}` : undefined],
    ['Via', behind === undefined ? productWords(middleware) : undefined],
    ['TLS', description?.tls],
    ['TLS library', description?.tlsLibrary],
    ...roundTrips.map(({ from, ms }): Pair => [`Round trip from ${from}`, `${formatNumber(ms, 3)} ms`]),
    ['Data at the start', description?.dataBytes === undefined ? undefined : formatBytes(description.dataBytes)],
    ...tables.slice(0, TABLES_SHOWN).map((table): Pair => [`Table ${table.name}`, tableWords(table)]),
    ...Object.entries(process ?? {}).map(([what, value]): Pair => [`Process: ${what}`, value]),
  ];
}
