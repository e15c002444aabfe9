import { randomBytes } from 'node:crypto';
import type { StoragePlace } from '../../../../shared/model/storage-place.ts';
import { parseStorage, storageScript } from './reading.ts';

/** The file system of a folder, or of its nearest existing parent. Undefined if the host does not report it. */
export async function readPlace(
  exec: (script: string) => Promise<{ stdout: string }>,
  path: string,
): Promise<Omit<StoragePlace, 'host'> | undefined> {
  let at = path;
  for (;;) {
    const nonce = randomBytes(8).toString('hex');
    const reading = parseStorage((await exec(storageScript(nonce, at))).stdout, nonce);
    if (!reading) return undefined;
    if (reading.kind === 'missing' && at !== '/') {
      at = at.replace(/\/+[^/]*\/*$/, '') || '/';
      continue;
    }
    const { filesystem, device, mountOptions, real } = reading;
    return {
      path,
      ...(at === path && real !== '' && real !== path && { real }),
      ...(filesystem && {
        fileSystem: {
          type: filesystem.type,
          source: filesystem.source,
          mount: filesystem.mount,
          options: mountOptions,
        },
      }),
      ...(device && {
        device: {
          ...{ name: device.name, below: device.below },
          ...(device.disk !== '' && device.disk !== device.name && { disk: device.disk }),
          ...(device.model !== undefined && { model: device.model }),
        },
      }),
    };
  }
}
