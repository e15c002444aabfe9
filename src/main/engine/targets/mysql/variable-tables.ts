import { z } from 'zod';
import { SettingChange } from '../../../../shared/model/target-details.ts';
import { type ByVersion, byVersion } from './by-version.ts';
import tables from './variables.json' with { type: 'json' };

/**
 * Built-in values of MySQL's variables, for MySQL tells one only while it is in force (from 8.0 on): what servers of these versions
 * print with --help and have when nothing is set. Left out: paths, what depends on the machine or on other settings, and values
 * with blanks. Undefined where the version makes it up from other settings or from the machine.
 */
export const MYSQL_DEFAULTS: ByVersion<string> = byVersion(z.string(), tables.defaults);

/**
 * What changes a variable of MySQL, for MySQL does not tell it (MariaDB does): as servers of these versions answer when each is
 * set (error 1238 for those that no statement changes). `fixed`: not an option of the server either, but built in or a fact of its
 * state.
 */
export const MYSQL_CHANGES: ByVersion<SettingChange> = byVersion(SettingChange, tables.changes);
