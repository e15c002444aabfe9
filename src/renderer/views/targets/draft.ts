import type { Scalar } from '../../../shared/model/experiment.ts';
import { ObjectName } from '../../../shared/model/host.ts';
import type { Target, TargetKind, TargetSpec } from '../../../shared/model/target.ts';
import type { FormValues } from '../../forms/index.ts';

/** A target as typed. */
export interface TargetDraft {
  name: string;
  kind: TargetKind;
  via: string | null;
  config: FormValues;
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

export const draftOf = (target: Target | undefined, kind: TargetKind): TargetDraft => ({
  name: target?.spec.name ?? '',
  kind: target?.spec.kind ?? kind,
  via: target?.spec.via ?? null,
  config: Object.fromEntries(
    Object.entries(target?.spec.config ?? {}).filter((entry): entry is [string, Scalar] => isScalar(entry[1])),
  ),
});

/** What is wrong with the name, as a sentence. */
export function nameProblem(name: string): string | undefined {
  const read = ObjectName.safeParse(name);
  if (read.success) return undefined;
  return name.trim() === '' ? 'Enter a name.' : read.error.issues[0]?.message;
}

export const specOf = ({ name, kind, via, config }: TargetDraft): TargetSpec => ({
  name: name.trim(),
  kind,
  via,
  config,
});
