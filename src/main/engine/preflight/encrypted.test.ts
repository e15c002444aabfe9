import { expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import type { ConnectionFacts, TargetDescription } from '../../../shared/model/target.ts';
import { resolveCells, stepsOf } from '../plans/index.ts';
import { toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { isEncrypted } from './tool-check.ts';

function encrypted(
  id: string,
  options: Record<string, string>,
  connection: ConnectionFacts,
  description?: Pick<TargetDescription, 'encrypted'>,
): boolean {
  const experiment = Experiment.parse({
    kneepoint: 1,
    name: 'Encrypted',
    workload: { tool: id, options },
    where: { generators: ['load1'], target: 'db' },
    measure: { warmup: 0, duration: 10 },
  });
  const tool = toolById(id) as Tool;
  return isEncrypted(
    { tool, steps: stepsOf(resolveCells(experiment, tool)) },
    {
      name: 'db',
      connection,
      ...(description && { description: description as TargetDescription }),
    },
  );
}
const mysql = (tls: ConnectionFacts['tls']): ConnectionFacts => ({ kind: 'mysql', host: 'db1', ...(tls && { tls }) });
const postgres = (tls: ConnectionFacts['tls']): ConnectionFacts => ({ ...mysql(tls), kind: 'postgres' });
const offered = { encrypted: true };

it('a tool with its own TLS option is reported by it, whatever the connection of the app', () => {
  const script = { script: 'oltp_read_only' };
  expect(encrypted('sysbench', script, mysql('preferred'), offered)).toBe(false);
  expect(encrypted('sysbench', script, mysql('required'), offered)).toBe(true);
  expect(encrypted('sysbench', { ...script, 'mysql-ssl': 'off' }, mysql('required'), offered)).toBe(false);
  expect(encrypted('sysbench', { ...script, 'mysql-ssl': 'on' }, mysql('disabled'))).toBe(true);
});

it('other tools follow the target, and its default follows the server', () => {
  expect(encrypted('pgbench', {}, postgres('verify'))).toBe(true);
  expect(encrypted('pgbench', {}, postgres('disabled'), offered)).toBe(false);
  expect(encrypted('pgbench', {}, postgres('preferred'), offered)).toBe(true);
  expect(encrypted('pgbench', {}, postgres('preferred'), { encrypted: false })).toBe(false);
  expect(encrypted('pgbench', {}, { ...postgres('required'), socket: '/run/postgresql' })).toBe(false);
});
