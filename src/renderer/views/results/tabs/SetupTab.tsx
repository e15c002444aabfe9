import type { HostFacts } from '../../../../shared/model/host.ts';
import type { SessionDetail } from '../../../../shared/model/session.ts';
import { everySetting } from '../../../../shared/model/settings.ts';
import { formatBytes, formatDateTime, formatNumber } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { DurabilityLight, SettingsTable } from '../../../domain/index.ts';
import { CodeBlock, KeyValueList, type Pair, Panel } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';

/** Everything that was true when it started, and the document to run it again. */
export function SetupTab({ detail }: TabProperties) {
  const description = detail.target?.description;
  const kinds = useCall('targets.kinds', {});
  const kind = kinds.data?.find((entry) => entry.kind === detail.target?.kind)?.title;
  const settings = everySetting(description, detail.target?.settings);
  const settingsMoment = (
    <span className="kp-dim">
      {detail.target?.settings ? 'as they were when the session started' : 'Only those that matter were kept.'}
    </span>
  );
  return (
    <>
      <div className="kp-split">
        <div className="kp-column">
          {detail.hosts.map((host) => (
            <Panel key={host.name} title={host.name} note="host, as it was when the session started">
              {host.facts ? (
                <KeyValueList pairs={hostPairs(host.facts)} />
              ) : (
                <span className="kp-dim">Its facts were not read.</span>
              )}
            </Panel>
          ))}
          {detail.target ? (
            <Panel title={detail.target.name} note="target, as it was when the session started">
              <KeyValueList pairs={targetPairs(detail.target, kind ?? detail.target.kind)} />
              {description?.durability ? <DurabilityLight durability={description.durability} /> : null}
            </Panel>
          ) : null}
          <Panel title="Versions">
            <KeyValueList
              pairs={[
                ['Kneepoint', detail.appVersion],
                [detail.session.tool, detail.toolVersion ?? 'not told'],
              ]}
            />
          </Panel>
        </div>
        <Panel title="Experiment document" note="as it was started">
          <CodeBlock text={detail.experimentText} label="Copy the document" />
        </Panel>
      </div>
      {settings.length > 0 ? <SettingsTable settings={settings} moment={settingsMoment} /> : null}
    </>
  );
}

function targetPairs(target: NonNullable<SessionDetail['target']>, kind: string): Pair[] {
  const { description } = target;
  const middleware = description?.middleware;
  return [
    ['Kind', kind],
    ['Address', target.address],
    ['Version', description ? `${description.product} ${description.version}` : undefined],
    ['Behind', middleware && [middleware.product, middleware.version].filter(Boolean).join(' ')],
    ['TLS', description?.tls],
    ['Data at the start', description?.dataBytes === undefined ? undefined : formatBytes(description.dataBytes)],
  ];
}

function hostPairs(facts: HostFacts): Pair[] {
  return [
    ['System', `${facts.os}, kernel ${facts.kernel}, ${facts.architecture}`],
    ['CPU', `${facts.cpuModel ?? 'unknown model'}, ${facts.cpuCount} CPUs`],
    ['Memory', facts.memoryBytes === undefined ? undefined : formatBytes(facts.memoryBytes)],
    ...facts.disks.map(
      (disk): Pair => [
        `Disk ${disk.name}`,
        [formatBytes(disk.sizeBytes), disk.model, disk.scheduler, disk.mounts.join(' ')].filter(Boolean).join(', '),
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
    ['CPU governor', facts.cpuGovernor],
    ['Read', formatDateTime(facts.readAt)],
  ];
}
