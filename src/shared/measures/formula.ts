import jsep from 'jsep';
import { TAKES, type Take } from '../model/derived.ts';
import { formatCount } from '../util/format.ts';
import { meantWords } from '../util/nearest.ts';

/** Maximum nodes of a formula, and nesting of its brackets. */
const MOST_NODES = 1000;
const MOST_BRACKETS = 100;

/** A value of a run that a formula refers to. */
export type Reference =
  /** A figure of the tool, `operations`, or a measure before this one. */
  | { readonly kind: 'metric'; readonly name: string }
  /** A series of a host, a server, a command or a statement in the measured seconds. */
  | { readonly kind: 'series'; readonly source: string; readonly series: string; readonly take: Take }
  /** A number in a table of facts. Without `row`, the table has a single row. */
  | { readonly kind: 'fact'; readonly table: string; readonly column: string; readonly row?: string }
  /** The level of a factor in the cell. */
  | { readonly kind: 'level'; readonly factor: string };

/** A part of a formula. `at`: its place in the text, from 0. */
export type FormulaNode =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'reference'; readonly reference: Reference; readonly at: number }
  | { readonly kind: 'negative'; readonly of: FormulaNode }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
      readonly at: number;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly of: readonly FormulaNode[]; readonly at: number };

/** An invalid formula. `message`: a sentence. `at`: position in the text, from 0. */
export class FormulaError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

type Operator = '+' | '-' | '*' | '/';
const OPERATORS: Readonly<Record<Operator, { rank: number; of(left: number, right: number): number }>> = {
  '+': { rank: 1, of: (left, right) => left + right },
  '-': { rank: 1, of: (left, right) => left - right },
  '*': { rank: 2, of: (left, right) => left * right },
  '/': { rank: 2, of: (left, right) => left / right },
};
const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATORS, text);

interface NumberFunction {
  readonly least: number;
  readonly most: number;
  of(values: readonly number[]): number;
}
const one = (of: (value: number) => number): NumberFunction => ({
  least: 1,
  most: 1,
  of: ([value = NaN]) => of(value),
});

/** `or` is separate: it has a value even if one of its operands is missing. */
const FUNCTIONS = {
  min: { least: 1, most: 100, of: (values) => Math.min(...values) },
  max: { least: 1, most: 100, of: (values) => Math.max(...values) },
  abs: one(Math.abs),
  sqrt: one(Math.sqrt),
  ln: one(Math.log),
  log2: one(Math.log2),
  log10: one(Math.log10),
  exp: one(Math.exp),
  pow: { least: 2, most: 2, of: ([base = NaN, exponent = NaN]) => base ** exponent },
  or: { least: 2, most: 100, of: ([first = NaN]) => first },
} as const satisfies Readonly<Record<string, NumberFunction>>;
export type FunctionName = keyof typeof FUNCTIONS;
const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

/** Functions that refer to a value of a run. */
const REFERENCES = ['series', 'fact', 'level', 'figure'] as const;
/** Before the first dot of a name: the rest is one of its series. */
const PLACES = ['server', 'host', 'generator'];

// A dot is part of a name here, so there are no properties; everything that formulas do not need is removed from the grammar.
jsep.removeAllLiterals();
jsep.removeAllUnaryOps();
jsep.removeAllBinaryOps();
jsep.addUnaryOp('-');
for (const [operator, { rank }] of Object.entries(OPERATORS)) jsep.addBinaryOp(operator, rank);
jsep.addIdentifierChar('.');

/** A parsed formula. */
export interface Formula {
  readonly text: string;
  readonly node: FormulaNode;
  /** All references, without duplicates. */
  readonly references: readonly Reference[];
}

/** Formulas are read for every run of a session, so the latest ones are cached. */
const MOST_KEPT = 200;
const kept = new Map<string, Formula>();

/** Throws a `FormulaError`. */
export function readFormula(text: string): Formula {
  const known = kept.get(text);
  if (known) return known;
  const reader = new Reader(text);
  const node = reader.read();
  const formula = { text, node, references: [...reader.references.values()] };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(text, formula);
  return formula;
}

/** The value of a formula; undefined if a referenced value is missing, or the result is not a number (a division by zero). */
export function evaluate(node: FormulaNode, of: (reference: Reference) => number | undefined): number | undefined {
  const value = work(node, of);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function work(node: FormulaNode, of: (reference: Reference) => number | undefined): number | undefined {
  switch (node.kind) {
    case 'number':
      return node.value;
    case 'reference':
      return of(node.reference);
    case 'negative': {
      const value = work(node.of, of);
      return value === undefined ? undefined : -value;
    }
    case 'binary': {
      const left = work(node.left, of);
      const right = left === undefined ? undefined : work(node.right, of);
      return left === undefined || right === undefined ? undefined : OPERATORS[node.operator].of(left, right);
    }
    case 'call': {
      const values: number[] = [];
      for (const each of node.of) {
        const value = evaluate(each, of);
        if (node.name === 'or' && value !== undefined) return value;
        if (node.name !== 'or' && value === undefined) return undefined;
        if (value !== undefined) values.push(value);
      }
      return node.name === 'or' ? undefined : FUNCTIONS[node.name].of(values);
    }
  }
}

/** Numbers, texts and names of a formula, in order. */
const TOKENS =
  /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$\u0080-\uffff][\w$.\u0080-\uffff]*/g;
const isName = (token: string): boolean => /^[A-Za-z_$\u0080-\uffff]/.test(token);

class Reader {
  readonly references = new Map<string, Reference>();
  readonly #text: string;
  /** Positions of all names in the text: the parser returns its names in the same order, without positions. */
  readonly #places: number[];
  #names = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
    this.#places = [...text.matchAll(TOKENS)].flatMap(({ 0: token, index }) => (isName(token) ? [index] : []));
  }

  read(): FormulaNode {
    let depth = 0;
    for (const [place, letter] of [...this.#text].entries()) {
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      if (depth > MOST_BRACKETS)
        throw new FormulaError(`Brackets are nested deeper than ${MOST_BRACKETS} levels.`, place);
    }
    return this.#node(this.#parsed());
  }

  #parsed(): jsep.Expression {
    if (this.#text.trim() === '') throw new FormulaError('The formula is empty.', 0);
    try {
      return jsep(this.#text);
    } catch (error) {
      throw syntaxError(error, this.#text);
    }
  }

  /** The only nodes allowed in a formula. */
  #node(expression: jsep.Expression): FormulaNode {
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES)
      throw new FormulaError(`The formula has more than ${MOST_NODES} parts, the limit.`, this.#here);
    const node = expression as jsep.CoreExpression;
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'number') return { kind: 'number', value: node.value };
        throw new FormulaError(`The text ${node.raw} is not a number.`, Math.max(0, this.#text.indexOf(node.raw)));
      case 'Identifier':
        return this.#reference(named(node.name), this.#next());
      case 'UnaryExpression':
        return { kind: 'negative', of: this.#node(node.argument) };
      case 'BinaryExpression': {
        if (!isOperator(node.operator)) break;
        const at = this.#here;
        const [left, right] = [this.#node(node.left), this.#node(node.right)];
        return { kind: 'binary', operator: node.operator, left, right, at };
      }
      case 'CallExpression':
        return this.#call(node);
      case 'Compound':
        throw new FormulaError('An operator is missing between two values.', this.#placeOf(node.body[1]));
      default:
    }
    throw new FormulaError('A formula may contain only numbers, names, + − * /, brackets and functions.', this.#here);
  }

  #call({ callee, arguments: all }: jsep.CallExpression): FormulaNode {
    if (callee.type !== 'Identifier')
      throw new FormulaError('Only a name can be called as a function, as in max(a, b).', this.#here);
    const name = String(callee.name);
    const at = this.#next();
    if (REFERENCES.some((each) => each === name)) return this.#reference(this.#called(name, all, at), at);
    if (!isFunction(name)) {
      const meant = meantWords(name, [...Object.keys(FUNCTIONS), ...REFERENCES]);
      throw new FormulaError(`There is no function named “${name}”.${meant}`, at);
    }
    const { least, most } = FUNCTIONS[name];
    if (all.length < least || all.length > most)
      throw new FormulaError(`${name} takes ${takesWords(least, most)}, not ${all.length}.`, at);
    return { kind: 'call', name, of: all.map((each) => this.#node(each)), at };
  }

  #called(name: string, all: readonly jsep.Expression[], at: number): Reference {
    const texts = all.map((each) => this.#word(each, name));
    const [first = '', second = '', third] = texts;
    const count = (least: number, most: number): void => {
      if (texts.length < least || texts.length > most)
        throw new FormulaError(`${name} takes ${takesWords(least, most)}, not ${texts.length}.`, at);
    };
    if (name === 'level') {
      count(1, 1);
      return { kind: 'level', factor: first };
    }
    // For names that are not words, such as figures of a query or of a folder.
    if (name === 'figure') {
      count(1, 1);
      return { kind: 'metric', name: first };
    }
    count(2, 3);
    if (name === 'fact')
      return { kind: 'fact', table: first, column: second, ...(third !== undefined && { row: third }) };
    const take = TAKES.find((each) => each === (third ?? 'mean'));
    if (!take) throw new FormulaError(`“${third}” is not one of ${TAKES.join(', ')}.`, at);
    return { kind: 'series', source: first, series: second, take };
  }

  /** A name, or a text in quotes. */
  #word(expression: jsep.Expression, of: string): string {
    this.#nodes += 1;
    if (expression.type === 'Identifier') {
      this.#next();
      return String(expression.name);
    }
    if (expression.type === 'Literal') return String(expression.value);
    throw new FormulaError(`${of} takes names, or texts in quotes.`, this.#here);
  }

  /** Equal references are one object. */
  #reference(named: Reference, at: number): FormulaNode {
    const key = JSON.stringify(named);
    const reference = this.references.get(key) ?? named;
    this.references.set(key, reference);
    return { kind: 'reference', reference, at };
  }

  /** Position of the next name, or of the last one. */
  get #here(): number {
    return this.#places[this.#names] ?? this.#places.at(-1) ?? 0;
  }

  #next(): number {
    const at = this.#here;
    this.#names += 1;
    return at;
  }

  #placeOf(expression: jsep.Expression | undefined): number {
    const text = expression?.type === 'Literal' ? String(expression.raw) : String(expression?.name ?? '');
    return Math.max(0, text === '' ? 0 : this.#text.lastIndexOf(text));
  }
}

const takesWords = (least: number, most: number): string =>
  least === most
    ? formatCount(least, 'value')
    : most >= MOST_BRACKETS
      ? `${least} or more values`
      : `${least} to ${most} values`;

function named(name: string): Reference {
  const dot = name.indexOf('.');
  const place = name.slice(0, dot);
  return dot > 0 && PLACES.includes(place)
    ? { kind: 'series', source: place, series: name.slice(dot + 1), take: 'mean' }
    : { kind: 'metric', name };
}

/** The parser's messages are written for programmers. */
function syntaxError(error: unknown, text: string): FormulaError {
  if (!(error instanceof Error) || !('index' in error)) throw error;
  const at = Math.min(Number(error.index), text.length);
  const letter = text.slice(at).trimStart().charAt(0);
  const end = text.trimEnd().length;
  if (/^Unclosed \(|Expected \)/.test(error.message) || (letter === '' && /\(/.test(text) && unclosed(text)))
    return new FormulaError('A bracket is not closed.', end);
  if (/^Unclosed quote/.test(error.message)) return new FormulaError('A quoted text has no closing quote.', end);
  if (letter === '') return new FormulaError('The formula ends where a value is expected.', end);
  return new FormulaError(`“${letter}” is not expected here.`, at);
}

const unclosed = (text: string): boolean => (text.match(/\(/g)?.length ?? 0) > (text.match(/\)/g)?.length ?? 0);
