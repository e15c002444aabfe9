/** A piece of a Lua text. `text` holds what a string says, without its quotes and escapes. */
export interface Token {
  kind: 'name' | 'string' | 'number' | 'symbol';
  text: string;
}

const SPACE = /\s+/y;
const LONG_COMMENT = /--\[(=*)\[[\s\S]*?(?:\]\1\]|$(?![\s\S]))/y;
const COMMENT = /--[^\n]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const LONG_STRING = /\[(=*)\[\r?\n?([\s\S]*?)\]\1\]/y;
const STRING = /(["'])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1/y;
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|[\s\S]/y;

const LETTERS = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }));

const unescaped = (text: string): string =>
  text.replace(/\\(\d{1,3}|z\s*|\r?\n|[\s\S])/g, (_, what: string) => {
    if (/^\d/.test(what)) return String.fromCharCode(Number(what));
    if (what.startsWith('z')) return '';
    return what.endsWith('\n') ? '\n' : (LETTERS.get(what) ?? what);
  });

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Reads a Lua text into tokens; comments and white space are left out. Any text is taken: what is no Lua becomes symbols. */
export function luaTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const skipped = matchAt(SPACE, text, at) ?? matchAt(LONG_COMMENT, text, at) ?? matchAt(COMMENT, text, at);
    const match = skipped ?? tokenAt(text, at, tokens);
    at += match[0].length;
  }
  return tokens;
}

function tokenAt(text: string, at: number, tokens: Token[]): RegExpExecArray {
  const name = matchAt(NAME, text, at);
  const number = name ?? matchAt(NUMBER, text, at);
  const long = number ?? matchAt(LONG_STRING, text, at);
  const short = long ?? matchAt(STRING, text, at);
  const found = short ?? matchAt(SYMBOL, text, at);
  if (!found) throw new Error('a symbol matches anything');
  if (name) tokens.push({ kind: 'name', text: found[0] });
  else if (number) tokens.push({ kind: 'number', text: found[0] });
  else if (long) tokens.push({ kind: 'string', text: found[2] ?? '' });
  else if (short) tokens.push({ kind: 'string', text: unescaped(found[2] ?? '') });
  else tokens.push({ kind: 'symbol', text: found[0] });
  return found;
}
