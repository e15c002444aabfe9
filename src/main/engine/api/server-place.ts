import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerPlace, TargetSpec } from '../../../shared/model/target.ts';
import type { Store } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';

/** Throws `bad-request` for a place that cannot be that of this target's server. `before`: the target as it is saved. */
export function checkServerPlace(store: Store, spec: TargetSpec, before: TargetSpec | undefined): void {
  if (before) refuseRename(spec, before);
  const { server } = spec;
  if (!server) return;
  const refuse = refusal(spec.name);
  const type = targetByKind(spec.kind);
  if (!type.open) refuse(`A target of the kind ${type.title} has no server.`, 'Leave out where its server lives.');
  if (!store.hosts.byName(server.host)) refuse(`There is no host named “${server.host}”.`, 'Add it on the Hosts page.');
  if (server.settingsFile !== undefined && !type.settingsFormat)
    refuse(`Servers of the kind ${type.title} include no file of settings.`, 'Leave out the settings file.');
  if (server.settingsFile !== undefined && !server.settingsFile.startsWith('/'))
    refuse('The path of the settings file is not absolute.', 'Begin it with a slash.');
  if (server.control.kind === 'managed') checkManaged(store, spec, server.control);
}

type Managed = Extract<ServerPlace['control'], { kind: 'managed' }>;

function checkManaged(store: Store, { name, kind, server }: TargetSpec, { upstream }: Managed): void {
  const refuse = refusal(name);
  const type = targetByKind(kind);
  if (!type.managed) refuse(`Kneepoint starts no servers of the kind ${type.title} itself.`, 'Choose another control.');
  if (server?.settingsFile !== undefined)
    refuse('A managed server has a settings file of its own.', 'Leave out the settings file.');
  if (upstream === undefined) return;
  if (!type.managed?.pooler)
    refuse(`Servers of the kind ${type.title} stand in front of no other server.`, 'Leave out the upstream.');
  const behind = store.targets.byName(upstream);
  if (upstream === name || behind?.spec.kind !== kind)
    refuse(
      `The upstream “${upstream}” is no other target of the kind ${type.title}.`,
      'Name the target of the server behind the pooler.',
    );
}

/** Folder and mark on the host carry the name: under another one the server would not be found again. */
function refuseRename(spec: TargetSpec, before: TargetSpec): void {
  if (spec.name === before.name || before.server?.control.kind !== 'managed') return;
  refusal(before.name)(
    `The folder of the managed server carries the name “${before.name}”, so the target cannot be renamed.`,
    'Add a target with the other name, and remove this one and its folder.',
  );
}

const refusal =
  (target: string) =>
  (message: string, next: string): never => {
    throw new KneepointError({ code: 'bad-request', message, target, safe: 'Nothing was saved.', next });
  };
