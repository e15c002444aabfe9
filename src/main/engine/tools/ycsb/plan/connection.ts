import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import type { Command } from '../../tool.ts';
import { drivesTarget, type YcsbOptions } from '../options/index.ts';
import { connectionProperties, createTable, dropTable, serverKeyFiles } from './jdbc.ts';
import { COLLECTION_PROGRAM, createCollection, dropCollection, mongoProperties } from './mongodb.ts';

type File = Command['files'][number];

/** Operations on the table before the command itself. `fill`: loads it, unmeasured. */
export interface Making {
  drop?: boolean;
  create?: boolean;
  fill?: boolean;
}

const PROPERTIES = 'connection.properties';
const PROGRAM = 'Collection.java';

/** Address, user and password of the target, readable only by their owner. Empty for bindings with a different source. */
export function connectionFiles(options: YcsbOptions, connection: ConnectionFacts): File[] {
  const family = drivesTarget(options);
  if (family === undefined) return [];
  const content = (family === 'jdbc' ? connectionProperties : mongoProperties)(options, connection);
  const keys = family === 'jdbc' ? serverKeyFiles(connection) : [];
  return [{ name: PROPERTIES, content, mode: 0o600, secret: true }, ...keys];
}

/** Files that the launcher needs to create or drop the table. */
export function makingFiles(options: YcsbOptions, { drop, create }: Making): File[] {
  if (drivesTarget(options) !== 'mongodb' || !(drop || create)) return [];
  return [{ name: PROGRAM, content: COLLECTION_PROGRAM, mode: 0o600, secret: false }];
}

/** Launcher arguments for operations on the table and the CA to trust. */
export function tableWords(options: YcsbOptions, connection: ConnectionFacts, making: Making): string[] {
  const family = drivesTarget(options);
  if (family === undefined) return [];
  const jdbc = family === 'jdbc';
  const { caFile, tls } = connection;
  return [
    // pgJDBC and MariaDB's driver read the file themselves.
    ...(!jdbc && tls === 'verify' && caFile ? ['--ca', caFile] : []),
    ...(making.drop || making.create
      ? ['--connection', `@${PROPERTIES}@`, ...(jdbc ? [] : ['--admin', `@${PROGRAM}@`])]
      : []),
    ...(making.drop ? ['--drop', jdbc ? dropTable(options) : dropCollection(options)] : []),
    ...(making.create ? ['--create', jdbc ? createTable(options, connection) : createCollection(options)] : []),
    ...(making.fill ? ['--fill', String(options['load-threads'])] : []),
  ];
}
