import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../src/shared/model/session.ts';
import { lacksGo, startFerretDb } from '../testbed/databases/index.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { answerOf, expectSameResult, HOST, QueriesBed } from './testing/queries-bed.ts';
import { toolFindings } from './testing/session.ts';

/** The server is built by the first test on a machine. */
const BUILD_LIMIT = 900_000;

describe.skipIf(lacksGo())('the template of pipelines on FerretDB', () => {
  let bed: QueriesBed;
  let server: Awaited<ReturnType<typeof startFerretDb>>;
  beforeAll(async () => {
    bed = await QueriesBed.start();
    // On our side of the bridge, so that the host reaches it as well.
    const address = canMakeNetworks() ? bed.host.address.replace(/\.\d+$/, '.254') : '127.0.0.1';
    server = await startFerretDb({ address });
    await bed.addTarget('texts', 'mongodb', server);
  }, BUILD_LIMIT);
  afterAll(async () => {
    await bed?.close();
    await server?.stop();
  });

  it('returns the same rows for each variant, from the host and from this computer', async () => {
    const there = await bed.template('queries-filter-and-unwind', 'texts', HOST);
    expect(there).toHaveLength(6);
    for (const { levels, state, message, summary, findings } of there) {
      expect({ state, message }).toEqual({ state: 'done', message: undefined });
      expect(summary).toMatchObject({ result_rows: 40, executions_total: 3 });
      expect(toolFindings(findings).map(({ code }) => code)).toEqual(['query-plan', 'query-facts']);
      expect(findings[1]?.evidence).toMatch(/"n": 50/);
      expectSameResult(there.filter((run) => run.levels.values === levels.values));
    }
    expect(new Set(there.map(({ summary }) => summary.result_checksum)).size).toBe(3);
    const [here, ...others] = await bed.template('queries-filter-and-unwind', 'texts', 'this computer', 1);
    expect(others).toEqual([]);
    expect(there.map(answerOf)).toContainEqual(answerOf(here as Run));
  });
});
