import { z } from 'zod';
import {
  ServerLook,
  ServerProgram,
  ServerState,
  Target,
  TargetKind,
  TargetKindInfo,
  TargetSpec,
  TargetTest,
} from '../model/target.ts';
import { TargetInspection } from '../model/target-details.ts';
import { call } from '../rpc/define.ts';

/** A target as typed, saved or not. `secret` absent: the kept one of `id`; null: none. */
const Typed = z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() });

const Saved = z.object({ id: z.number() });
const InState = z.object({ state: ServerState });

export const targets = {
  kinds: call(z.object({}), z.array(TargetKindInfo)),
  list: call(z.object({}), z.array(Target)),
  /** `giveUp` as with hosts: its name, to point it elsewhere, or remove it, although something there has not been put back. */
  save: call(Typed.extend({ giveUp: z.string().optional() }), Target),
  remove: call(Saved.extend({ giveUp: z.string().optional() }), z.object({})),
  test: call(Saved, TargetTest),
  testSpec: call(Typed, TargetTest),
  /** All settings, sizes, who is connected and the counters, at this moment. */
  inspectSpec: call(Typed, TargetInspection),
  /** The server of a saved target, asked on its host. Throws `bad-request` for a target that does not say where its server lives. */
  serverState: call(Saved, InState),
  /** The same, with what the server tells of itself and which other libraries vary it. Throws as `serverState` does. */
  lookAtServer: call(Saved, ServerLook),
  /** Programs from which Kneepoint could start a server of the kind on a host: those it knows, and `also`, by name or path. */
  findPrograms: call(
    z.object({ kind: TargetKind, host: z.string(), also: z.string().optional() }),
    z.array(ServerProgram),
  ),
  /** Resolve when it takes connections, or is stopped. Throw `conflict` while a session that has not ended uses it, `server-not-back`. */
  startServer: call(Saved, InState),
  stopServer: call(Saved, InState),
  restartServer: call(Saved, InState),
};
