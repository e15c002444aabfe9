import { z } from 'zod';
import { Experiment } from './experiment.ts';
import { Finding } from './finding.ts';
import { HostFacts } from './host.ts';
import { Plan } from './plan.ts';
import { TargetDescription } from './target.ts';
import { ServerSetting } from './target-details.ts';

/** A device that may be overwritten, as a step names it, and what tells it from one that has its name later. */
export const GrantedDevice = z.object({ host: z.string(), device: z.string(), identity: z.string() });
export type GrantedDevice = z.infer<typeof GrantedDevice>;

/** What a person started, as it was understood then. Written with the session, never changed. */
export const StartSnapshot = z.object({
  experiment: Experiment,
  /** The YAML as it was written. */
  experimentText: z.string(),
  plan: Plan,
  findings: z.array(Finding),
  appVersion: z.string(),
  primaryMetric: z.string(),
  /** Devices that a person allowed to be overwritten. */
  granted: z.array(GrantedDevice).optional(),
});
export type StartSnapshot = z.infer<typeof StartSnapshot>;

/** What hosts and server said of themselves before the first trial. Read again by a start that was interrupted before it, never changed after. */
export const FactsSnapshot = z.object({
  hosts: z.array(z.object({ name: z.string(), facts: HostFacts.optional() })),
  target: z
    .object({
      name: z.string(),
      kind: z.string(),
      address: z.string().optional(),
      description: TargetDescription.optional(),
      /** All of them, as they were at the start. */
      settings: z.array(ServerSetting).optional(),
    })
    .optional(),
  toolVersion: z.string().optional(),
});
export type FactsSnapshot = z.infer<typeof FactsSnapshot>;

/** Everything that was true when a session started. Hosts have no facts until they were asked. */
export type SessionSnapshot = StartSnapshot & FactsSnapshot;

/** Version of the stored documents; each version knows how to read the one before it. */
export const SNAPSHOT_VERSION = 1;
