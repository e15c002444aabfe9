import { formSchema } from '../../../shared/model/form-schema.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ConnectionFacts, TargetKind, TargetKindInfo, TargetSpec } from '../../../shared/model/target.ts';
import { clickhouseTarget } from './clickhouse/index.ts';
import { hostTarget } from './host/index.ts';
import { mongoTarget } from './mongodb/index.ts';
import { mysqlTarget } from './mysql/index.ts';
import { postgresTarget } from './postgres/index.ts';
import { sqliteTarget } from './sqlite/index.ts';
import { storageTarget } from './storage/index.ts';
import type { TargetType } from './target.ts';

export { isSilent } from './failure.ts';
export { addressesIn } from './server-facts.ts';
export { plainSettings } from './settings-format.ts';
export { readPlace } from './storage/reading.ts';

/** All kinds of systems under test. */
export const TARGETS: readonly TargetType[] = [
  mysqlTarget,
  postgresTarget,
  mongoTarget,
  clickhouseTarget,
  sqliteTarget,
  storageTarget,
  hostTarget,
];

/** The target kind for workloads that drive the generator itself and need no target. */
export const GENERATOR_KIND: TargetKind = hostTarget.kind;

/** Throws `unsupported` for a kind that this version does not have. */
export function targetByKind(kind: string): TargetType {
  const found = TARGETS.find((target) => target.kind === kind);
  if (found) return found;
  throw new KneepointError({
    code: 'unsupported',
    message: `This version does not support targets of kind "${kind}".`,
    next: `Supported: ${TARGETS.map((target) => target.kind).join(', ')}.`,
  });
}

/** Process names of a server of this kind. */
export function programsOf(kind: string): readonly string[] {
  const { managed, monitoring } = targetByKind(kind);
  return [...new Set([...(managed?.programs ?? []), ...(monitoring?.processes ?? [])])];
}

/** Connection facts for commands shown before a target is chosen. Their host is `name`, or that of the kind's example. */
export function exampleFacts(kind: TargetKind, name: string | undefined): ConnectionFacts {
  const { withoutTarget, facts, config, example } = targetByKind(kind);
  if (withoutTarget) return { kind };
  const shown = facts(config.parse(example.config), undefined);
  return name === undefined || shown.host === undefined ? shown : { ...shown, host: name };
}

/** The file or folder of a target. Undefined for servers, and for an invalid configuration. */
export function pathOf({ kind, config }: Pick<TargetSpec, 'kind' | 'config'>): string | undefined {
  const type = targetByKind(kind);
  const read = type.config.safeParse(config);
  return read.success ? type.facts(read.data, undefined).path : undefined;
}

/** The data for a kind's form in the UI: JSON Schema with texts, defaults and units. */
export const targetKindInfo = (target: TargetType): TargetKindInfo => ({
  kind: target.kind,
  title: target.title,
  family: target.family,
  nameExample: target.example.name,
  ...(target.withoutTarget && { withoutTarget: target.withoutTarget }),
  schema: formSchema(target.config),
  takesSecret: target.takesSecret,
  connects: target.open !== undefined,
  via: target.via ?? 'none',
  tells: [...(target.describes ?? [])],
  ...(target.captures && { captures: [...target.captures] }),
  ...(target.ownSettings && { ownSettings: target.ownSettings.source }),
  settingsFile: target.settingsFormat !== undefined,
  ...(target.managed && {
    managed: {
      programs: [...target.managed.programs],
      ...(target.managed.pooler && {
        pooler: {
          program: target.managed.pooler.program,
          schema: formSchema(target.managed.pooler.settings),
        },
      }),
    },
  }),
});
