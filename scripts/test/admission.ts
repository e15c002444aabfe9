import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Socket at which tests ask to start: the path of it in the environment. Absent where a runner was started by hand. */
export const ADMISSION = 'KNEEPOINT_TEST_ADMISSION';

/** Set where a file of tests has the machine to itself. */
export const ALONE = 'KNEEPOINT_TEST_ALONE';

/** What a test process sends: one line of JSON. */
export interface Request {
  readonly file: string;
  readonly pid: number;
  /** Processes that it starts may continue until its own ends: a browser that several files use. */
  readonly lasting: boolean;
}

/** And gets back, once it may start. */
export interface Admission {
  /** Folder of its own for jobs on this computer, as XDG_STATE_HOME. */
  readonly state: string;
}

/** Resolves when the file may start. It runs until the function that is returned is called, or the process ends. */
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
  // The end of the process is the end of the file as well.
  socket.unref();
  return async () => {
    socket.ref();
    const closed = once(socket, 'close');
    socket.end();
    await closed;
  };
}
