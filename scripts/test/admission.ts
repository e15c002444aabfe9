import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Environment variable with the path of the socket at which tests ask to start. Not set if a runner was started by hand. */
export const ADMISSION = 'KNEEPOINT_TEST_ADMISSION';

/** Set if a test file has the machine to itself. */
export const ALONE = 'KNEEPOINT_TEST_ALONE';

/** Message of a test process: one line of JSON. */
export interface Request {
  readonly file: string;
  readonly pid: number;
  /** Processes that it starts may continue until the process itself ends: a browser that several files use. */
  readonly lasting: boolean;
}

/** The response, once it may start. */
export interface Admission {
  /** Separate folder for jobs on this computer, as XDG_STATE_HOME. */
  readonly state: string;
}

/** Resolves when the file may start. It runs until the returned function is called, or the process ends. */
export async function admission(file: string, { lasting = false } = {}): Promise<() => Promise<void>> {
  const path = process.env[ADMISSION];
  if (path === undefined) return async () => {};
  const socket = connect(path);
  await once(socket, 'connect');
  const request: Request = { file, pid: process.pid, lasting };
  socket.write(`${JSON.stringify(request)}\n`);
  const lines = createInterface(socket);
  const [line] = await once(lines, 'line');
  const { state } = JSON.parse(line) as Admission;
  process.env.XDG_STATE_HOME = state;
  // The end of the process also ends the file.
  socket.unref();
  return async () => {
    socket.ref();
    const closed = once(socket, 'close');
    socket.end();
    await closed;
  };
}
