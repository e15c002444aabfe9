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

/** A target as typed, saved or not. `secret` absent: the stored one of `id`; null: none. */
const Typed = z.object({ id: z.number().optional(), spec: TargetSpec, secret: z.string().nullable().optional() });

const Saved = z.object({ id: z.number() });
const InState = z.object({ state: ServerState });

export const targets = {
  kinds: call(z.object({}), z.array(TargetKindInfo)),
  list: call(z.object({}), z.array(Target)),
  /** `giveUp` as with hosts: the target's name, to redirect or remove it although settings there have not been restored. */
  save: call(Typed.extend({ giveUp: z.string().optional() }), Target),
  remove: call(Saved.extend({ giveUp: z.string().optional() }), z.object({})),
  test: call(Saved, TargetTest),
  testSpec: call(Typed, TargetTest),
  /** Current settings, sizes, connected clients and counters. */
  inspectSpec: call(Typed, TargetInspection),
  /** State of a saved target's server, read on its host. Throws `bad-request` for a target without a known server host. */
  serverState: call(Saved, InState),
  /** The same, with facts from the server itself and the other libraries that vary it. Throws as `serverState` does. */
  lookAtServer: call(Saved, ServerLook),
  /** Programs on a host that Kneepoint could start a server of the kind from: those it knows, and `also`, by name or path. */
  findPrograms: call(
    z.object({ kind: TargetKind, host: z.string(), also: z.string().optional() }),
    z.array(ServerProgram),
  ),
  /**
   * Resolve when it accepts connections, or is stopped. Throw `conflict` while a session that has not ended uses it, or `server-not-back`.
   */
  startServer: call(Saved, InState),
  stopServer: call(Saved, InState),
  restartServer: call(Saved, InState),
};
