import type { Expression } from 'luaparse';

/** The value of a Lua expression, as far as it is known without running it. */
export type LuaValue = string | number | boolean | LuaTable | undefined;
export interface LuaTable {
  /** Entries without a key, counting from 0. */
  list: readonly LuaValue[];
  fields: Readonly<Record<string, LuaValue>>;
}

export const isTable = (value: LuaValue): value is LuaTable => typeof value === 'object';
const isText = (value: LuaValue): value is string | number => typeof value === 'string' || typeof value === 'number';

/** LuaJIT reads a script as bytes: each is passed to the parser as the character with its number, and the output is converted back to text. */
export const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const fromBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** The value of an expression. Undefined for `nil`, and for one that would have to be run. */
export function luaValue(expression: Expression | undefined): LuaValue {
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
