import { z } from 'zod';
import { Problem } from './problem.ts';

/** Storage of passwords and passphrases. `launch`: in memory until the app ends. */
export const SecretStatus = z.object({
  keeper: z.enum(['keychain', 'vault', 'launch']),
  /** vault only: whether its passphrase was entered since the app started. */
  unlocked: z.boolean(),
  vaultExists: z.boolean(),
  message: z.string(),
});
export type SecretStatus = z.infer<typeof SecretStatus>;

export const AppInfo = z.object({
  version: z.string(),
  mode: z.enum(['desktop', 'browser', 'cli', 'test']),
  node: z.string(),
  sqlite: z.string(),
  pid: z.number(),
  dataDir: z.string(),
  protocol: z.number(),
  /** Why the library is read-only. */
  readOnly: Problem.optional(),
});
export type AppInfo = z.infer<typeof AppInfo>;

/** One line of `kneepoint doctor`. */
export const DoctorLine = z.object({
  topic: z.string(),
  ok: z.boolean(),
  message: z.string(),
  next: z.string().optional(),
});
export type DoctorLine = z.infer<typeof DoctorLine>;

/** Where an entered password is, in a word or two: one in memory is lost when Kneepoint ends. */
export const secretWords = (status: SecretStatus | undefined): string =>
  status && status.keeper !== 'keychain' && !status.vaultExists && !status.unlocked ? 'in memory' : 'stored';
