import type { LuaOption } from './lua-options.ts';
import { luaTokens, type Token } from './lua-tokens.ts';

/** What a script of the way before sysbench 1.0 takes: it declares no options, and finds all that it is given in its globals. */
export interface LuaGlobals {
  /** Those with a default of their own: `size = size or 10`, `size = tonumber(size) or 10`. */
  options: LuaOption[];
  /** Whether it reads a global of that name, or loads other files, which may. */
  reads(name: string): boolean;
}

const LOADERS = new Set(['dofile', 'loadfile', 'require']);

const defaultOf = ({ kind, text }: Token): LuaOption['default'] => {
  if (kind === 'number') return Number(text);
  if (kind === 'string') return text;
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
};

/** Undefined for a script that names `sysbench.cmdline`: sysbench 1.0 then gives it what it declares, and nothing else. */
export function luaGlobals(text: string): LuaGlobals | undefined {
  const tokens = luaTokens(text);
  const words = tokens.map(({ text: word }) => word);
  if (words.some((word, at) => word === 'sysbench' && words[at + 2] === 'cmdline')) return undefined;
  const options: LuaOption[] = [];
  const names = new Set<string>();
  tokens.forEach(({ kind, text: name }, at) => {
    if (kind !== 'name' || words[at - 1] === '.' || words[at - 1] === ':') return;
    names.add(name);
    for (const read of [[name], ['tonumber', '(', name, ')']]) {
      const fallback = tokens[at + read.length + 3];
      if (['=', ...read, 'or'].some((word, offset) => words[at + 1 + offset] !== word) || !fallback) continue;
      if (options.every((known) => known.name !== name))
        options.push({ name, description: '', default: defaultOf(fallback), words: {} });
    }
  });
  const loads = tokens.some(({ kind, text: word }) => kind === 'name' && LOADERS.has(word));
  return { options, reads: (name) => loads || names.has(name) };
}
