import { compressionOf, type StoredTable, type TargetFacts } from '../../../../shared/model/session-snapshot.ts';
import { everySetting } from '../../../../shared/model/settings.ts';
import { formatBytes, formatNumber } from '../../../../shared/util/format.ts';
import { useCall } from '../../../client/index.ts';
import { DurabilityLight, SettingsTable } from '../../../domain/index.ts';
import { KeyValueList, type Pair, Panel } from '../../../ui/index.ts';

interface Properties {
  targets: readonly TargetFacts[];
}

/** Facts reported by each target at the start. */
export function TargetPanels({ targets }: Properties) {
  const kinds = useCall('targets.kinds', {});
  const titleOf = (kind: string): string => kinds.data?.find((entry) => entry.kind === kind)?.title ?? kind;
  return targets.map((target) => {
    const durability = target.description?.durability;
    return (
      <Panel key={target.name} title={target.name} note="target, at the start">
        <KeyValueList pairs={targetPairs(target, titleOf(target.kind))} />
        {durability ? <DurabilityLight durability={durability} /> : null}
      </Panel>
    );
  });
}

/** Its settings; with several targets, one table under the name of each. */
export function TargetSettings({ targets }: Properties) {
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
    ['Proxy started', proxy?.started],
    ['Server behind it', behind],
    ['Server host', server?.host],
    ['Started', server?.started],
    ['Version', description ? `${description.product} ${description.version}` : undefined],
    ['Behind', behind === undefined ? productWords(middleware) : undefined],
    ['TLS', description?.tls],
    ['TLS library', description?.tlsLibrary],
    ...roundTrips.map(({ from, ms }): Pair => [`Round trip from ${from}`, `${formatNumber(ms, 3)} ms`]),
    ['Data at the start', description?.dataBytes === undefined ? undefined : formatBytes(description.dataBytes)],
    ...tables.slice(0, TABLES_SHOWN).map((table): Pair => [`Table ${table.name}`, tableWords(table)]),
    ...Object.entries(process ?? {}).map(([what, value]): Pair => [`Process: ${what}`, value]),
  ];
}
