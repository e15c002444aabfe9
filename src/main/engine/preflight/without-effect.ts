import { cachedReadFindings, type IdleSetting, idleSettingFindings } from '../../../shared/checks/index.ts';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { Step } from '../plans/index.ts';
import { targetByKind } from '../targets/index.ts';
import type { SettingDependency } from '../targets/target.ts';
import { liftable, type StartFinding } from './check.ts';
import type { KnownTarget, PreflightState } from './state.ts';

/** Value of a setting in a cell: from its levels, else from the server. */
type SettingIn = (cell: Step, name: string) => string | undefined;

const plain = (name: string): string => name.toLowerCase().replaceAll('-', '_');

const isOf = ({ settings }: Step, server: string) =>
  settings.filter(({ place }) => place.kind === 'server' && place.name === server);

function settingsIn({ name: server, settings = [], description }: TargetFacts): SettingIn {
  const found = new Map([...(description?.settings ?? []), ...settings].map(({ name, value }) => [plain(name), value]));
  return (cell, name) =>
    isOf(cell, server).find(({ what }) => plain(what) === plain(name))?.value ?? found.get(plain(name));
}

/** Settings varied on this server that have no effect in any cells that are otherwise equal. The user can continue by typing the name. */
export function checkIdleSettings(known: PreflightState, { name, facts }: KnownTarget): StartFinding[] {
  const dependsOn = facts && targetByKind(facts.kind).settings?.dependsOn;
  if (!facts || !dependsOn) return [];
  const cells = known.steps;
  const setting = settingsIn(facts);
  const varied = new Set(cells.flatMap((cell) => isOf(cell, name).map(({ what }) => what)));
  const idle = [...varied].flatMap((what) =>
    dependsOn(what).flatMap((dependency) => idleSetting(cells, what, dependency, { name, setting }) ?? []),
  );
  return idleSettingFindings(idle).map((finding, at) =>
    liftable(known, finding, `${name}:${idle[at]?.setting} without effect`),
  );
}

function idleSetting(
  cells: readonly Step[],
  what: string,
  { setting: needs, wanted, isMet }: SettingDependency,
  of: { name: string; setting: SettingIn },
): IdleSetting | undefined {
  const unmet = cells.filter((cell) => {
    const value = of.setting(cell, needs);
    return value !== undefined && !isMet(value);
  });
  const valueIn = (cell: Step): string => of.setting(cell, what) ?? 'as found';
  const alike = [...Map.groupBy(unmet, (cell) => butFor(cell, what, of.name)).values()].filter(
    (group) => new Set(group.map(valueIn)).size > 1,
  );
  const useless = alike.flat();
  const [first] = useless;
  if (!first) return undefined;
  return {
    setting: what,
    values: [...new Set(useless.map(valueIn))],
    cells: useless.length,
    ...{ needs, wanted, value: of.setting(first, needs) ?? '' },
  };
}

/** Equal for cells that differ in nothing else. */
const butFor = ({ settings, madeUnder: _, ...effects }: Step, what: string, server: string): string =>
  JSON.stringify([
    effects,
    settings.filter(
      (setting) => setting.what !== what || setting.place.kind !== 'server' || setting.place.name !== server,
    ),
  ]);

/** Whether a cell on this server reads from a result cache. */
export function checkCachedReads(known: PreflightState, { name, facts }: KnownTarget): StartFinding[] {
  if (!facts) return [];
  const { steps, tool } = known;
  const setting = settingsIn(facts);
  const cached = steps.flatMap((cell) => {
    const cache = cell.target === name && targetByKind(facts.kind).cachesResults?.((wanted) => setting(cell, wanted));
    if (!cache) return [];
    const statements = tool.load?.statements?.(cell.options, facts.kind);
    return [{ ...cache, ...(statements && { readsInTransactions: statements.readsInTransactions }) }];
  });
  return cachedReadFindings(cached.toSorted((one, other) => rank(other) - rank(one)));
}

const rank = ({ readsInTransactions }: { readsInTransactions?: boolean }): number => (readsInTransactions ? 1 : 0);
