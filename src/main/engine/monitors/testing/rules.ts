/** For tests of rooms that may not know what monitors there are. */
export { HOST_RULES } from '../host/rules/index.ts';
