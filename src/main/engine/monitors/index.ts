export { commandMonitor } from './command/index.ts';
export { tryLines } from './command/parse.ts';
export { hostMonitor } from './host/index.ts';
export { HOST_RULES } from './host/rules/index.ts';
export { serverJob, serverReader, statementsReader } from './server/index.ts';
