import { z } from 'zod';
import { AppInfo, DoctorLine, SecretStatus } from '../model/app.ts';
import { LinkState } from '../model/host.ts';
import { Session } from '../model/session.ts';
import { call, stream } from '../rpc/define.ts';

/** Names the changed data, so that a page reloads only that. */
export const AppEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('links'), links: z.array(LinkState) }),
  z.object({ kind: z.literal('session'), session: Session }),
  /** These are unchanged, but their figures have now been calculated. */
  z.object({ kind: z.literal('figures'), sessions: z.array(Session) }),
  z.object({
    kind: z.literal('changed'),
    topic: z.enum([
      'hosts',
      'targets',
      'dataSets',
      'experiments',
      'sessions',
      'costs',
      'tunnels',
      'secrets',
      'library',
    ]),
  }),
]);
export type AppEvent = z.infer<typeof AppEvent>;

export const app = {
  info: call(z.object({}), AppInfo),
  doctor: call(z.object({}), z.array(DoctorLine)),
  /** First the current links and running sessions, then every change. Never ends by itself. */
  watch: stream(z.object({}), AppEvent),
  secrets: call(z.object({}), SecretStatus),
  /** Creates the vault with this passphrase if there is none, otherwise opens it. Wrong passphrase: `vault-locked`. */
  unlockVault: call(z.object({ passphrase: z.string().min(8) }), SecretStatus),
};
