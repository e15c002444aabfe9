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
      'auto prepares statements once per connection, disable sends each as text: required with poolers that share server connections between transactions.',
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
      .regex(/^(all|\d+(,\d+)*)?$/, '“all”, or error numbers separated by commas.')
      .default('1213,1020,1205'),
    {
      title: 'Ignored errors',
      description:
        'MySQL error numbers after which an event is restarted instead of ending the run: 1213 deadlock, 1020 record changed, 1205 lock wait timeout. Do not add 2013 or all with Debian’s sysbench: its reconnect crashes.',
      group,
      when,
    },
  ),
  'mysql-further-hosts': option(
    z
      .string()
      .regex(/^([A-Za-z0-9][A-Za-z0-9.:_-]*(,[A-Za-z0-9][A-Za-z0-9.:_-]*)*)?$/, 'Addresses separated by commas.')
      .default(''),
    {
      title: 'Additional addresses',
      description:
        'Additional addresses of the same MySQL server, separated by commas, for this experiment only; the target can have them too. Connections are distributed over all addresses. Each generator can open about 28,000 connections per address with Linux defaults, 64,000 at most.',
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
    title: 'TLS folder',
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
      description: 'Required cipher for MySQL connections with TLS; empty = negotiated by client and server.',
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
    description: 'Reconnect after this many events of a thread, to measure connection cost. sysbench 1.1 and later.',
    unit: 'events',
    group,
    versions: { from: '1.1' },
    when,
  }),
};
