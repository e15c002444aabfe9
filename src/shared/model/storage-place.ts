import { z } from 'zod';

/** A folder on a generator in which a tool keeps its files, with the file system that it is on. Absent: not reported by the host. */
export const StoragePlace = z.object({
  host: z.string(),
  /** As the document or the target names it. */
  path: z.string(),
  /** With links followed, if that is another path. */
  real: z.string().optional(),
  fileSystem: z
    .object({
      type: z.string(),
      /** Where it is mounted from: a device, a share. */
      source: z.string(),
      mount: z.string(),
      /** Mount options, in the order of the kernel. */
      options: z.array(z.string()),
    })
    .optional(),
  /** The block device below. `below`: what it is built of (LVM, RAID, encryption). */
  device: z.object({ name: z.string(), model: z.string().optional(), below: z.array(z.string()) }).optional(),
});
export type StoragePlace = z.infer<typeof StoragePlace>;
