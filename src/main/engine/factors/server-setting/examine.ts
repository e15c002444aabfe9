import type { ChangeCost } from '../../../../shared/model/factor.ts';
import type { Finding, LiftableFinding } from '../../../../shared/model/finding.ts';
import { nearestName } from '../../../../shared/util/nearest.ts';
import { holdsSecret } from '../../../../shared/util/setting-value.ts';
import type { SharedUse, VariedSetting } from '../../targets/target.ts';
import type { At, DesiredSetting, Examined } from '../change.ts';
import { fileContent, ownLines, valueInFile } from './file.ts';
import { foundOf, isStartable, notVaried } from './place.ts';

const block = (code: string, message: string, next: string): Finding => ({ code, severity: 'block', message, next });

/** Cost and obstacles of desired settings on a server. Changes nothing. */
export async function examine(at: At, desired: readonly DesiredSetting[]): Promise<readonly Examined[]> {
  return at.connected(async (session) => {
    const control = await session.settingsControl?.();
    if (!control) {
      const finding = block(
        'setting-not-varied',
        notVaried(at),
        'Run a separate server for each value, and vary the target.',
      );
      return desired.map(() => ({ found: { value: null }, cost: 'none', findings: [finding] }));
    }
    const found = await control.look(desired.map(({ what }) => what));
    const content = await fileContent(at, found);
    const known = found.includes(undefined) ? await session.settings?.() : undefined;
    const shared = sharedFindings(at, await control.shared());
    return desired.map((desired, index): Examined => {
      const setting = found[index];
      // Other users of the server are one finding, however many of its settings are varied.
      const ofServer = index === 0 ? shared : [];
      if (!setting) {
        const names = known?.map(({ name }) => name) ?? [];
        return { found: { value: null }, cost: 'none', findings: [unknown(at, desired.what, names), ...ofServer] };
      }
      const lines = ownLines(at, setting, content);
      return {
        found: holdsSecret(setting.name, setting.value)
          ? { value: null }
          : foundOf(setting, lines, valueInFile(at, setting, lines)),
        cost: setting.effect === 'fixed' ? 'none' : (setting.effect satisfies ChangeCost),
        findings: [...against(at, setting, desired), ...ofServer],
      };
    });
  });
}

function unknown(at: At, name: string, names: readonly string[]): Finding {
  const meant = nearestName(name, names);
  return block(
    'setting-unknown',
    `The server of target “${at.place.name}” has no setting named “${name}”, or does not show it to the account of the target.`,
    meant === undefined ? 'The page of the target lists its settings.' : `Did you mean “${meant}”?`,
  );
}

function against(at: At, setting: VariedSetting, { value }: DesiredSetting): Finding[] {
  const { name, effect, obstacle } = setting;
  if (effect === 'fixed')
    return [
      block('setting-fixed', `“${name}” is built into the server and cannot be changed.`, 'Vary another setting.'),
    ];
  if (obstacle) return [block('setting-not-changeable', obstacle.message, obstacle.next)];
  if (holdsSecret(name, setting.value))
    return [
      block(
        'setting-secret',
        `“${name}” holds a secret, so it is neither stored nor shown, and could not be restored.`,
        'Vary another setting.',
      ),
    ];
  const refusal = setting.against(value);
  return [...(refusal ? [block('setting-value', refusal.message, refusal.next)] : []), ...lacking(at, setting)];
}

/** Findings for a setting that takes effect at a start, if the server cannot be started. */
function lacking(at: At, { name, effect, keptIn }: VariedSetting): Finding[] {
  if (effect !== 'restart') return [];
  if (!isStartable(at))
    return [
      block(
        'server-not-controlled',
        `“${name}” takes effect only after a restart, and Kneepoint cannot restart the server of target “${at.place.name}”.`,
        'Set the server host and how it is started on the page of the target.',
      ),
    ];
  if (keptIn !== 'file' || at.server().settingsFile) return [];
  return [
    block(
      'server-without-settings-file',
      `“${name}” is read only at server start, and Kneepoint has no settings file to write it to.`,
      'Enter a settings file on the page of the target: one that the server includes and that contains nothing else.',
    ),
  ];
}

/** Uptime in days from which a server is assumed to be in use by others. */
const LONG_UP_DAYS = 14;
const DAY = 86_400;

function sharedFindings(at: At, { clients, replicas, upSeconds }: SharedUse): LiftableFinding[] {
  const days = Math.floor((upSeconds ?? 0) / DAY);
  const words = [
    ...(clients.length > 0 ? [`Other clients are connected: ${clients.join(', ')}.`] : []),
    ...(replicas.length > 0 ? [`It replicates: ${replicas.join(', ')}.`] : []),
    ...(days >= LONG_UP_DAYS ? [`It has been up for ${days} days.`] : []),
  ];
  if (words.length === 0) return [];
  return [
    {
      ...block(
        'server-shared',
        `The server of target “${at.place.name}” appears to be shared, and this session would change its settings. ${words.join(' ')}`,
        'Confirm this for the target, or use a dedicated server.',
      ),
      evidence: [...clients, ...replicas].join(', ') || `up ${days} days`,
      liftedBy: { word: 'shared' },
    },
  ];
}
