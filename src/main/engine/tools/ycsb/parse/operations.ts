/** Names that YCSB measures under, by the word that metric ids use for them. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['READ', 'read'],
  ['UPDATE', 'update'],
  ['INSERT', 'insert'],
  ['SCAN', 'scan'],
  ['DELETE', 'delete'],
  ['READ-MODIFY-WRITE', 'rmw'],
]);
/** Measured beside the load: closing connections, checking what was read, and the JVM's own state (not even times). */
const BESIDE: ReadonlySet<string> = new Set([
  ...['CLEANUP', 'VERIFY'],
  ...['THREAD_COUNT', 'SYS_LOAD_AVG', 'GCS', 'GCS_TIME', 'USED_MEM_MB'],
]);

export interface OperationName {
  /** YCSB's name without prefixes and suffixes. */
  base: string;
  /** Word of metric ids; undefined for what is not load. */
  kind: string | undefined;
  failed: boolean;
  /** Measured from the moment it was due (`measurement.interval`). */
  intended: boolean;
  /** Which of two measurements at once it is from; the HdrHistogram is the exact one. */
  form: 'hdr' | 'raw' | 'bucket';
}

const FORMS = { Hdr: 'hdr', Raw: 'raw', Bucket: 'bucket' } as const;
const NAME = /^(?<form>Hdr|Raw|Bucket)?(?<intended>Intended-)?(?<base>READ-MODIFY-WRITE|[^-]+?)(?<status>-[A-Z_]+)?$/;

/** What a name in brackets stands for: `READ`, `READ-FAILED`, `Intended-READ`, `HdrUPDATE`. */
export function operationName(name: string): OperationName {
  const { form, intended, base = name, status } = NAME.exec(name)?.groups ?? {};
  return {
    base,
    kind: KINDS.get(base),
    failed: status !== undefined && status !== '-OK',
    intended: intended !== undefined,
    form: form === undefined ? 'hdr' : FORMS[form as keyof typeof FORMS],
  };
}

export const isKnownOperation = ({ base, kind }: OperationName): boolean => kind !== undefined || BESIDE.has(base);
