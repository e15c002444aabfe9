export { commandMonitor } from './command/index.ts';
export { hostMonitor } from './host/index.ts';
export { HOST_RULES } from './host/rules/index.ts';
export { serverJob } from './server/index.ts';
export { ServerParser } from './server/parse.ts';
