import type { Target, TargetKindInfo } from '../../../../shared/model/target.ts';
import { type Field, type FormValues, readFields } from '../../../forms/index.ts';

/** Choice without a host: no host can have this name. */
export const NOT_KNOWN = 'Unknown';
/** Choice without a server behind the target. */
export const NO_PROXY = 'None: this is the server';

/** Ways of control as named in the form. */
export const CONTROLS = {
  none: 'not controlled',
  systemd: 'systemd unit',
  commands: 'custom commands',
  managed: 'managed by Kneepoint',
} as const;

export interface PlaceChoices {
  readonly kind: TargetKindInfo;
  /** Names of all saved hosts, this computer first. */
  readonly hosts: readonly string[];
  readonly targets: readonly Target[];
  /** Name of the target of the form: it cannot be in front of itself. */
  readonly name: string;
  /** The host of a server while none is chosen; absent: unknown. */
  readonly presetHost?: string | undefined;
}

type Words = Pick<Field, 'title' | 'description'> & Partial<Omit<Field, 'name' | 'title' | 'description'>>;

const TEXT = { kind: 'text', multiline: false, maxLength: 1000 } as const;
const SCRIPT = { kind: 'text', multiline: true, maxLength: 10_000 } as const;

const field = (name: string, { title, description, ...more }: Words): Field => ({
  name,
  title,
  description,
  group: '',
  shape: TEXT,
  required: false,
  main: false,
  ...more,
});

/** Fields for the place of a server, as far as they apply to the current values. Values are those of `valuesOf`. */
export function placeFields(choices: PlaceChoices, values: FormValues): Field[] {
  const host = field('host', {
    title: isProxy(values) ? 'Proxy host' : 'Server host',
    description: isProxy(values)
      ? 'Needed to start the proxy, and to record its CPU and network. Caches and host settings belong to the server behind it.'
      : 'Needed to start the server, drop caches, and vary host settings or server settings that need a restart.',
    shape: { kind: 'choice', choices: [NOT_KNOWN, ...choices.hosts] },
    default: presetOf(choices, values) ?? NOT_KNOWN,
  });
  const behind = behindField(choices, values);
  if (hostIn(choices, values) === NOT_KNOWN) return [...behind, host];
  const ways = choices.kind.managed ? Object.values(CONTROLS) : [CONTROLS.none, CONTROLS.systemd, CONTROLS.commands];
  const control = field('control', {
    title: 'Control',
    description: 'How the server is started and stopped on that host.',
    shape: { kind: 'choice', choices: ways },
    default: CONTROLS.none,
  });
  return [...behind, host, control, ...controlFields(choices, values), ...commonFields(choices, values)];
}

/** The preset is for servers: the address of a proxy is not that of the server behind it. */
const presetOf = ({ presetHost }: PlaceChoices, values: FormValues): string | undefined =>
  isProxy(values) ? undefined : presetHost;

/** The host in force: the chosen one, else the preset. */
export const hostIn = (choices: PlaceChoices, values: FormValues): string =>
  String(values.host ?? presetOf(choices, values) ?? NOT_KNOWN);

/** Whether another server is selected behind the target. */
export const isProxy = ({ behind }: FormValues): boolean =>
  behind !== undefined && behind !== NO_PROXY && behind !== '';

/** Empty if no other target of the kind is saved. */
function behindField({ kind, targets, name }: PlaceChoices, values: FormValues): Field[] {
  const others = targets.flatMap(({ spec }) => (spec.kind === kind.kind && spec.name !== name ? [spec.name] : []));
  const needed = isPooler(kind, values);
  if (others.length === 0 && !needed) return [];
  return [
    field('behind', {
      title: 'Server behind it',
      description:
        'For a proxy, pooler or router: the target that leads to the server directly. Data is prepared there; caches, durability and settings are those of that server.',
      shape: { kind: 'choice', choices: needed ? others : [NO_PROXY, ...others] },
      required: needed,
      ...(!needed && { default: NO_PROXY }),
    }),
  ];
}

function controlFields(choices: PlaceChoices, values: FormValues): readonly Field[] {
  switch (values.control) {
    case CONTROLS.systemd:
      return [
        field('unit', {
          title: 'Unit',
          description: 'Name used by systemctl, such as mariadb.service.',
          shape: { ...TEXT, maxLength: 200 },
          required: true,
        }),
        field('sudo', {
          title: 'Use sudo',
          description:
            'Run systemctl through sudo, and write the settings file through it. sudo must not ask for a password.',
          shape: { kind: 'switch' },
          default: false,
        }),
      ];
    case CONTROLS.commands:
      return COMMANDS;
    case CONTROLS.managed:
      return managedFields(choices, values);
    default:
      return [];
  }
}

const COMMANDS: readonly Field[] = [
  field('start', { title: 'Start command', description: 'Run by sh on that host.', shape: SCRIPT, required: true }),
  field('stop', { title: 'Stop command', description: 'Run by sh on that host.', shape: SCRIPT, required: true }),
  field('restart', { title: 'Restart command', description: 'Default: stop, then start.', shape: SCRIPT }),
  field('reload', {
    title: 'Reload command',
    description: 'Makes the server reload its files. Without it, settings that need a reload are refused.',
    shape: SCRIPT,
  }),
  field('kill', {
    title: 'Kill command',
    description: 'Ends the main process at once with SIGKILL. Without it, no event of a trial can kill the server.',
    shape: SCRIPT,
  }),
  field('status', {
    title: 'Status command',
    description: 'Exits with 0 while the server is up. Without it, the server is up if it responds.',
    shape: SCRIPT,
  }),
];

function managedFields({ kind }: PlaceChoices, values: FormValues): Field[] {
  return [
    field('program', {
      title: 'Program',
      description: `${kind.managed?.programs.join(' or ') ?? ''}: its name, or its path on that host.`,
      required: true,
    }),
    ...(isPooler(kind, values) ? poolerFields(kind) : []),
    field('folder', {
      title: 'Data folder',
      description:
        'Created by Kneepoint; an existing folder must be empty. Default: a folder of the account on that host.',
      shape: { ...TEXT, pattern: '^/[^/]' },
    }),
    field('settings', {
      title: 'Base settings',
      description: 'One name = value per line, by the server’s own names. Applied at each start.',
      shape: SCRIPT,
    }),
  ];
}

/** The settings of a pooler with their own fields. */
export const poolerFields = (kind: TargetKindInfo): Field[] => readFields(kind.managed?.pooler?.schema ?? {});

/** Whether the program is a proxy in front of another server. */
export function isPooler(kind: TargetKindInfo, { program }: FormValues): boolean {
  const name = kind.managed?.pooler?.program;
  return (
    name !== undefined &&
    String(program ?? '')
      .replace(/^.*\//, '')
      .startsWith(name)
  );
}

/** Among proxies, only a known pooler has its own settings. */
export const takesSettingsFile = (kind: TargetKindInfo | undefined, values: FormValues): boolean =>
  kind?.settingsFile === true && (!isProxy(values) || kind.managed?.pooler !== undefined);

function commonFields({ kind }: PlaceChoices, values: FormValues): Field[] {
  const { control } = values;
  const file = field('settingsFile', {
    title: 'Settings file',
    description:
      'A file included by the server and written only by Kneepoint, for settings that need a restart. Emptied at the end.',
    shape: { ...TEXT, pattern: '^/' },
  });
  const limit = field('limitSeconds', {
    title: 'Time limit',
    description: 'How long a start, stop or restart may take.',
    shape: { kind: 'number', integer: true, minimum: 1, maximum: 86_400, words: [], duration: 's' },
    unit: 's',
    default: 120,
  });
  return [
    ...(takesSettingsFile(kind, values) && control !== CONTROLS.managed ? [file] : []),
    ...((control ?? CONTROLS.none) === CONTROLS.none ? [] : [limit]),
  ];
}
