import { settingMeasure } from '../../../../../shared/util/setting-value.ts';
import { movesTheServer, notInList, outOfRange } from '../../failure.ts';
import type { Obstacle, VariedSetting } from '../../target.ts';
import type { MySqlConnection } from '../connection.ts';
import { mysqlVariables, rowsOrNone } from '../variables.ts';

const PLACE = new Set(['port', 'socket', 'bind_address', 'datadir', 'skip_networking', 'tmpdir', 'pid_file']);

/** For these, MariaDB reports that no option sets them; the option belongs to another variable. */
const OPTIONS = new Set(['log_bin']);

/** Sources that override any file. */
const STRONGER: ReadonlyMap<string, string> = new Map([
  ['command_line', 'on the server’s command line'],
  ['command-line', 'on the server’s command line'],
  ['persisted', 'by SET PERSIST'],
]);

const overruled = (name: string, source = ''): Obstacle | undefined => {
  const where = STRONGER.get(source);
  return where === undefined
    ? undefined
    : {
        message: `“${name}” is set ${where}, which overrides a settings file.`,
        next: 'Remove it there, so that the file takes effect.',
      };
};

type About = Readonly<Record<'least' | 'most' | 'list', string | undefined>>;
type Abouts = ReadonlyMap<string, About>;

const text = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

/** Accepted values of each variable. Reported by MariaDB, but not by MySQL. */
async function takenValues(connection: MySqlConnection): Promise<Abouts> {
  const rows = await rowsOrNone(
    connection,
    `SELECT LOWER(VARIABLE_NAME), NUMERIC_MIN_VALUE, NUMERIC_MAX_VALUE,
       CASE VARIABLE_TYPE WHEN 'ENUM' THEN ENUM_VALUE_LIST END
     FROM information_schema.SYSTEM_VARIABLES`,
  );
  return new Map(
    rows.map(([name, least, most, list]) => [String(name), { least: text(least), most: text(most), list: text(list) }]),
  );
}

function against(name: string, about: About | undefined, value: string): Obstacle | undefined {
  const amount = settingMeasure(value)?.amount;
  if (about?.least !== undefined && about.most !== undefined && amount !== undefined)
    return amount < Number(about.least) || amount > Number(about.most)
      ? outOfRange(name, value, about.least, about.most)
      : undefined;
  const list = about?.list?.split(',').map((each) => each.trim()) ?? [];
  // A value may also be given by its index in the list.
  if (list.length === 0 || amount !== undefined) return undefined;
  return list.some((each) => each.toLowerCase() === value.toLowerCase()) ? undefined : notInList(name, value, list);
}

/** MySQL since 8.0, MariaDB, and earlier versions. Roles and privileges on single variables may allow it without these. */
const ENOUGH =
  /\b(?:ALL PRIVILEGES|SUPER|SYSTEM_VARIABLES_ADMIN|BINLOG ADMIN|CONNECTION ADMIN|READ_ONLY ADMIN|FEDERATED ADMIN|REPLICATION \w+ ADMIN)\b/i;

/** Why this account cannot use SET GLOBAL, as far as its grants show. */
async function lackOfRights(connection: MySqlConnection): Promise<Obstacle | undefined> {
  const grants = (await connection.query('SHOW GRANTS')).map(([grant]) => String(grant));
  const all = grants.filter((grant) => /\bON \*\.\*/i.test(grant));
  const hasRole = grants.some((grant) => /^GRANT\b/i.test(grant) && !/\bON\b/i.test(grant));
  if (hasRole || all.some((grant) => ENOUGH.test(grant))) return undefined;
  return {
    message: 'The account of the target has no permission to change settings of the server.',
    next: 'Grant it SYSTEM_VARIABLES_ADMIN (MySQL since 8.0) or SUPER (MariaDB, MySQL 5.7) on *.*.',
  };
}

/** Positions in the replication log, which statements can set as well. */
const STATE = /^gtid_(?:binlog_state|slave_pos|purged)$/;

export async function readVariables(
  connection: MySqlConnection,
  names: readonly string[],
): Promise<readonly (VariedSetting | undefined)[]> {
  const found = new Map((await allVariables(connection)).map((setting) => [setting.name.toLowerCase(), setting]));
  return names.map((wanted) => found.get(wanted.toLowerCase()));
}

/** Excludes variables not known to be changed by a statement: they may not be settings. */
export const changeableVariables = async (connection: MySqlConnection): Promise<readonly VariedSetting[]> =>
  (await allVariables(connection)).filter(({ name, isKnown }) => isKnown && !STATE.test(name) && !PLACE.has(name));

async function allVariables(connection: MySqlConnection): Promise<(VariedSetting & { isKnown: boolean })[]> {
  const settings = await mysqlVariables(connection);
  const abouts = await takenValues(connection);
  const lack = await lackOfRights(connection);
  return settings.map(({ name, value, change, source }) => {
    const effect = OPTIONS.has(name) ? 'restart' : change === 'restart' || change === 'fixed' ? change : 'live';
    return {
      name,
      value,
      effect,
      isKnown: change === 'dynamic',
      keptIn: effect === 'live' ? 'memory' : 'file',
      obstacle: PLACE.has(name) ? movesTheServer(name) : effect === 'live' ? lack : overruled(name, source),
      undo: {},
      against: (text) => against(name, abouts.get(name), text),
    };
  });
}
