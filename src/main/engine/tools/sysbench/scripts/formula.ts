/** A parsed formula of numbers, names and operations. */
export type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'round'; how: 'floor' | 'ceil'; of: Formula }
  | { kind: 'pair'; sign: string; left: Formula; right: Formula };

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*/()]))/y;

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    tokens.push(token.trim());
    at += token.length;
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get over(): boolean {
    return this.#at === this.#tokens.length;
  }
  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  /** Parses operands separated by these operators, left-associative. */
  #chain(signs: readonly string[], part: () => Formula | undefined): Formula | undefined {
    let left = part();
    for (;;) {
      const sign = signs.find((each) => this.#takes(each));
      if (!left || sign === undefined) return left;
      const right = part();
      left = right && { kind: 'pair', sign, left, right };
    }
  }
  sum(): Formula | undefined {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#part()));
  }
  #inBrackets(): Formula | undefined {
    const inner = this.#takes('(') ? this.sum() : undefined;
    return this.#takes(')') ? inner : undefined;
  }

  #part(): Formula | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined) return undefined;
    if (token === '(') return this.#inBrackets();
    if (!/^\w/.test(token)) return undefined;
    this.#at += 1;
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if ((token !== 'floor' && token !== 'ceil') || this.#tokens[this.#at] !== '(') return { kind: 'name', name: token };
    const of = this.#inBrackets();
    return of && { kind: 'round', how: token, of };
  }
}

/** Parses numbers, names, `+ - * /`, brackets, `floor()` and `ceil()`. Undefined for anything else. */
export function formulaOf(text: string): Formula | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const reader = new Reader(tokens);
  const formula = reader.sum();
  return reader.over ? formula : undefined;
}

const PAIRS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

/** Evaluates a formula; not finite for a division by 0. `named` returns the value of a name. */
export function formulaValue(formula: Formula, named: (name: string) => number): number {
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'name':
      return named(formula.name);
    case 'round':
      return Math[formula.how](formulaValue(formula.of, named));
    case 'pair':
      return PAIRS[formula.sign]?.(formulaValue(formula.left, named), formulaValue(formula.right, named)) ?? Number.NaN;
  }
}
