import { luaTokens, type Token } from './lua-tokens.ts';

/** An option that a script declares in `sysbench.cmdline.options`. */
export interface LuaOption {
  /** As in the script, with underscores; sysbench takes hyphens as well. */
  name: string;
  description: string;
  /** Undefined: none, or not to be read without running the script. */
  default: string | number | boolean | undefined;
  /** Further fields by name (`title`, `unit`, `min`, `max`, `choices` …), which sysbench ignores. */
  words: Readonly<Record<string, LuaValue>>;
}

/** What a Lua expression says, as far as it can be read without running it. */
export type LuaValue = string | number | boolean | LuaTable | undefined;
export interface LuaTable {
  /** Entries without a key, from 0. */
  list: readonly LuaValue[];
  fields: Readonly<Record<string, LuaValue>>;
}

const isTable = (value: LuaValue): value is LuaTable => typeof value === 'object';
/** Names that go on with an expression; any other begins the next statement. */
const OPERATORS = new Set(['and', 'or']);

class Reader {
  readonly #tokens: readonly Token[];
  #at: number;

  constructor(tokens: readonly Token[], at: number) {
    this.#tokens = tokens;
    this.#at = at;
  }

  #peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }
  #is(symbol: string, offset = 0): boolean {
    const token = this.#peek(offset);
    return token?.kind === 'symbol' && token.text === symbol;
  }

  /** An expression up to the comma, semicolon or bracket behind it; undefined for one that would have to be run. */
  value(): LuaValue {
    const start = this.#at;
    const value = this.#simple();
    const token = this.#peek();
    const over =
      token === undefined || (token.kind === 'symbol' && /^[,;})\]]$/.test(token.text)) || token.kind === 'name';
    if (over && !OPERATORS.has(token?.text ?? '')) return value;
    this.#at = start;
    this.#skip();
    return undefined;
  }

  #simple(): LuaValue {
    let value = this.#part();
    while (this.#is('..')) {
      this.#at += 1;
      const more = this.#part();
      value = isText(value) && isText(more) ? `${value}${more}` : undefined;
    }
    return value;
  }

  #part(): LuaValue {
    const token = this.#peek();
    this.#at += 1;
    if (token?.kind === 'string') return token.text;
    if (token?.kind === 'number') return Number(token.text);
    if (token?.kind === 'symbol' && token.text === '-' && this.#peek()?.kind === 'number') {
      this.#at += 1;
      return -Number(this.#peek(-1)?.text);
    }
    if (token?.kind === 'symbol' && token.text === '{') return this.#table();
    if (token?.kind === 'name') {
      if (token.text === 'true' || token.text === 'false') return token.text === 'true';
      // A name of something else, such as sysbench.cmdline.ARG_INT.
      while (this.#is('.') && this.#peek(1)?.kind === 'name') this.#at += 2;
    }
    return undefined;
  }

  #table(): LuaTable {
    const list: LuaValue[] = [];
    // Keys are the script's own: one of them may be __proto__.
    const fields: Record<string, LuaValue> = Object.create(null);
    while (this.#peek() !== undefined && !this.#is('}')) {
      const before = this.#at;
      const key = this.#key();
      const value = this.value();
      if (key === undefined) list.push(value);
      else fields[key] = value;
      if (this.#is(',') || this.#is(';')) this.#at += 1;
      else if (this.#at === before) this.#at += 1;
    }
    this.#at += 1;
    return { list, fields };
  }

  /** `name =`, `["name"] =` or `[1] =`. */
  #key(): string | undefined {
    const token = this.#peek();
    if (token?.kind === 'name' && this.#is('=', 1)) {
      this.#at += 2;
      return token.text;
    }
    const inner = this.#peek(1);
    if (this.#is('[') && inner && inner.kind !== 'symbol' && this.#is(']', 2) && this.#is('=', 3)) {
      this.#at += 4;
      return inner.text;
    }
    return undefined;
  }

  /** Past an expression that is not understood: its brackets and blocks are followed to their ends. */
  #skip(): void {
    let depth = 0;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      const { kind, text } = token;
      if (kind === 'symbol' && /^[({[]$/.test(text)) depth += 1;
      else if (kind === 'name' && /^(function|if|do)$/.test(text)) depth += 1;
      else if ((kind === 'symbol' && /^[)}\]]$/.test(text)) || (kind === 'name' && text === 'end')) {
        if (depth === 0) return;
        depth -= 1;
      } else if (kind === 'symbol' && /^[,;]$/.test(text) && depth === 0) return;
      this.#at += 1;
    }
  }
}

const isText = (value: LuaValue): value is string | number => typeof value === 'string' || typeof value === 'number';

const OPTIONS = ['sysbench', '.', 'cmdline', '.', 'options'];

function optionOf(name: string, value: LuaValue): LuaOption | undefined {
  if (!isTable(value)) return undefined;
  const [description, preset] = value.list;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    default: isTable(preset) ? preset.list.join(',') : preset,
    words: value.fields,
  };
}

/**
 * Reads the options of a script from its text, without running it and without a host: those of the table
 * `sysbench.cmdline.options = { … }`, and those added with `sysbench.cmdline.options.name = { … }` or `["name"]`.
 * What a script computes cannot be read so, and is left out.
 */
export function luaOptions(text: string): LuaOption[] {
  const tokens = luaTokens(text);
  const found = new Map<string, LuaOption>();
  const put = (name: string, value: LuaValue): void => {
    const option = optionOf(name, value);
    if (option) found.set(name, option);
  };
  tokens.forEach((_, start) => {
    if (!OPTIONS.every((word, index) => tokens[start + index]?.text === word)) return;
    const at = start + OPTIONS.length;
    const [one, two, three, four] = tokens.slice(at, at + 4);
    if (one?.text === '=') {
      const table = new Reader(tokens, at + 1).value();
      if (isTable(table)) for (const [name, value] of Object.entries(table.fields)) put(name, value);
    } else if (one?.text === '.' && two?.kind === 'name' && three?.text === '=')
      put(two.text, new Reader(tokens, at + 3).value());
    else if (one?.text === '[' && two?.kind === 'string' && three?.text === ']' && four?.text === '=')
      put(two.text, new Reader(tokens, at + 4).value());
  });
  return [...found.values()];
}

/** Whether a script builds on `oltp_common.lua`, and so takes the options of that as well. */
export const usesOltpCommon = (text: string): boolean => {
  const tokens = luaTokens(text);
  return tokens.some(
    ({ text: word }, index) =>
      word === 'require' && tokens.slice(index + 1, index + 3).some((token) => token.text === 'oltp_common'),
  );
};
