import { randomFrom } from '../../util/numbers.ts';

/** A system under load: the needs of an operation at each resource, and other work there. Seconds, unless noted. */
export interface Plant {
  readonly clients: number;
  /** Between two operations of a client, in the tool. */
  readonly think: number;
  readonly tool: { readonly cpu: number; readonly cores: number; readonly threads: number; readonly link: number };
  /** Both directions together; `proxy`: a server in between that handles one operation at a time. */
  readonly path: { readonly roundTrip: number; readonly proxy: number };
  readonly link: number;
  /** Maximum number of operations admitted at the same time. */
  readonly pool: number;
  /**
   * `threads`: of the server, that can run at the same time; `quota`: cores allowed by its control group; `others`: threads of others that
   * never rest.
   */
  readonly cpu: {
    readonly need: number;
    readonly cores: number;
    readonly threads: number;
    readonly quota: number;
    readonly others: number;
    readonly niced: boolean;
  };
  /**
   * `share`: of operations that read. `others`: I/Os of others that are always in flight, and the time of each. `limit`: IOPS of the
   * volume.
   */
  readonly disk: {
    readonly share: number;
    readonly takes: number;
    readonly channels: number;
    readonly others: number;
    readonly othersTake: number;
    readonly limit: number;
  };
  /** Pages of the server that an operation has to wait for, as they do not fit into memory. */
  readonly faults: number;
  /** Each lock is held this long by one operation at a time; `things`: number of locked things. */
  readonly locks: { readonly holds: number; readonly things: number };
  /** One write serves all that wait for it. */
  readonly log: number;
  /** Time that no watched series shows. */
  readonly hidden: number;
  /** A connection for each operation: its computing time on the server, its serial part there, and round trips. */
  readonly connect: { readonly need: number; readonly accept: number; readonly trips: number };
  /** Requested operations per second of all clients together. */
  readonly rate?: number;
}

/** Values that collectors read each second. */
export interface Second {
  /** Within this second. */
  readonly done: number;
  readonly toolCpu: number;
  readonly serverCpu: number;
  readonly otherCpu: number;
  readonly busy: number;
  readonly linkBusy: number;
  readonly toolLinkBusy: number;
  readonly deviceBusy: number;
  readonly queue: number;
  readonly ios: number;
  readonly otherIos: number;
  readonly wait: number;
  readonly latency: number;
  readonly throttled: number;
  /** At its end. */
  readonly runnable: number;
  readonly toolRunnable: number;
  readonly running: number;
  readonly inPool: number;
  readonly poolWaiters: number;
  readonly lockWaiters: number;
  readonly logWaiters: number;
  readonly ioWaiters: number;
  /** Clients with a response in transit, and with one that the tool has not read. */
  readonly onTheWay: number;
  readonly unread: number;
}

type Step = () => void;

/** Events in order of time: a binary heap. */
class Clock {
  now = 0;
  readonly #times: number[] = [];
  readonly #steps: Step[] = [];

  after(seconds: number, step: Step): void {
    const [times, steps] = [this.#times, this.#steps];
    const time = this.now + seconds;
    let place = times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((times[parent] ?? 0) <= time) break;
      times[place] = times[parent] ?? 0;
      steps[place] = steps[parent] as Step;
      place = parent;
    }
    times[place] = time;
    steps[place] = step;
  }

  runTo(end: number): void {
    const [times, steps] = [this.#times, this.#steps];
    while (times.length > 0 && (times[0] ?? 0) <= end) {
      this.now = times[0] ?? 0;
      const step = steps[0] as Step;
      const [time, last] = [times.pop() ?? 0, steps.pop() as Step];
      if (times.length > 0) this.#sink(time, last);
      step();
    }
    this.now = end;
  }

  #sink(time: number, step: Step): void {
    const [times, steps] = [this.#times, this.#steps];
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= times.length) break;
      if (child + 1 < times.length && (times[child + 1] ?? 0) < (times[child] ?? 0)) child += 1;
      if ((times[child] ?? 0) >= time) break;
      times[place] = times[child] ?? 0;
      steps[place] = steps[child] as Step;
      place = child;
    }
    times[place] = time;
    steps[place] = step;
  }
}

/** Serves a limited number at a time, in order of arrival. */
class Line {
  readonly #clock: Clock;
  readonly #servers: number;
  readonly #waiting: [seconds: number, done: Step][] = [];
  #serving = 0;
  #since = 0;
  /** Seconds in which at least one was served, and total seconds that all spent there. */
  busy = 0;
  spent = 0;

  constructor(clock: Clock, servers: number) {
    this.#clock = clock;
    this.#servers = servers;
  }

  get there(): number {
    return this.#serving + this.#waiting.length;
  }

  /** Accumulates up to now. */
  count(): void {
    const passed = this.#clock.now - this.#since;
    this.#since = this.#clock.now;
    if (this.#serving > 0) this.busy += passed;
    this.spent += passed * this.there;
  }

  use(seconds: number, done: Step): void {
    if (seconds <= 0) {
      done();
      return;
    }
    this.count();
    if (this.#serving < this.#servers) this.#serve(seconds, done);
    else this.#waiting.push([seconds, done]);
  }

  #serve(seconds: number, done: Step): void {
    this.#serving += 1;
    this.#clock.after(seconds, () => {
      this.count();
      this.#serving -= 1;
      const next = this.#waiting.shift();
      if (next) this.#serve(...next);
      done();
    });
  }
}

interface Sharing {
  readonly cores: number;
  /** Number that can run at the same time. */
  readonly threads: number;
  readonly quota: number;
  readonly others: number;
  readonly niced: boolean;
}

/** Weight of a niced thread against one that is not (`nice 19`). */
const NICED = 15 / 1024;

/** Processors: everything present runs at the same time, in time slices. */
class Processors {
  readonly #clock: Clock;
  readonly #of: Sharing;
  /** Work done so far, as one number for all; and the value of it at which each is done. */
  #got = 0;
  #since = 0;
  #turn = 0;
  readonly #jobs: { until: number; done: Step }[] = [];
  own = 0;
  others = 0;
  throttled = 0;

  constructor(clock: Clock, of: Sharing) {
    this.#clock = clock;
    this.#of = of;
  }

  get there(): number {
    return this.#jobs.length;
  }

  get #speed(): number {
    const { cores, threads, quota, others, niced } = this.#of;
    const jobs = this.#jobs.length;
    if (jobs === 0) return 0;
    const fair = cores / (Math.min(jobs, threads) + others * (niced ? NICED : 1));
    return Math.min(1, fair, quota / Math.min(jobs, threads)) * Math.min(1, threads / jobs);
  }

  count(): void {
    const passed = this.#clock.now - this.#since;
    this.#since = this.#clock.now;
    const speed = this.#speed;
    const used = speed * this.#jobs.length;
    this.#got += passed * speed;
    this.own += passed * used;
    this.others += passed * Math.min(this.#of.others, this.#of.cores - used);
    if (used > 0.99 * this.#of.quota) this.throttled += passed;
  }

  use(seconds: number, done: Step): void {
    if (seconds <= 0) {
      done();
      return;
    }
    this.count();
    const until = this.#got + seconds;
    let place = this.#jobs.length;
    while (place > 0 && (this.#jobs[place - 1]?.until ?? 0) < until) place -= 1;
    this.#jobs.splice(place, 0, { until, done });
    this.#plan();
  }

  /** The one that finishes first is last. */
  #plan(): void {
    const turn = ++this.#turn;
    const next = this.#jobs.at(-1);
    if (!next) return;
    this.#clock.after(Math.max(0, next.until - this.#got) / this.#speed, () => {
      if (turn !== this.#turn) return;
      this.count();
      this.#jobs.pop();
      this.#plan();
      next.done();
    });
  }
}

/** Admits a limited number; the others wait. */
class Gate {
  readonly #most: number;
  readonly #waiting: Step[] = [];
  inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  enter(done: Step): void {
    if (this.inside >= this.#most) {
      this.#waiting.push(done);
      return;
    }
    this.inside += 1;
    done();
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.inside -= 1;
  }
}

/** A log that is written for all waiters at once. */
class Log {
  readonly #clock: Clock;
  readonly #takes: () => number;
  #waiting: Step[] = [];
  #writing: readonly Step[] = [];

  constructor(clock: Clock, takes: () => number) {
    this.#clock = clock;
    this.#takes = takes;
  }

  get there(): number {
    return this.#waiting.length + this.#writing.length;
  }

  write(done: Step): void {
    this.#waiting.push(done);
    if (this.#writing.length === 0) this.#next();
  }

  #next(): void {
    this.#writing = this.#waiting;
    this.#waiting = [];
    if (this.#writing.length === 0) return;
    this.#clock.after(this.#takes(), () => {
      const written = this.#writing;
      this.#next();
      for (const done of written) done();
    });
  }
}

/** Simulates a system second by second; omits the first `settling` seconds. */
export function simulated(plant: Plant, seconds: number, seed: number, settling = 3): Second[] {
  const random = randomFrom(seed);
  /** Two-stage (Erlang) with that mean: it varies less than an exponential. */
  const drawn = (mean: number): number => (-mean / 2) * Math.log((1 - random()) * (1 - random()));
  const clock = new Clock();
  const { tool, path, cpu, disk, locks } = plant;
  const free = { quota: Number.POSITIVE_INFINITY, others: 0, niced: false };
  const lines = {
    toolLink: new Line(clock, 1),
    proxy: new Line(clock, 1),
    link: new Line(clock, 1),
    hidden: new Line(clock, 1),
    accept: new Line(clock, 1),
    volume: new Line(clock, 1),
    device: new Line(clock, disk.channels),
  };
  const processors = {
    tool: new Processors(clock, { ...free, cores: tool.cores, threads: tool.threads }),
    server: new Processors(clock, cpu),
  };
  const pool = new Gate(plant.pool);
  const locked = Array.from({ length: locks.things }, () => new Gate(1));
  const log = new Log(clock, () => drawn(plant.log));
  const counted = { done: 0, latency: 0, ios: 0, otherIos: 0, running: 0, io: 0, returning: 0 };

  const read = (done: Step): void => {
    counted.io += 1;
    lines.volume.use(disk.limit > 0 ? 1 / disk.limit : 0, () =>
      lines.device.use(drawn(disk.takes), () => {
        counted.io -= 1;
        counted.ios += 1;
        done();
      }),
    );
  };
  const readPages = (count: number, done: Step): void => (count <= 0 ? done() : read(() => readPages(count - 1, done)));
  const whole = (count: number): number => Math.floor(count) + (random() < count % 1 ? 1 : 0);
  const half = path.roundTrip / 2;

  function operation(next: Step): void {
    let began = clock.now;
    const steps: ((done: Step) => void)[] = [
      (done) => lines.accept.use(drawn(plant.connect.accept), done),
      (done) => (plant.connect.need > 0 ? processors.server.use(drawn(plant.connect.need), done) : done()),
      (done) => (plant.connect.trips > 0 ? clock.after(plant.connect.trips * path.roundTrip, done) : done()),
      (done) => {
        // Tools do not count connecting as latency.
        began = clock.now;
        processors.tool.use(drawn(tool.cpu), done);
      },
      (done) => lines.proxy.use(drawn(path.proxy), done),
      (done) => (half > 0 ? clock.after(half, done) : done()),
      (done) => pool.enter(done),
      (done) => {
        counted.running += 1;
        processors.server.use(drawn(cpu.need * 0.8), done);
      },
      (done) => readPages(whole(plant.faults) + (random() < disk.share ? 1 : 0), done),
      (done) => lines.hidden.use(drawn(plant.hidden), done),
      (done) => {
        const thing = locked[Math.floor(random() * locked.length)];
        if (locks.holds <= 0 || !thing) done();
        else
          thing.enter(() =>
            clock.after(drawn(locks.holds), () => {
              thing.release();
              done();
            }),
          );
      },
      (done) => processors.server.use(drawn(cpu.need * 0.2), done),
      (done) => (plant.log > 0 ? log.write(done) : done()),
      (done) => {
        counted.running -= 1;
        pool.release();
        lines.link.use(plant.link, done);
      },
      (done) => lines.toolLink.use(tool.link, done),
      (done) => {
        counted.returning += 1;
        if (half > 0) clock.after(half, done);
        else done();
      },
      (done) => {
        counted.returning -= 1;
        done();
      },
    ];
    let place = 0;
    const go = (): void => {
      const step = steps[place++];
      if (step) {
        step(go);
        return;
      }
      counted.done += 1;
      counted.latency += clock.now - began;
      next();
    };
    go();
  }

  const pause = plant.rate === undefined ? plant.think : plant.clients / plant.rate;
  const client = (): void => {
    const began = clock.now;
    operation(() => {
      const left = plant.rate === undefined ? drawn(pause) : Math.max(0, began + pause - clock.now);
      if (left > 0) clock.after(left, client);
      else client();
    });
  };
  for (let each = 0; each < plant.clients; each++) clock.after(random() * (pause + 0.001), client);
  const otherLoad = (): void =>
    lines.device.use(drawn(disk.othersTake), () => {
      counted.otherIos += 1;
      otherLoad();
    });
  for (let each = 0; each < disk.others; each++) otherLoad();

  const read0 = () => {
    for (const line of Object.values(lines)) line.count();
    for (const each of Object.values(processors)) each.count();
    return {
      ...counted,
      toolCpu: processors.tool.own,
      serverCpu: processors.server.own,
      otherCpu: processors.server.others,
      throttled: processors.server.throttled,
      linkBusy: lines.link.busy,
      toolLinkBusy: lines.toolLink.busy,
      deviceBusy: lines.device.busy,
      queue: lines.device.spent,
    };
  };
  clock.runTo(settling);
  let before = read0();
  return Array.from({ length: seconds }, (_, second) => {
    clock.runTo(settling + second + 1);
    const now = read0();
    const grown = (name: keyof typeof now): number => now[name] - before[name];
    const [done, all] = [grown('done'), grown('ios') + grown('otherIos')];
    const reported: Second = {
      done,
      toolCpu: grown('toolCpu'),
      serverCpu: grown('serverCpu'),
      otherCpu: grown('otherCpu'),
      busy: grown('serverCpu') + grown('otherCpu'),
      linkBusy: grown('linkBusy'),
      toolLinkBusy: grown('toolLinkBusy'),
      deviceBusy: grown('deviceBusy'),
      queue: grown('queue'),
      ios: grown('ios'),
      otherIos: grown('otherIos'),
      wait: all > 0 ? grown('queue') / all : 0,
      latency: done > 0 ? grown('latency') / done : Number.NaN,
      throttled: grown('throttled'),
      runnable: Math.min(processors.server.there, cpu.threads) + cpu.others,
      toolRunnable: Math.min(processors.tool.there, tool.threads),
      running: counted.running,
      inPool: pool.inside,
      poolWaiters: pool.waiting,
      lockWaiters: locked.reduce((sum, gate) => sum + gate.waiting, 0),
      logWaiters: plant.log > 0 ? log.there : 0,
      ioWaiters: counted.io,
      onTheWay: lines.link.there + lines.toolLink.there + counted.returning,
      unread: Math.max(0, processors.tool.there - Math.min(tool.threads, tool.cores)),
    };
    before = now;
    return reported;
  });
}
