/** CPUs as the kernel lists them: “0-3,8”. Undefined: it is no such list. At most the CPUs that Linux can have. */
export function readCpus(text: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  for (const part of text.split(',')) {
    const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part.trim()) ?? [];
    if (from === undefined || Number(to) < Number(from) || Number(to) > 8191) return undefined;
    for (let cpu = Number(from); cpu <= Number(to); cpu += 1) cpus.add(cpu);
  }
  return cpus;
}
