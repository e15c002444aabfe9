import type { Mention, Module } from './modules.ts';
import { type Complaint, targetOf } from './project.ts';

/**
 * Every cycle of modules that import one another. With values, something is used before it is initialised, depending on which module is loaded
 * first; with types, no file can be read without the others. For each import that closes a cycle, the shortest one is reported once, at its
 * alphabetically first file.
 */
export function checkCycles(modules: ReadonlyMap<string, Module>): Complaint[] {
  const found = new Map<string, Complaint>();
  for (const { file, mentions } of modules.values()) {
    for (const mention of mentions.filter(isCounted)) {
      const target = targetOf(file, mention.specifier);
      const back = target === undefined ? undefined : shortestWay(modules, target, file);
      if (!back) continue;
      const circle = startingAtFirst([file, ...back.slice(0, -1)]);
      const [first = file, second = file] = [...circle, ...circle];
      const way = [...circle, first].join(' → ');
      found.set(way, { file: first, line: lineOf(modules, first, second), text: `imports itself in a circle: ${way}` });
    }
  }
  return [...found.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

/** An import that runs only when code gets there may close a cycle. */
const isCounted = (mention: Mention): boolean => mention.loads !== 'later';

/** Files from one to the other, both included; undefined if no imports lead there. */
function shortestWay(modules: ReadonlyMap<string, Module>, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const file of cameFrom.keys()) {
    if (file === to) return wayOf(cameFrom, to);
    for (const mention of modules.get(file)?.mentions.filter(isCounted) ?? []) {
      const next = targetOf(file, mention.specifier);
      if (next !== undefined && !cameFrom.has(next)) cameFrom.set(next, file);
    }
  }
  return undefined;
}

function wayOf(cameFrom: ReadonlyMap<string, string | undefined>, to: string): string[] {
  const way: string[] = [];
  for (let file: string | undefined = to; file !== undefined; file = cameFrom.get(file)) way.unshift(file);
  return way;
}

function startingAtFirst(circle: readonly string[]): string[] {
  const start = circle.indexOf([...circle].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start)];
}

const lineOf = (modules: ReadonlyMap<string, Module>, file: string, target: string): number =>
  modules.get(file)?.mentions.find(({ specifier, loads }) => loads === 'before' && targetOf(file, specifier) === target)
    ?.line ?? 1;
