import { z } from 'zod';
import { option } from '../../tool.ts';
import { LIBRARY_SCRIPTS, SQL_SCRIPTS, TABLE_SCRIPTS } from '../scripts/index.ts';

const group = 'Connection';
const when = { option: 'script', in: SQL_SCRIPTS };

/** How sysbench communicates with the server. Options that begin with `mysql-` are omitted for PostgreSQL. */
export const serverOptions = {
  'db-ps-mode': option(z.enum(['auto', 'disable']).default('auto'), {
    title: 'Prepared statements',
    description:
      'auto prepares statements once per connection, disable sends each as text: needed by poolers that share server connections between transactions.',
    group,
    when,
  }),
  'mysql-storage-engine': option(
    z
      .string()
      .regex(/^[A-Za-z0-9_]+$/)
      .default('innodb'),
    {
      title: 'Storage engine',
      description: 'Engine of the tables that prepare creates (MySQL family only).',
      group: 'Data',
      when: { option: 'script', in: [...TABLE_SCRIPTS, ...LIBRARY_SCRIPTS] },
    },
  ),
  'mysql-ignore-errors': option(
    z
      .string()
      .regex(/^(all|\d+(,\d+)*)?$/, '“all”, or error numbers with commas between.')
      .default('1213,1020,1205'),
    {
      title: 'Ignored errors',
      description:
        'MySQL error numbers after which an event is started again instead of ending the run: 1213 deadlock, 1020 record changed, 1205 lock wait timeout. Do not add 2013 or all with Debian’s sysbench: its reconnect crashes.',
      group,
      when,
    },
  ),
  'mysql-further-hosts': option(
    z
      .string()
      .regex(/^([A-Za-z0-9][A-Za-z0-9.:_-]*(,[A-Za-z0-9][A-Za-z0-9.:_-]*)*)?$/, 'Addresses with commas between.')
      .default(''),
    {
      title: 'Additional addresses',
      description:
        'More addresses of the same MySQL server in this experiment alone, with commas between; the target can have them too. Connections go to the target’s addresses and to these in turn, so that each generator has its local ports once for each: about 28,000 connections per address as Linux is set up, 64,000 at most.',
      group,
      when,
    },
  ),
  'mysql-ssl': option(z.enum(['auto', 'on', 'off']).default('auto'), {
    title: 'TLS to MySQL',
    description:
      'auto follows the target: on when it requires TLS. sysbench 1.0 reads cacert.pem, client-cert.pem and client-key.pem from one folder and refuses to connect without all three.',
    group,
    when,
  }),
  'mysql-ssl-directory': option(z.string().regex(/^\//, 'An absolute path.').optional(), {
    title: 'Folder of TLS files',
    description:
      'Folder on the generator that holds cacert.pem, client-cert.pem and client-key.pem, the client’s certificate signed by a CA that the server trusts.',
    group,
    when,
  }),
  'mysql-ssl-cipher': option(
    z
      .string()
      .regex(/^[A-Za-z0-9_:+!-]*$/)
      .default(''),
    {
      title: 'TLS cipher',
      description: 'Cipher to insist on for MySQL connections with TLS; empty = what client and server agree on.',
      group,
      when,
    },
  ),
  'mysql-compression': option(z.boolean().default(false), {
    title: 'Compression',
    description: 'Compress the MySQL protocol: saves network, costs CPU on both sides.',
    group,
    when,
  }),
  reconnect: option(z.int().min(0).optional(), {
    title: 'Reconnect after',
    description:
      'Open a new connection after this many events of a thread, to measure connection cost. From sysbench 1.1 on.',
    unit: 'events',
    group,
    versions: { from: '1.1' },
    when,
  }),
};
