/** Name of the error by which the test run recognises lost, doubled or wrong data: such a test is not retried. */
export const INTEGRITY_ERROR = 'IntegrityError';

/** Runs assertions about recorded data. If one of them fails, data was lost, doubled or wrong, regardless of the load of the machine. */
export function integrity(about: string, assertions: () => void): void {
  try {
    assertions();
  } catch (cause) {
    const error = new Error(`${about}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    error.name = INTEGRITY_ERROR;
    throw error;
  }
}
