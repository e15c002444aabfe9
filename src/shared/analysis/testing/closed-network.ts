/** A resource of a closed queueing network: `servers` identical servers; each operation needs `demand` seconds of one of them. */
export interface Station {
  readonly demand: number;
  readonly servers: number;
}

export interface Flow {
  /** Operations per second. */
  readonly rate: number;
  /** Utilisation and mean number of customers (in service or waiting), by station. */
  readonly at: Readonly<Record<string, { readonly busy: number; readonly there: number }>>;
}

/**
 * Exact mean value analysis (M. Reiser and S. S. Lavenberg, J. ACM 27, 1980) of `clients` that cycle through stations and think for `think`
 * seconds; stations with several servers are approximated by a faster one and a delay (A. Seidmann, P. J. Schweitzer and S. Shalev-Oren,
 * 1987).
 */
export function flowOf(stations: Readonly<Record<string, Station>>, clients: number, think: number): Flow {
  const names = Object.keys(stations);
  const of = (name: string): Station => stations[name] ?? { demand: 0, servers: 1 };
  const queues = new Map(names.map((name) => [name, 0]));
  const delay = names.reduce((sum, name) => sum + (of(name).demand * (of(name).servers - 1)) / of(name).servers, think);
  let rate = 0;
  for (let n = 1; n <= clients; n++) {
    const times = names.map((name) => (of(name).demand / of(name).servers) * (1 + (queues.get(name) ?? 0)));
    rate = n / (delay + times.reduce((sum, time) => sum + time, 0));
    names.forEach((name, index) => {
      queues.set(name, rate * (times[index] ?? 0));
    });
  }
  return {
    rate,
    at: Object.fromEntries(
      names.map((name) => {
        const { demand, servers } = of(name);
        const busy = (rate * demand) / servers;
        return [name, { busy, there: (queues.get(name) ?? 0) + rate * demand * ((servers - 1) / servers) }];
      }),
    ),
  };
}
