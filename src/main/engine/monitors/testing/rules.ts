/** For tests of rooms that may not depend on the monitors. */
export { HOST_RULES } from '../host/rules/index.ts';
