import { ioScheduler, queue, readAhead } from './block-device.ts';
import { cpuBoost, cpuGovernor, cpuThreads, serverCpus } from './cpus.ts';
import { hugePages, sysctl, transparentHugePages, transparentHugePagesDefrag } from './kernel.ts';
import { mountOption } from './mount-options.ts';
import { nicRate, nicSpeed } from './nic.ts';
import type { HostSetting } from './setting.ts';

/** Every host setting that can be varied, in the order of lists. */
export const SETTINGS: readonly HostSetting[] = [
  sysctl,
  transparentHugePages,
  transparentHugePagesDefrag,
  hugePages,
  ioScheduler,
  readAhead,
  queue,
  mountOption,
  cpuGovernor,
  cpuBoost,
  cpuThreads,
  serverCpus,
  nicRate,
  nicSpeed,
];

export const settingNamed = (name: string): HostSetting | undefined =>
  SETTINGS.find((setting) => setting.name === name);
