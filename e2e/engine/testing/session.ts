import { checkOf } from '../../../src/shared/checks/index.ts';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import type { Finding } from '../../../src/shared/model/finding.ts';
import { ENDED_SESSION, type Session } from '../../../src/shared/model/session.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';

export const ended = ({ state }: Session): boolean => ENDED_SESSION.includes(state);

/** Resolves with the session once the condition holds; rejects if the session ends first. */
export async function until(
  client: Client<AppContract>,
  id: number,
  holds: (session: Session) => boolean,
): Promise<Session> {
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'session' && holds(event.session)) return event.session;
  const { session } = await client.sessions.get({ id });
  if (holds(session)) return session;
  throw new Error(`The session ended as ${session.state}: ${session.message}`);
}

/** Resolves once the trial has recorded a second. */
export async function measuring(client: Client<AppContract>, id: number, trial = 0): Promise<void> {
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'run' && event.run.trial === trial && event.run.state === 'running' && event.run.seconds >= 1)
      return;
  throw new Error('The trial never got that far.');
}

/** Findings from the tool of a run, without those from monitoring, which depend on other load of the machine. */
export const toolFindings = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ code }) => checkOf(code)?.when !== 'run');
