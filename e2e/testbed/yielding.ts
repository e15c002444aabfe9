import { ALONE } from '../../scripts/test/admission.ts';

/**
 * Put before a command: load and servers of one test leave the processors to what the others wait for, and take what is left. Where a test has the
 * machine to itself nobody waits, and what is measured there is as a host has it: no process is nice.
 */
export const yielding = (): readonly string[] => (process.env[ALONE] === undefined ? ['nice', '-n', '5'] : []);
