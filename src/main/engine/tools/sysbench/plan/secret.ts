import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { libpqPassword } from '../../libpq.ts';
import { inVariable, NO_PASSWORD, type PasswordDelivery, secretFile } from '../../secret.ts';

/** Beside what goes in front of the word `sysbench`, options behind it. */
interface SysbenchPassword extends PasswordDelivery {
  options: readonly string[];
}

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
export function deliverPassword({ kind, password }: ConnectionFacts): SysbenchPassword {
  if (!password) return { ...NO_PASSWORD, options: [] };
  if (kind === 'postgres') return { ...libpqPassword(password), options: [] };
  const value = configFileValue(password);
  if (value === undefined) return { ...inVariable('MYSQL_PWD', password), options: [] };
  return {
    files: [secretFile('sysbench.conf', `mysql-password=${value}\n`)],
    before: [],
    options: ['--config-file=@sysbench.conf@'],
  };
}
