import type { TargetFacts } from '../../../../shared/model/session-snapshot.ts';
import { changedSettings, everySetting, settingWords } from '../../../../shared/model/settings.ts';
import { formatBytes, formatCount } from '../../../../shared/util/format.ts';
import { facts, inOnePiece, note, type Part } from './parts.ts';
import { changedTable } from './tables.ts';

/** Facts of a target at the start. */
export function targetPart(target: TargetFacts): Part[] {
  const server = target.description;
  return [
    ...inOnePiece(
      `Target “${target.name}”`,
      facts([
        ['Address', target.address],
        ['Proxy', target.behind === undefined ? undefined : target.description?.middleware?.product],
        ['Proxy host', target.proxy?.host],
        ['Server behind it', target.behind],
        ['Server host', target.server?.host],
        ['Started', target.server?.started],
        ['Server', server && [server.product, server.version, server.flavour].filter(Boolean).join(' ')],
        ['Durability', server?.durability && `${server.durability.level}: ${server.durability.why}`],
        ['Data at the start', server?.dataBytes === undefined ? undefined : formatBytes(server.dataBytes)],
        ['TLS', server?.tls],
        ...(server?.settings ?? []).map((setting): [string, string] => [setting.name, settingWords(setting)]),
      ]),
    ),
    ...changedSettingsPart(target),
  ];
}

function changedSettingsPart({ description, settings }: TargetFacts): Part[] {
  if (settings === undefined) return [];
  const every = everySetting(description, settings);
  const changed = changedSettings(every);
  if (changed.length > 0) return [changedTable(changed)];
  const told = every.some((setting) => setting.default !== undefined || setting.source !== undefined);
  const words = told
    ? 'No known changes from default settings.'
    : `The server reports ${formatCount(settings.length, 'setting')}, without their defaults.`;
  return settings.length > 0 ? [note(words)] : [];
}
