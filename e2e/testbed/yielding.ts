import { ALONE } from '../../scripts/test/admission.ts';

/**
 * Prefix of a command: load and servers of one test yield the processors to those that other tests wait for. If a test has the machine to itself,
 * no process is niced, so its measurements are those of a real host.
 */
export const yielding = (): readonly string[] => (process.env[ALONE] === undefined ? ['nice', '-n', '5'] : []);
