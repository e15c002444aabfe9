import type { Scalar } from '../../../../shared/model/experiment.ts';
import type { ServerControl, ServerPlace, TargetKindInfo, TargetSpec } from '../../../../shared/model/target.ts';
import type { FormValues } from '../../../forms/index.ts';
import { CONTROLS, isPooler, NO_PROXY, NOT_KNOWN, poolerFields, takesSettingsFile } from './fields.ts';

type Managed = Extract<ServerControl, { kind: 'managed' }>;

const isControl = (name: string): name is keyof typeof CONTROLS => name in CONTROLS;

/** The host of a saved target's server, and the server behind it, as form values: only those that differ from the defaults. */
export function valuesOf(
  { server: place, behind }: Pick<TargetSpec, 'server' | 'behind'>,
  kind: TargetKindInfo | undefined,
): FormValues {
  if (!place) return given({ behind });
  const { host, control, settingsFile, limitSeconds } = place;
  return given({
    behind,
    host,
    control: control.kind === 'none' ? undefined : CONTROLS[control.kind],
    ...(control.kind === 'managed' ? managedValues(control, kind) : ofControl(control)),
    settingsFile,
    limitSeconds,
  });
}

const ofControl = ({ kind: _kind, ...rest }: Exclude<ServerControl, { kind: 'managed' }>): Record<string, Scalar> =>
  given(rest);

function managedValues({ program, folder, settings }: Managed, kind: TargetKindInfo | undefined) {
  const own = kind && isPooler(kind, { program }) ? poolerFields(kind).map(({ name }) => name) : [];
  const lines = Object.entries(settings).filter(([name]) => !own.includes(name));
  return {
    program,
    folder,
    ...Object.fromEntries(Object.entries(settings).filter(([name]) => own.includes(name))),
    settings: lines.length === 0 ? undefined : lines.map(([name, value]) => `${name} = ${String(value)}`).join('\n'),
  };
}

const given = (values: Readonly<Record<string, Scalar | undefined>>): Record<string, Scalar> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Scalar] => entry[1] !== undefined));

/** The place in the form; undefined: the server host is unknown. */
export function placeOf(values: FormValues, kind: TargetKindInfo | undefined): ServerPlace | undefined {
  const host = text(values.host);
  if (host === undefined || host === NOT_KNOWN) return undefined;
  const control = controlOf(values, kind);
  const settingsFile =
    control.kind === 'managed' || !takesSettingsFile(kind, values) ? undefined : text(values.settingsFile);
  const limit = control.kind === 'none' ? undefined : values.limitSeconds;
  return {
    host,
    control,
    ...(settingsFile !== undefined && { settingsFile }),
    ...(typeof limit === 'number' && { limitSeconds: limit }),
  };
}

/** The server behind a proxy, by its target; undefined: the target is no proxy. */
export function proxiedTarget({ behind }: FormValues): string | undefined {
  const name = text(behind);
  return name === NO_PROXY ? undefined : name;
}

function controlOf(values: FormValues, kind: TargetKindInfo | undefined): ServerControl {
  const way = Object.keys(CONTROLS).find((name) => isControl(name) && CONTROLS[name] === values.control);
  const named = (...names: string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = text(values[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  switch (way) {
    case 'systemd':
      return { kind: 'systemd', unit: text(values.unit) ?? '', sudo: values.sudo === true };
    case 'commands':
      return {
        kind: 'commands',
        start: text(values.start) ?? '',
        stop: text(values.stop) ?? '',
        ...named('restart', 'reload', 'kill', 'status'),
      };
    case 'managed': {
      const pooler = kind !== undefined && isPooler(kind, values);
      return {
        kind: 'managed',
        program: text(values.program) ?? '',
        ...named('folder'),
        settings: { ...readSettings(values.settings).settings, ...(pooler && poolerSettings(values, kind)) },
      };
    }
    default:
      return { kind: 'none' };
  }
}

const poolerSettings = (values: FormValues, kind: TargetKindInfo): Record<string, Scalar> =>
  given(Object.fromEntries(poolerFields(kind).map(({ name }) => [name, values[name]])));

/** Parses lines of name = value; `wrong`: the first invalid one. Blank lines and comments are ignored. */
function readSettings(lines: Scalar | undefined): { settings: Record<string, Scalar>; wrong?: string } {
  const settings: Record<string, Scalar> = {};
  for (const line of String(lines ?? '').split('\n')) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { settings, wrong: line.trim() };
    settings[name] = String(Number(value)) === value ? Number(value) : value;
  }
  return { settings };
}

const text = (value: Scalar | undefined): string | undefined => {
  const trimmed = String(value ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
};

/** Problems that the schema of a field cannot express, by field. */
export function placeProblems({ settings }: FormValues): Record<string, string> {
  const { wrong } = readSettings(settings);
  return wrong === undefined ? {} : { settings: `“${wrong}” does not have the form name = value.` };
}
