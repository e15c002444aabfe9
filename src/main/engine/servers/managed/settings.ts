import { plainSettings, targetByKind } from '../../targets/index.ts';
import type { Controlled } from '../context.ts';
import type { SettingsFile } from '../server.ts';
import { createSettingsFile } from '../settings-file.ts';
import { slugOf } from './folder.ts';
import type { Managed } from './program.ts';
import { FOLDER, SETTINGS } from './scripts.ts';

/** The settings of a managed server beside those of its target: it gets both at each start. */
export function managedSettings(at: Controlled, { folder = '' }: Managed): SettingsFile {
  const { spec } = at;
  const slug = slugOf(spec.name);
  const script = `${FOLDER}\npath=$folder/${SETTINGS}`;
  const shown = folder === '' ? `~/.local/state/kneepoint/servers/${slug}` : folder;
  return createSettingsFile(
    at,
    { path: `${shown}/${SETTINGS}`, find: { script, values: { asked: folder, slug } } },
    targetByKind(spec.kind).settingsFormat ?? plainSettings,
  );
}
