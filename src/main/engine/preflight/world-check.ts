import { formatCount } from '../../../shared/util/format.ts';
import type { DesiredSetting, Examined } from '../factors/change.ts';
import { allStepsOf } from '../plans/index.ts';
import { atPlace, changerNamed, grouped, placeOf, placeWords } from '../world/index.ts';
import { liftableAt, type StartFinding } from './check.ts';
import type { PreflightContext, PreflightState } from './state.ts';

/** All settings that cells need on hosts and servers, each thing and value once. */
export const settingsOf = ({ cells }: Pick<PreflightState, 'cells'>): DesiredSetting[] =>
  distinct(allStepsOf(cells).flatMap(({ settings }) => settings));

export const distinct = (settings: readonly DesiredSetting[]): DesiredSetting[] => [
  ...new Map(settings.map((setting) => [JSON.stringify(setting), setting])).values(),
];

/** Asks hosts and servers for the cost of each setting, and for obstacles. Changes nothing. */
export async function examineSettings(
  context: PreflightContext,
  known: PreflightState,
  signal: AbortSignal,
  settings = settingsOf(known),
): Promise<{ findings: StartFinding[]; evidence: string[] }> {
  const evidence: string[] = [];
  const findings = new Map<string, StartFinding>();
  const note = (finding: StartFinding): void => {
    findings.set(JSON.stringify([finding.code, finding.message]), finding);
  };
  const placed = settings.map((setting) => ({ setting, place: placeOf(context, setting) }));
  for (const { place, changer: name, things } of grouped(placed, ({ setting, place }) => ({
    place,
    changer: setting.changer,
  }))) {
    const asked = things.map(({ setting }) => setting);
    const changer = changerNamed(context.changers, name);
    const at = atPlace(context, place, signal);
    if (changer.needsData) {
      for (const finding of (await changer.against?.(at)) ?? []) note(finding);
      evidence.push(
        `${placeWords(place)}: ${formatCount(things.length, 'variant')} of the data, applied after preparation`,
      );
      continue;
    }
    const examined = await changer.examine(at, asked);
    evidence.push(`${placeWords(place)}: ${costWords(asked, examined)}`);
    examined.forEach((each, index) => {
      for (const finding of each.findings) note(liftableAt(known, finding, place.name, asked[index]?.what));
    });
  }
  return { findings: [...findings.values()], evidence };
}

/** “3 settings, 1 after a restart”. */
function costWords(settings: readonly DesiredSetting[], examined: readonly Examined[]): string {
  const whats = new Set(settings.map(({ what }) => what));
  const costly = (cost: Examined['cost']): number =>
    new Set(settings.flatMap(({ what }, index) => (examined[index]?.cost === cost ? [what] : []))).size;
  const [restart, reload] = [costly('restart'), costly('reload')];
  return [
    formatCount(whats.size, 'setting'),
    ...(restart > 0 ? [`${restart} after a restart`] : []),
    ...(reload > 0 ? [`${reload} after a reload`] : []),
  ].join(', ');
}
