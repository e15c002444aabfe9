import { randomBytes } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import { type DeviceReading, parseReading } from './reading.ts';
import { deviceScript } from './script.ts';

const LIMIT_MS = 60_000;

/** Looks at everything that uses block devices on a machine, and closely at one. Nothing is written there. Throws what `Machine.exec` throws. */
export async function readDevice(machine: Machine, path: string, signal?: AbortSignal): Promise<DeviceReading> {
  const nonce = randomBytes(8).toString('hex');
  const { stdout } = await machine.exec(deviceScript(nonce, path), { timeoutMs: LIMIT_MS, ...(signal && { signal }) });
  const reading = parseReading(stdout, nonce, path);
  if (reading) return reading;
  throw new KneepointError({
    code: 'host-refused',
    host: machine.name,
    message: `${machine.name} stopped answering while it was asked about ${path}.`,
    safe: 'Nothing was written to the device.',
    next: 'Test the host, then start again.',
  });
}
