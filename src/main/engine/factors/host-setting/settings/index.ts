import { cpuBoost, cpuGovernor, cpuThreads } from './cpus.ts';
import { hugePages, transparentHugePages, transparentHugePagesDefrag } from './huge-pages.ts';
import { ioScheduler } from './io-scheduler.ts';
import { mountOption } from './mount-option.ts';
import { nicRate } from './nic-rate.ts';
import { nicSpeed } from './nic-speed.ts';
import { queue } from './queue.ts';
import { readAhead } from './read-ahead.ts';
import { serverCpus } from './server-cpus.ts';
import type { HostSetting } from './setting.ts';
import { sysctl } from './sysctl.ts';

/** Every setting of a host that can be varied, in the order in which lists show them. */
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
