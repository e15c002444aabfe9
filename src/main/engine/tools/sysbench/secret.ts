import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import type { Step } from '../tool.ts';

/** How a step gets its password: a secret file, and the argv in front of and behind the word `sysbench`. */
export interface PasswordDelivery {
  files: Step['files'];
  before: readonly string[];
  options: readonly string[];
}

const secretFile = (name: string, content: string) => ({ name, content, mode: 0o600, secret: true });

/** Reads the password from a file into a variable of the tool alone; the trailing x keeps newlines that `$()` would drop. */
const fromFile = (variable: string) =>
  `${variable}=$(cat -- "$1" && echo x) && ${variable}=\${${variable}%?x} && export ${variable} && shift && exec "$@"`;

const throughEnvironment = (variable: string, password: string): PasswordDelivery => ({
  files: [secretFile('password', `${password}\n`)],
  before: ['sh', '-c', fromFile(variable), 'sh', '@password@'],
  options: [],
});

/**
 * A password as the value of `name=value` in a sysbench configuration file; undefined if it cannot be written there.
 * The file has no escapes: a value ends at a blank or comma unless quoted, and a quoted one at the next quote of its kind.
 */
export function configFileValue(password: string): string | undefined {
  if (/[\n\r\0]/.test(password)) return undefined;
  if (!password.includes('"')) return `"${password}"`;
  if (!password.includes("'")) return `'${password}'`;
  return /^[#"']|[\s,]/.test(password) ? undefined : password;
}

/** `ps` shows argv to every user of the host, so the password goes through a file that only its owner can read. */
export function deliverPassword(connection: ConnectionFacts): PasswordDelivery {
  const password = connection.password;
  if (!password) return { files: [], before: [], options: [] };
  if (connection.kind === 'postgres') {
    if (/[\n\r\0]/.test(password)) return throughEnvironment('PGPASSWORD', password);
    const escaped = password.replace(/[\\:]/g, '\\$&');
    return {
      files: [secretFile('pgpass', `*:*:*:*:${escaped}\n`)],
      before: ['env', 'PGPASSFILE=@pgpass@'],
      options: [],
    };
  }
  const value = configFileValue(password);
  if (value === undefined) return throughEnvironment('MYSQL_PWD', password);
  return {
    files: [secretFile('sysbench.conf', `mysql-password=${value}\n`)],
    before: [],
    options: ['--config-file=@sysbench.conf@'],
  };
}
