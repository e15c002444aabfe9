import { z } from 'zod';

/** A folder on a generator in which a tool keeps its files, with its file system. Absent: not reported by the host. */
export const StoragePlace = z.object({
  host: z.string(),
  /** As named in the document or target. */
  path: z.string(),
  /** With links resolved, if that path differs. */
  real: z.string().optional(),
  fileSystem: z
    .object({
      type: z.string(),
      /** Source of the mount: a device, a share. */
      source: z.string(),
      mount: z.string(),
      /** Mount options, in the order of the kernel. */
      options: z.array(z.string()),
    })
    .optional(),
  /**
   * The underlying block device. `disk`: the disk of a partition. `below`: the devices it consists of (LVM, RAID, encryption).
   */
  device: z
    .object({
      name: z.string(),
      disk: z.string().optional(),
      model: z.string().optional(),
      below: z.array(z.string()),
    })
    .optional(),
});
export type StoragePlace = z.infer<typeof StoragePlace>;
