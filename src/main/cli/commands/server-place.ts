import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { ServerPlace } from '../../../shared/model/target.ts';
import { issueWords } from '../../../shared/util/issue-words.ts';
import { UsageError } from '../exit.ts';
import { readText } from '../files.ts';

/** Options for the location of a server: pairs on the command line, or a YAML file in the format of `kneepoint target list --json`. */
export interface PlaceOptions {
  server?: string[];
  serverFile?: string;
  /** The target of the server behind a proxy; empty if it is not a proxy. */
  behind?: string;
}

/** Parts of a target set by these options: the location of its server, and the server behind it. */
export interface Placed {
  server?: ServerPlace;
  behind?: string;
}

/** Names that --server accepts in addition to `set.NAME`. */
const PLACE_NAMES: Readonly<Record<'place' | 'control', readonly string[]>> = {
  place: ['host', 'control', 'settings-file', 'limit'],
  control: [
    ...['unit', 'sudo', 'start', 'stop', 'restart', 'reload', 'kill', 'status'],
    ...['program', 'folder', 'set.NAME'],
  ],
};

/** Name of the server behind a managed PgBouncer in scripts of versions without --behind. */
const EARLIER = 'upstream';

/** Empty if the options set neither. */
export async function readPlace({ server, serverFile, behind }: PlaceOptions): Promise<Placed> {
  if (server !== undefined && serverFile !== undefined)
    throw new UsageError('Use either --server or --server-file, not both.');
  const { upstream, place } = withoutUpstream(
    serverFile !== undefined ? placeFile(await readText(serverFile), serverFile) : server && fromPairs(server),
  );
  const target = behind ?? upstream;
  return { ...(place !== undefined && { server: checked(place) }), ...(target !== undefined && { behind: target }) };
}

const WithUpstream = z.looseObject({ control: z.looseObject({ upstream: z.string() }) });

/** Files of versions without `behind` name the server behind a managed PgBouncer as the upstream of its control. */
function withoutUpstream(place: unknown): { place: unknown; upstream?: string } {
  const { data } = WithUpstream.safeParse(place);
  if (!data) return { place };
  const { upstream, ...control } = data.control;
  return { place: { ...data, control }, upstream };
}

function placeFile(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

function checked(place: unknown): ServerPlace {
  const read = ServerPlace.safeParse(place);
  if (read.success) return read.data;
  const words = read.error.issues.map((issue) => [issue.path.join('.'), issueWords(issue)].filter(Boolean).join(': '));
  throw new UsageError(`Server host: ${words.join('; ')}`);
}

function fromPairs(pairs: readonly string[]): unknown {
  const given = new Map(pairs.map(pairOf));
  const settings = [...given].flatMap(([name, value]) => (name.startsWith('set.') ? [[name.slice(4), value]] : []));
  const take = (name: string): string | undefined => given.get(name);
  const limit = take('limit');
  const sudo = take('sudo');
  const control = Object.fromEntries(
    [...PLACE_NAMES.control, EARLIER].flatMap((name) =>
      given.has(name) && name !== 'sudo' ? [[name, take(name)]] : [],
    ),
  );
  return {
    host: take('host'),
    control: {
      kind: take('control') ?? 'none',
      ...control,
      ...(sudo !== undefined && { sudo: sudo === 'true' }),
      ...(settings.length > 0 && { settings: Object.fromEntries(settings) }),
    },
    ...(given.has('settings-file') && { settingsFile: take('settings-file') }),
    ...(limit !== undefined && { limitSeconds: Number(limit) }),
  };
}

function pairOf(pair: string): [string, string] {
  const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
  const names = [...PLACE_NAMES.place, ...PLACE_NAMES.control];
  if (!names.includes(name) && name !== EARLIER && !/^set\.[^.]/.test(name))
    throw new UsageError(`--server takes one of ${names.join(', ')} as name=value, not “${pair}”.`);
  return [name, value];
}
