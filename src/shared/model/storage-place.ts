import { z } from 'zod';

/**
 * A folder in which a tool keeps its files, the data folder of a target's server, or a whole device, which has no file system. Absent: not
 * reported by the host.
 */
export const StoragePlace = z.object({
  host: z.string(),
  /** The target whose data folder it is. Absent: a folder or device of a tool. */
  target: z.string().optional(),
  /** As named in the document or target, or as the server reports it. */
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
      /** From the queue of the disk. `rotational` is false for flash, and for virtual disks that report so. */
      scheduler: z.string().optional(),
      rotational: z.boolean().optional(),
    })
    .optional(),
});
export type StoragePlace = z.infer<typeof StoragePlace>;
