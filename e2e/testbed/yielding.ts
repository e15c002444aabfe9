/** Put before a command: load and servers of one test leave the processors to what the others wait for, and take what is left. */
export const YIELDING = ['nice', '-n', '5'] as const;
