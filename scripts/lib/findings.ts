import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A finding as written in the code. `…` stands for inserted values. */
export interface WrittenFinding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly file: string;
}

/** Creates findings from the tables `FAULTS`, which are listed separately. */
const OF_FAULTS = 'faultFindings';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value) ? value.flatMap(nodesIn) : isNode(value) ? [value] : [];

const SEVERITIES = new Set(['block', 'error', 'warn', 'note']);
const IN_QUESTION = /\b(severity|faultFindings)\b|\bFAULTS\b/;

/** A function that creates findings with a given code: the positions of code and message among its parameters. */
interface Factory {
  readonly name: string;
  readonly code: number;
  readonly message: number;
  readonly severity: string;
}

/**
 * Every finding that the sources below a folder can create: objects with `code` and `severity`, findings of functions that take a code, and the
 * tools' tables of faults. Throws if a code cannot be read from the source, as it could not be listed.
 */
export function writtenFindings(root: string, folder = 'src'): WrittenFinding[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file));
  const read = files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  const asked = read.filter(({ text }) => IN_QUESTION.test(text));
  const parsed = new Map(asked.map(({ file, text }) => [file, parseAst(text, { lang: 'ts' }) as unknown as Node]));
  const found: WrittenFinding[] = [];
  const factories = new Map<string, Factory>();
  for (const [file, tree] of parsed) readFile(tree, { file, root, found, factories });
  for (const { file, text } of read) {
    if (![...factories.keys()].some((name) => text.includes(`${name}(`))) continue;
    const tree = parsed.get(file) ?? (parseAst(text, { lang: 'ts' }) as unknown as Node);
    const constants = constantsOf(tree, path.join(root, path.dirname(file)));
    visit(tree, [], (node) => found.push(...callsOf(node, { file, factories, constants })));
  }
  return found;
}

function readFile(
  tree: Node,
  {
    file,
    root,
    found,
    factories,
  }: { file: string; root: string; found: WrittenFinding[]; factories: Map<string, Factory> },
): void {
  const constants = constantsOf(tree, path.join(root, path.dirname(file)));
  visit(tree, [], (node, above) => {
    if (node.type === 'VariableDeclarator' && nameOf(node.id) === 'FAULTS') found.push(...faultsOf(node.init, file));
    if (node.type !== 'ObjectExpression') return;
    const members = membersOf(node, constants);
    const severity = textOf(members.get('severity'), constants);
    const code = members.get('code');
    if (!code || severity === undefined || !severity.split(' or ').every((word) => SEVERITIES.has(word))) return;
    const message = textOf(members.get('message'), constants) ?? '…';
    const word = textOf(code, constants);
    if (word !== undefined) {
      for (const each of word.split(' or ')) found.push({ code: each, severity, message, file });
      return;
    }
    const factory = factoryOf(code, members.get('message'), above, severity);
    if (factory) factories.set(factory.name, factory);
    // A code that is a member of something is passed on: from a problem, a check, a line of our own programs.
    else if (plainOf(code)?.type !== 'MemberExpression' && !above.some(({ id }) => nameOf(id) === OF_FAULTS))
      throw new Error(
        `${file} makes a finding whose code cannot be read from the source, so docs/checks.md cannot list it.`,
      );
  });
}

/** Values of a file's constants, and of imported ones. */
const constantsOf = (tree: Node, folder?: string): Map<string, Node> => {
  const constants = new Map<string, Node>();
  for (const each of folder === undefined ? [] : nodesIn(tree.body)) {
    const from = each.type === 'ImportDeclaration' && isNode(each.source) ? String(each.source.value) : '';
    const names = nodesIn(each.specifiers).flatMap((specifier) => nameOf(specifier.local) ?? []);
    if (!from.startsWith('.') || !names.some((name) => /^[A-Z_]+$/.test(name))) continue;
    const text = readFileSync(path.join(folder ?? '', from), 'utf8');
    const own = constantsOf(parseAst(text, { lang: 'ts' }) as unknown as Node);
    for (const name of names) constants.set(name, own.get(name) ?? each);
  }
  visit(tree, [], (node) => {
    const name = node.type === 'VariableDeclarator' ? nameOf(node.id) : undefined;
    if (name !== undefined && isNode(node.init)) constants.set(name, node.init);
    // const [ONE, OTHER] = CODES
    if (node.type === 'VariableDeclarator' && isNode(node.id) && node.id.type === 'ArrayPattern') {
      const all = plainOf(constants.get(nameOf(node.init) ?? '') ?? node.init);
      const values = all?.type === 'ArrayExpression' ? nodesIn(all.elements) : [];
      nodesIn(node.id.elements).forEach((each, at) => {
        const value = values[at];
        if (value) constants.set(nameOf(each) ?? '', value);
      });
    }
  });
  return constants;
};

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === 'Identifier' && typeof node.name === 'string' ? node.name : undefined;

const plainOf = (node: unknown): Node | undefined =>
  isNode(node)
    ? ['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression'].includes(node.type)
      ? plainOf(node.expression)
      : node
    : undefined;

/** Its properties by name, including those of objects spread into it. */
function membersOf(object: Node, constants: ReadonlyMap<string, Node>): Map<string, Node> {
  const members = new Map<string, Node>();
  for (const each of nodesIn(object.properties)) {
    if (each.type === 'SpreadElement') {
      const spread = plainOf(each.argument);
      const known = spread && (spread.type === 'Identifier' ? plainOf(constants.get(nameOf(spread) ?? '')) : spread);
      if (known?.type === 'ObjectExpression')
        for (const [name, value] of membersOf(known, constants)) members.set(name, value);
    } else if (isNode(each.value)) {
      const name = nameOf(each.key) ?? (isNode(each.key) ? String(each.key.value) : '');
      members.set(name, each.value);
    }
  }
  return members;
}

/** Text of a literal, a template, a constant or a choice between them; undefined for anything else. */
function textOf(value: unknown, constants: ReadonlyMap<string, Node>, depth = 0): string | undefined {
  const node = plainOf(value);
  if (!node || depth > 4) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral')
    return nodesIn(node.quasis)
      .map(({ value: quasi }) => String((quasi as { cooked?: string }).cooked ?? ''))
      .join('…');
  if (node.type === 'ConditionalExpression') {
    const both = [node.consequent, node.alternate].map((each) => textOf(each, constants, depth + 1));
    return both[0] !== undefined && both[1] !== undefined ? both.join(' or ') : undefined;
  }
  const constant = constants.get(nameOf(node) ?? '');
  return constant ? textOf(constant, constants, depth + 1) : undefined;
}

/** The nearest enclosing named function that takes the code. */
function factoryOf(
  code: Node,
  message: Node | undefined,
  above: readonly Node[],
  severity: string,
): Factory | undefined {
  for (let at = above.length - 1; at >= 0; at -= 1) {
    const node = above[at] as Node;
    if (!/Function/.test(node.type)) continue;
    const parameters = nodesIn(node.params).map((each) => nameOf(each));
    const place = parameters.indexOf(nameOf(code));
    const holder = above[at - 1];
    const name = nameOf(node.id) ?? (holder?.type === 'VariableDeclarator' ? nameOf(holder.id) : undefined);
    if (place < 0 || name === undefined) continue;
    return { name, code: place, message: parameters.indexOf(nameOf(message)), severity };
  }
  return undefined;
}

function callsOf(
  node: Node,
  {
    file,
    factories,
    constants,
  }: {
    file: string;
    factories: ReadonlyMap<string, Factory>;
    constants: ReadonlyMap<string, Node>;
  },
): WrittenFinding[] {
  const factory = node.type === 'CallExpression' ? factories.get(nameOf(node.callee) ?? '') : undefined;
  if (!factory) return [];
  const given = Array.isArray(node.arguments) ? (node.arguments as unknown[]) : [];
  const code = textOf(given[factory.code], constants);
  if (code === undefined || !/^[a-z]+(-[a-z]+)*$/.test(code)) return [];
  const message = (factory.message >= 0 ? textOf(given[factory.message], constants) : undefined) ?? '…';
  return [{ code, severity: factory.severity, message, file }];
}

/** `FAULTS` of a tool: texts by code. */
function faultsOf(init: unknown, file: string): WrittenFinding[] {
  const table = plainOf(init);
  if (table?.type !== 'ObjectExpression') return [];
  return [...membersOf(table, new Map())].flatMap(([code, value]) => {
    const words = plainOf(value);
    if (words?.type !== 'ObjectExpression') return [];
    const message = textOf(membersOf(words, new Map()).get('message'), new Map()) ?? '…';
    return [{ code, severity: 'error', message, file }];
  });
}

function visit(node: Node, above: readonly Node[], look: (node: Node, above: readonly Node[]) => void): void {
  look(node, above);
  for (const [member, value] of Object.entries(node))
    if (member !== 'type') for (const child of nodesIn(value)) visit(child, [...above, node], look);
}
