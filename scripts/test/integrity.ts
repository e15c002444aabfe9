/** Name of the error by which the test run recognises lost, doubled or wrong data: such a test gets no second chance. */
export const INTEGRITY_ERROR = 'IntegrityError';

/** Runs assertions about recorded data. If one of them fails then data was lost, doubled or wrong, however busy the machine is. */
export function integrity(about: string, assertions: () => void): void {
  try {
    assertions();
  } catch (cause) {
    const error = new Error(`${about}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    error.name = INTEGRITY_ERROR;
    throw error;
  }
}
