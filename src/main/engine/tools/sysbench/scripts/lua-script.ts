import luaparse, { type Expression, type Identifier, type Node } from 'luaparse';

/** An option that a script declares in `sysbench.cmdline.options`. */
export interface LuaOption {
  /** As in the script, with underscores; sysbench accepts hyphens as well. */
  name: string;
  description: string;
  /** Undefined if there is none, or if it cannot be determined without running the script. */
  default: string | number | boolean | undefined;
  /** Additional fields by name (`title`, `unit`, `min`, `max`, `choices` …), which sysbench ignores. */
  words: Readonly<Record<string, LuaValue>>;
}

/** Facts about a script from its text, without running it and without a host. */
export interface LuaScript {
  /**
   * Options in the table `sysbench.cmdline.options = { … }`, and those added with `sysbench.cmdline.options.name = { … }` or `["name"]`; computed
   * ones are omitted. Scripts in the style before sysbench 1.0 declare none, and receive all given options as globals: for these, the globals with a
   * default (`size = size or 10`, `size = tonumber(size) or 10`).
   */
  options: readonly LuaOption[];
  /** Whether it uses `oltp_common.lua`, and thus accepts its options as well. */
  usesOltpCommon: boolean;
  /** Whether it may read a global with this name. Never if it uses `sysbench.cmdline`, as sysbench then passes only declared options. */
  reads(global: string): boolean;
}

/** Why a script cannot be parsed: `line 3: ')' expected near '('`. */
export interface UnreadScript {
  problem: string;
}

interface Assignment {
  target: Expression;
  value: Expression | undefined;
}
type Path = readonly string[];

const CMDLINE = ['sysbench', 'cmdline'];
const OPTIONS = [...CMDLINE, 'options'];
const LOADERS = ['dofile', 'loadfile', 'require'];

/** Collects the nodes of a script as the parser completes them, inner ones first. No recursion, regardless of their depth. */
class Collector {
  readonly assignments: Assignment[] = [];
  /** Global and local variables. */
  readonly variables = new Set<Identifier>();
  /** Modules required by a literal name. */
  readonly modules: string[] = [];
  namesCmdline = false;

  take(node: Node): void {
    switch (node.type) {
      case 'Identifier':
        this.variables.add(node);
        break;
      case 'MemberExpression':
        this.variables.delete(node.identifier);
        this.#member(node);
        break;
      case 'IndexExpression':
        this.#member(node);
        break;
      case 'TableKeyString':
        this.variables.delete(node.key);
        break;
      case 'LabelStatement':
      case 'GotoStatement':
        this.variables.delete(node.label);
        break;
      case 'AssignmentStatement':
      case 'LocalStatement':
        for (const [index, target] of node.variables.entries())
          this.assignments.push({ target, value: node.init[index] });
        break;
      case 'CallExpression':
        this.#call([node.base, ...node.arguments]);
        break;
      case 'StringCallExpression':
        this.#call([node.base, node.argument]);
        break;
    }
  }

  #member(node: Expression): void {
    this.namesCmdline ||= startsWith(pathOf(node, CMDLINE.length), CMDLINE);
  }

  /** `require("x")`, and `pcall(require, "x")`. */
  #call(parts: readonly Expression[]): void {
    const at = parts.findIndex((part) => part.type === 'Identifier' && part.name === 'require');
    const module = at < 0 ? undefined : luaValue(parts[at + 1]);
    if (typeof module === 'string') this.modules.push(module);
  }
}

/** `a.b["c"]` as a list of names. Undefined for anything else, and for more names than `most`. */
function pathOf(expression: Expression, most: number): Path | undefined {
  const path: string[] = [];
  for (let at = expression; path.length < most; ) {
    if (at.type === 'Identifier') return [at.name, ...path];
    if (at.type === 'MemberExpression') path.unshift(at.identifier.name);
    else if (at.type === 'IndexExpression' && at.index.type === 'StringLiteral') path.unshift(at.index.value);
    else return undefined;
    at = at.base;
  }
  return undefined;
}

const startsWith = (path: Path | undefined, begin: Path): boolean =>
  path !== undefined && begin.every((name, index) => path[index] === name);

function optionOf(name: string, value: LuaValue): LuaOption[] {
  if (!isTable(value)) return [];
  const [description, preset] = value.list;
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      default: isTable(preset) ? preset.list.join(',') : preset,
      words: value.fields,
    },
  ];
}

function declaredBy({ target, value }: Assignment): LuaOption[] {
  const path = pathOf(target, OPTIONS.length + 1);
  if (!startsWith(path, OPTIONS)) return [];
  const declared = luaValue(value);
  const name = path?.[OPTIONS.length];
  if (name !== undefined) return optionOf(fromBytes(name), declared);
  return isTable(declared) ? Object.entries(declared.fields).flatMap(([each, table]) => optionOf(each, table)) : [];
}

/** `size = size or 10`, `size = tonumber(size) or 10`, also with more than one `or`. */
function defaultedBy({ target, value }: Assignment): LuaOption[] {
  if (target.type !== 'Identifier' || value?.type !== 'LogicalExpression') return [];
  let first: Expression = value;
  while (first.type === 'LogicalExpression' && first.operator === 'or') first = first.left;
  if (first.type === 'CallExpression' && first.base.type === 'Identifier' && first.base.name === 'tonumber')
    first = first.arguments[0] ?? first;
  if (first.type !== 'Identifier' || first.name !== target.name) return [];
  const preset = value.left.type === 'LogicalExpression' ? undefined : luaValue(value.right);
  return [{ name: fromBytes(target.name), description: '', default: isTable(preset) ? undefined : preset, words: {} }];
}

function scriptOf({ assignments, variables, modules, namesCmdline }: Collector): LuaScript {
  const options = new Map<string, LuaOption>();
  // A later declaration in an option table overrides an earlier one; for globals, the first default is used.
  for (const option of assignments.flatMap(namesCmdline ? declaredBy : defaultedBy))
    if (namesCmdline || !options.has(option.name)) options.set(option.name, option);
  const names = new Set([...variables].map(({ name }) => fromBytes(name)));
  const loadsOthers = LOADERS.some((name) => names.has(name));
  return {
    options: [...options.values()],
    usesOltpCommon: modules.includes('oltp_common'),
    reads: (global) => !namesCmdline && (loadsOthers || names.has(global)),
  };
}

/** Parses a script for LuaJIT 2.1. Most scripts that fail are also refused by sysbench; only LuaJIT accepts binary numbers and names with accents. */
export function readLua(text: string): LuaScript | UnreadScript {
  const collector = new Collector();
  try {
    luaparse.parse(toBytes(text.replace(/^\uFEFF/, '')), {
      luaVersion: 'LuaJIT',
      encodingMode: 'pseudo-latin1',
      comments: false,
      onCreateNode: (node) => collector.take(node),
    });
    return scriptOf(collector);
  } catch (error) {
    // Nested brackets until the stack overflows: LuaJIT accepts 200 of them.
    if (error instanceof RangeError) return { problem: 'it is nested too deeply' };
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: fromBytes(error.message.replace(/^\[(\d+):\d+\] /, 'line $1: ')) };
  }
}

/** The value of a Lua expression, as far as it is known without running it. */
export type LuaValue = string | number | boolean | LuaTable | undefined;
interface LuaTable {
  /** Entries without a key, counting from 0. */
  list: readonly LuaValue[];
  fields: Readonly<Record<string, LuaValue>>;
}

const isTable = (value: LuaValue): value is LuaTable => typeof value === 'object';
const isText = (value: LuaValue): value is string | number => typeof value === 'string' || typeof value === 'number';

/** LuaJIT reads a script as bytes: each is passed to the parser as the character with its number, and the output is converted back to text. */
const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** The value of an expression. Undefined for `nil`, and for one that would have to be run. */
function luaValue(expression: Expression | undefined): LuaValue {
  switch (expression?.type) {
    case 'StringLiteral':
      return fromBytes(expression.value);
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return expression.value;
    case 'UnaryExpression': {
      const value = expression.operator === '-' ? luaValue(expression.argument) : undefined;
      return typeof value === 'number' ? -value : undefined;
    }
    case 'BinaryExpression': {
      if (expression.operator !== '..') return undefined;
      const [left, right] = [luaValue(expression.left), luaValue(expression.right)];
      return isText(left) && isText(right) ? `${left}${right}` : undefined;
    }
    case 'TableConstructorExpression':
      return tableOf(expression);
    default:
      return undefined;
  }
}

type TableFields = Extract<Expression, { type: 'TableConstructorExpression' }>;

function tableOf({ fields: entries }: TableFields): LuaTable {
  const list: LuaValue[] = [];
  // Keys come from the script: one may be __proto__.
  const fields: Record<string, LuaValue> = Object.create(null);
  for (const entry of entries) {
    if (entry.type === 'TableValue') list.push(luaValue(entry.value));
    else if (entry.type === 'TableKeyString') fields[fromBytes(entry.key.name)] = luaValue(entry.value);
    else {
      const key = luaValue(entry.key);
      if (isText(key)) fields[key] = luaValue(entry.value);
    }
  }
  return { list, fields };
}
