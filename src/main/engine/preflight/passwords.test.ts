import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { StartFinding } from './check.ts';
import type { PreflightState } from './state.ts';
import { passwordFindings } from './target-checks.ts';
import { stateOf } from './testing/states.ts';

const server: ConnectionFacts = {
  kind: 'mysql',
  host: '192.0.2.7',
  port: 3306,
  user: 'bench',
  password: 'secret',
  tls: 'preferred',
};

const known = (tool: string, connection: Partial<ConnectionFacts>, version: string): PreflightState =>
  stateOf({
    tool,
    options: tool === 'sysbench' ? '{ script: oltp_read_only }' : '{}',
    version,
    connection: { ...server, ...connection },
  });

const findingsOf = (knowledge: PreflightState): StartFinding[] =>
  knowledge.targets.flatMap((target) => passwordFindings(knowledge, target));

const codes = (knowledge: PreflightState): string[] => findingsOf(knowledge).map(({ code }) => code);

describe('a password that a tool sends by itself', () => {
  it.each([
    ['sysbench', { kind: 'mysql' }, '1.0.20'],
    ['sysbench', { kind: 'mysql', tls: 'disabled' }, '1.0.20'],
    ['sysbench', { kind: 'postgres' }, '1.0.20'],
    ['pgbench', { kind: 'postgres' }, '15.4'],
  ] as const)('of %s on %o could be read by others, and the start is refused', (tool, connection, version) => {
    const [finding, ...others] = findingsOf(known(tool, connection, version));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'readable-password',
      severity: 'block',
      fix: { kind: 'allow-cleartext', target: 'db' },
    });
    expect(finding?.message).toContain('password of bench in cleartext');
    expect(finding?.message).not.toContain('secret');
  });

  it.each([
    ['pgbench', { kind: 'postgres' }, '16.2'],
    ['pgbench', { kind: 'postgres', tls: 'required' }, '15.4'],
    ['sysbench', { kind: 'mysql', tls: 'verify' }, '1.0.20'],
    ['sysbench', { kind: 'mysql', socket: '/run/mysqld/mysqld.sock' }, '1.0.20'],
    ['sysbench', { kind: 'mysql', host: '127.0.0.1' }, '1.0.20'],
    ['sysbench', { kind: 'mysql', allowCleartextPassword: true }, '1.0.20'],
    ['sysbench', { kind: 'mysql', password: '' }, '1.0.20'],
    ['queries', { kind: 'mysql' }, '1'],
  ] as const)('of %s on %o is safe', (tool, connection, version) => {
    expect(codes(known(tool, connection, version))).toEqual([]);
  });
});
