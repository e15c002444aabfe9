import type { Scalar } from '../../../shared/model/experiment.ts';
import { ObjectName } from '../../../shared/model/host.ts';
import type {
  Target,
  TargetDescription,
  TargetKind,
  TargetKindInfo,
  TargetSpec,
} from '../../../shared/model/target.ts';
import { isLoopback } from '../../../shared/util/virtual-disk.ts';
import { type FormValues, readFields } from '../../forms/index.ts';
import { placeOf, proxiedTarget, valuesOf } from './place/values.ts';

/** A target as typed. */
export interface TargetDraft {
  name: string;
  kind: TargetKind;
  via: string | null;
  config: FormValues;
  /** The place of its server, and the server behind a proxy, as form values. */
  server: FormValues;
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

export const draftOf = (target: Target | undefined, kinds: readonly TargetKindInfo[], name = ''): TargetDraft => ({
  name: target?.spec.name ?? name,
  kind: target?.spec.kind ?? kinds[0]?.kind ?? '',
  via: target?.spec.via ?? null,
  config: Object.fromEntries(
    Object.entries(target?.spec.config ?? {}).filter((entry): entry is [string, Scalar] => isScalar(entry[1])),
  ),
  server: valuesOf(
    target?.spec ?? {},
    kinds.find(({ kind }) => kind === target?.spec.kind),
  ),
});

/** Problem of the name, as a sentence. */
export function nameProblem(name: string): string | undefined {
  const read = ObjectName.safeParse(name);
  if (read.success) return undefined;
  return name.trim() === '' ? 'Enter a name.' : read.error.issues[0]?.message;
}

export function specOf({ name, kind, via, config, server }: TargetDraft, kinds: readonly TargetKindInfo[]): TargetSpec {
  const info = kinds.find((entry) => entry.kind === kind);
  const place = info?.via === 'connection' ? placeOf(server, info) : undefined;
  const behind = info?.via === 'connection' ? proxiedTarget(server) : undefined;
  return {
    ...{ name: name.trim(), kind, via, config },
    ...(place && { server: place }),
    ...(behind !== undefined && { behind }),
  };
}

/**
 * Whether tools could send the password of a target in cleartext over a network, so that their start would be refused: TLS is not certain,
 * and that has not been allowed.
 */
export function sendsReadable(
  { config, via }: Pick<TargetDraft, 'config' | 'via'>,
  kind: TargetKindInfo | undefined,
): boolean {
  const fields = readFields(kind?.schema ?? {});
  if (!fields.some(({ name }) => name === 'allowCleartextPassword')) return false;
  const given = { ...Object.fromEntries(fields.map(({ name, default: preset }) => [name, preset])), ...config };
  const isLocal = via === null && isLoopback(String(given.address ?? ''));
  return (
    given.allowCleartextPassword !== true &&
    (given.tls === 'disabled' || given.tls === 'preferred') &&
    String(given.socket ?? '') === '' &&
    !isLocal
  );
}

/** A name for a new target that no other one has: “MariaDB on 127.0.0.1”. */
export function proposedName(
  { product }: Pick<TargetDescription, 'product'>,
  { address, path, directory, port }: FormValues,
  taken: readonly string[],
): string | undefined {
  const place = [address, path, directory].map((value) => String(value ?? '').trim()).find((value) => value !== '');
  const plain = (text: string): string =>
    text
      .replace(/[^\p{L}\p{N} ._@()+-]+/gu, ' ')
      .trim()
      .replace(/ +/g, ' ');
  const name = plain(place === undefined ? product : `${product} on ${place}`);
  const withPort = port === undefined || port === '' ? name : `${name} port ${String(port)}`;
  const free = [name, withPort, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${withPort} (${number})`)];
  return free.find((each) => !taken.includes(each) && nameProblem(each) === undefined);
}

/**
 * Whether the server of a connection is on this computer, by its address and route. A tunnel can still lead elsewhere. `own`: addresses of
 * this computer.
 */
export function seemsLocal({ via, config }: Pick<TargetDraft, 'via' | 'config'>, own: readonly string[]): boolean {
  if (via !== null) return false;
  const address = String(config.address ?? '').trim();
  return address === '' ? String(config.socket ?? '') !== '' : isLoopback(address) || own.includes(address);
}
