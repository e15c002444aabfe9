import { createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Tunnel, TunnelSpec } from '../../../../shared/model/host.ts';
import { KneepointError, problemOf } from '../../../../shared/model/problem.ts';
import type { HostMachines } from '../machine.ts';

/** A started forward: listens on 127.0.0.1 while the link is up, and releases the port while it is down. */
export class RunningTunnel {
  readonly #id: number;
  readonly #spec: TunnelSpec;
  readonly #machines: HostMachines;
  readonly #onChanged: () => void;
  readonly #stop = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #past = { in: 0, out: 0 };
  #state: Tunnel['state'] = 'starting';
  #message: string | undefined;
  #port: number | undefined;
  #finished: Promise<void> = Promise.resolve();

  constructor(id: number, spec: TunnelSpec, machines: HostMachines, onChanged: () => void) {
    this.#id = id;
    this.#spec = spec;
    this.#machines = machines;
    this.#onChanged = onChanged;
  }

  /** Resolves when it is open, or waits for its host. Throws `conflict` if the port is not available, `not-found` for the host. */
  start(): Promise<void> {
    const machine = this.#machines.get(this.#spec.host);
    return new Promise((resolve, reject) => {
      const release = this.#machines.need(this.#spec.host);
      const settle = () => {
        if (this.#state === 'open' || this.#state === 'waiting') resolve();
      };
      const check = () => {
        if (this.#state === 'starting' && machine.link().state === 'down') this.#wait(machine.link().message);
        settle();
      };
      const unsubscribe = this.#machines.onLinks(check);
      this.#finished = this.#run(settle)
        .catch((error: unknown) => {
          if (this.#stop.signal.aborted) return resolve();
          this.#set('stopped', problemOf(error).message);
          // After a successful start this promise has settled, and the error is reported by the message.
          reject(error);
        })
        .finally(() => {
          unsubscribe();
          release();
        });
      check();
    });
  }

  /** Closes the port and every connection. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#finished;
    this.#set('stopped', undefined);
  }

  get row(): Tunnel {
    const { name, host, address, port, autoStart, localPort } = this.#spec;
    const open = [...this.#sockets];
    return {
      id: this.#id,
      kind: 'tunnel',
      name,
      host,
      address,
      port,
      autoStart,
      wantedPort: localPort,
      ...(this.#port !== undefined && this.#state === 'open' ? { localPort: this.#port } : {}),
      state: this.#state,
      ...(this.#message === undefined ? {} : { message: this.#message }),
      connections: open.length,
      bytesIn: open.reduce((sum, socket) => sum + socket.bytesWritten, this.#past.in),
      bytesOut: open.reduce((sum, socket) => sum + socket.bytesRead, this.#past.out),
    };
  }

  async #run(settle: () => void): Promise<void> {
    const machine = this.#machines.get(this.#spec.host);
    while (!this.#stop.signal.aborted) {
      await machine.ready(this.#stop.signal);
      const server = await this.#listen();
      this.#set('open', undefined);
      settle();
      await this.#untilDown(() => machine.link().state !== 'up');
      await this.#closeServer(server);
      if (!this.#stop.signal.aborted) this.#wait(machine.link().message);
    }
  }

  /** An automatic port is kept while the link is down, so programs that use it find it again. */
  async #listen(): Promise<Server> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => void this.#serve(socket));
    try {
      await listenOn(server, this.#port ?? this.#spec.localPort);
    } catch (error) {
      if (this.#spec.localPort !== 0) throw portProblem(this.#spec, error);
      await listenOn(server, 0);
    }
    const address = server.address();
    if (typeof address === 'object' && address) this.#port = address.port;
    return server;
  }

  async #serve(socket: Socket): Promise<void> {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    // Until the far end is connected, an error has no other listener; it ends in `close` below.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#past.in += socket.bytesWritten;
      this.#past.out += socket.bytesRead;
      this.#onChanged();
    });
    this.#onChanged();
    try {
      const { host, address, port } = this.#spec;
      const far = await this.#machines.forward(host, address, port);
      this.#message = undefined;
      await pipeline(socket, far, socket);
    } catch (error) {
      if (error instanceof KneepointError) this.#message = error.problem.message;
      socket.destroy();
    }
  }

  #untilDown(isDown: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isDown() && !this.#stop.signal.aborted) return;
        unsubscribe();
        this.#stop.signal.removeEventListener('abort', check);
        resolve();
      };
      const unsubscribe = this.#machines.onLinks(check);
      this.#stop.signal.addEventListener('abort', check);
      check();
    });
  }

  async #closeServer(server: Server): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #wait(reason: string | undefined): void {
    this.#set('waiting', reason);
  }

  #set(state: Tunnel['state'], message: string | undefined): void {
    this.#state = state;
    this.#message = message;
    this.#onChanged();
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portProblem(spec: TunnelSpec, error: unknown): KneepointError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const why =
    code === 'EADDRINUSE'
      ? 'another program on this computer is using it'
      : code === 'EACCES'
        ? 'this account has no permission to open ports below 1024'
        : String(error);
  return new KneepointError(
    {
      code: 'conflict',
      host: spec.host,
      message: `The tunnel ${spec.name} cannot open port ${spec.localPort}: ${why}.`,
      safe: 'Other tunnels and sessions are not affected.',
      next: 'Choose another port, or 0 for any free one.',
    },
    { cause: error },
  );
}
