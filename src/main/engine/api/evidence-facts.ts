import { type PriceCatalogue, type VolumeLimits, volumeLimits } from '../../../shared/costs/index.ts';
import { switchesOff } from '../../../shared/model/monitors.ts';
import { type FactsSnapshot, type TargetFacts, targetsOf, withNodes } from '../../../shared/model/session-snapshot.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import type { EvidenceFacts } from '../judging/index.ts';
import { type KnownStep, knownStepOfRun, partOf, type Step } from '../plans/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import { toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';

const MIB = 2 ** 20;

/** The library of runs, and the prices that determine limits of paid volumes. */
export interface Known {
  readonly store: Store;
  readonly catalogue: () => PriceCatalogue;
}

/** Facts of a run other than its samples: from its document, its tool, its hosts and targets, and the price of its session. */
export function factsFor(library: Known, run: RunRow): EvidenceFacts {
  const snapshot = library.store.sessions.snapshot(run.sessionId);
  const ofServers = withNodes(targetsOf(snapshot)).flatMap(({ server, hostFacts }) =>
    server && hostFacts ? [{ name: server.host, facts: hostFacts }] : [],
  );
  const hosts = [...(snapshot.hosts ?? []), ...ofServers];
  const known = knownStepOfRun(snapshot, run, toolById);
  if (!known) return { hosts, load: [] };
  const { tool, step: effects } = known;
  const { options, target } = effects;
  const needs = tool.needs(options);
  const { kind, behind, nodes } = targetsOf(snapshot).find(({ name }) => name === target) ?? {};
  // A directory on a disk is no server: the tool itself reads and writes there.
  const onItsOwnHost =
    target === undefined
      ? needs.some((each) => targetByKind(each).withoutTarget !== undefined)
      : kind !== undefined && targetByKind(kind).via === 'place';
  const wanted = tool.load?.rate?.(options);
  const io = tool.load?.io?.(options);
  const met = metBy(snapshot, effects);
  const volume = volumeOf(library, run, effects);
  return {
    hosts,
    load: loadOf(tool, effects),
    ...(met && !tool.watchesOnly && { met }),
    ...(!tool.watchesOnly && switchesOff(snapshot.experiment.monitors) && { switchedOff: true as const }),
    ...(target !== undefined && { target: behind ?? target }),
    ...(behind !== undefined && { proxy: target }),
    ...(nodes && { nodes: nodes.map((node) => node.behind ?? node.name) }),
    ...(onItsOwnHost && { onItsOwnHost }),
    ...(wanted !== undefined && { wanted }),
    ...(io && { io }),
    ...(tool.load?.pauses?.(options) && { pauses: true as const }),
    ...(volume && { volume }),
    targets: targetsOf(snapshot).flatMap((each) => sizesOf(run, tool, effects, each)),
  };
}

const stepFor = ({ store }: Pick<Known, 'store'>, run: RunRow): KnownStep | undefined =>
  knownStepOfRun(store.sessions.snapshot(run.sessionId), run, toolById);

/** Whether the load on its servers is independent of their speed: it comes from others, or from a tool that holds a rate. */
export function isOffered(known: Pick<Known, 'store'>, run: RunRow): boolean {
  const { tool, step } = stepFor(known, run) ?? {};
  return tool?.watchesOnly === true || (step !== undefined && tool?.load?.rate?.(step.options) !== undefined);
}

/** The server of the cell's target. Its host is the one in the target's facts, else the generators if the target is local to them. */
function metBy(facts: FactsSnapshot, { target, generators }: Step): EvidenceFacts['met'] {
  const known = targetsOf(facts).find(({ name }) => name === target);
  if (!known || targetByKind(known.kind).monitoring === undefined) return undefined;
  const { name, behind, server, address = '' } = known;
  const isLocal = address.startsWith('/') || isLoopback(address.replace(/:\d+$/, ''));
  return { name: behind ?? name, places: server ? [server.host] : isLocal ? generators : [] };
}

const loadOf = (tool: Tool, { options, generators }: Step): EvidenceFacts['load'] =>
  (tool.watchesOnly ? [] : generators).map((host, index) => {
    const own = partOf(tool, options, { index, count: generators.length });
    const threads = tool.load?.threads?.(own);
    const connections = tool.load?.connections?.(own) ?? tool.load?.workers?.count(own);
    return { host, ...(threads !== undefined && { threads }), ...(connections !== undefined && { connections }) };
  });

/** Limits of the volumes paid for, by the price of the run's session and those of its levels. */
export function limitsFor(known: Known, run: RunRow): VolumeLimits | undefined {
  const { step } = stepFor(known, run) ?? {};
  return step && volumeOf(known, run, step);
}

function volumeOf({ store, catalogue }: Known, run: RunRow, { prices = [] }: Step): VolumeLimits | undefined {
  const cost = store.sessions.get(run.sessionId)?.cost;
  const all = [...(cost ? [cost] : []), ...prices];
  const hasVolume = all.some(({ components }) => components.some(({ kind }) => kind === 'volume'));
  return hasVolume ? volumeLimits(all, catalogue()) : undefined;
}

type Sizes = NonNullable<EvidenceFacts['targets']>[number];

/** Data size of the workload, else of the target at the start; cache size as read back before the run, else at the start. */
function sizesOf(
  run: RunRow,
  tool: Tool,
  { options, generators, target }: Step,
  { name, behind, kind, description }: TargetFacts,
): Sizes[] {
  const made = tool.data?.(options, kind, generators.length);
  const dataBytes = made ? made.bytes : description?.dataBytes;
  const setting = (wanted: string): string | undefined =>
    run.facts?.find(
      ({ place, what }) => place.kind === 'server' && [name, behind].includes(place.name) && what === wanted,
    )?.found ?? description?.settings.find((each) => each.name === wanted)?.value;
  const cacheBytes = targetByKind(kind).cacheBytes?.(setting, tool.storage?.(options, kind));
  const sizes = {
    ...(name === target && dataBytes && { dataMib: dataBytes / MIB }),
    ...(cacheBytes && { cacheMib: cacheBytes / MIB }),
  };
  return [name, ...(behind === undefined || behind === target ? [] : [behind])].map((of) => ({ name: of, ...sizes }));
}
