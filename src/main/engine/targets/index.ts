import { z } from 'zod';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { TargetKindInfo } from '../../../shared/model/target.ts';
import { clickhouseTarget } from './clickhouse/index.ts';
import { hostTarget } from './host/index.ts';
import { mongoTarget } from './mongodb/index.ts';
import { mysqlTarget } from './mysql/index.ts';
import { postgresTarget } from './postgres/index.ts';
import { sqliteTarget } from './sqlite/index.ts';
import { storageTarget } from './storage/index.ts';
import type { TargetType } from './target.ts';

/** Every kind of system under test. */
export const TARGETS: readonly TargetType[] = [
  mysqlTarget,
  postgresTarget,
  mongoTarget,
  clickhouseTarget,
  sqliteTarget,
  storageTarget,
  hostTarget,
];

/** Throws `unsupported` for a kind that this version does not have. */
export function targetByKind(kind: string): TargetType {
  const found = TARGETS.find((target) => target.kind === kind);
  if (found) return found;
  throw new KneepointError({
    code: 'unsupported',
    message: `This version knows no target of the kind "${kind}".`,
    next: `It knows ${TARGETS.map((target) => target.kind).join(', ')}.`,
  });
}

/** What the UI needs to draw a kind's form: JSON Schema with words, defaults and units. */
export const targetKindInfo = (target: TargetType): TargetKindInfo => ({
  kind: target.kind,
  title: target.title,
  schema: z.toJSONSchema(target.config, { io: 'input' }),
  takesSecret: target.takesSecret,
  connects: target.open !== undefined,
  via: target.via ?? 'none',
  tells: [...(target.tells ?? [])],
});
