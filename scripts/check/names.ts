import { parseAst } from 'rolldown/parseAst';
import type { Module } from './modules.ts';
import { type Complaint, isTest } from './project.ts';

/** Where each tool and each kind of target has a folder of its name. */
const LISTS = ['src/main/engine/tools/', 'src/main/engine/targets/'] as const;

/** Properties and attributes whose value is the name of a tool or a kind of target. */
const NAMING = /^(kind|tool)$/;
/** Calls that look a name up. */
const LOOKUP = /^(includes|has|get|indexOf|lastIndexOf|startsWith|endsWith)$|By[A-Z]\w*$|Of$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []);

/** The folder whose object schemas declare the properties that every room uses. */
const MODEL = 'src/shared/model/';

/**
 * Names of tools and targets on which code outside their folders branches: differences between them belong into their definitions, or a new one
 * would have to be added in more places than its folder and its line. Documents are YAML, in files or in templates; a name within a text with
 * spaces is prose; tests may name their subjects. A name that is also a noun of the model (“host”) counts only together with another one: alone it
 * may mean the noun. One that is a property of the model (“command” of a run) may be read as a member, and be in a pattern. An argument of a call
 * that looks nothing up, and an `id`, are labels: they are evaluated elsewhere.
 */
export function checkNames(modules: ReadonlyMap<string, Module>): Complaint[] {
  const files = [...modules.keys()];
  const properties = new Set([...modules.values()].filter(({ file }) => file.startsWith(MODEL)).flatMap(propertiesOf));
  const outside = [...modules.values()].filter(
    ({ file }) => file.startsWith('src/') && !isTest(file) && !LISTS.some((list) => folderIn(list, file)),
  );
  return LISTS.flatMap((list) => {
    const names = files.flatMap((file) => (file.endsWith('/index.ts') && folderIn(list, file)) || []);
    const own = names.filter((name) => !modules.has(`src/shared/model/${name}.ts`));
    return outside.flatMap((module) =>
      namedIn(module, { names: new Set(names), own: new Set(own), properties }).map(({ name, line }) => ({
        file: module.file,
        line,
        text: `chooses by the name “${name}”, which only ${list}${name}/ should know: ask its definition instead`,
      })),
    );
  });
}

/** Name of the folder in a list that contains a file. */
const folderIn = (list: string, file: string): string | undefined =>
  file.startsWith(list) ? /^([^/]+)\//.exec(file.slice(list.length))?.[1] : undefined;

/** The names of one list; those without another meaning; and the properties of the model, which may be among them. */
interface Words {
  readonly names: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

function namedIn(module: Module, { names, own, properties }: Words): { name: string; line: number }[] {
  const { text } = module;
  if (![...names].some((name) => new RegExp(`\\b${name}\\b`).test(text))) return [];
  const found = new Map<Node, string>();
  const note = (node: Node, wanted: (word: string) => boolean): void => {
    const name = wordsOf(node).find(wanted);
    if (name !== undefined) found.set(node, name);
  };
  visit(module, (node) => {
    for (const child of chosenBy(node)) note(child, (word) => own.has(word));
    for (const child of [...patterns(node), ...readFrom(node)])
      note(child, (word) => own.has(word) && !properties.has(word));
    const listed = namesListedTogether(node).filter((child) => names.has(textOf(child) ?? ''));
    if (listed.length > 1) for (const child of listed) note(child, (word) => names.has(word));
  });
  return [...found].map(([node, name]) => ({ name, line: text.slice(0, node.start).split('\n').length }));
}

function visit({ file, text }: Module, look: (node: Node) => void): void {
  const go = (node: Node): void => {
    look(node);
    for (const member of Object.values(node)) for (const child of nodes(member)) go(child);
  };
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file);
  for (const node of nodes(program)) go(node);
}

/** Keys of the objects that a module passes to a function: the fields of its schemas. */
function propertiesOf(module: Module): string[] {
  const found: string[] = [];
  visit(module, (node) => {
    if (node.type !== 'CallExpression') return;
    const fields = nodes(node.arguments).flatMap(({ type, properties }) =>
      type === 'ObjectExpression' ? nodes(properties) : [],
    );
    found.push(...fields.flatMap(({ key }) => nameOf(key) ?? []));
  });
  return found;
}

/** Literals of a node that affect control flow, not only labels. */
function chosenBy(node: Node): Node[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return literals([node.left, node.right]);
    case 'ConditionalExpression':
      return literals([node.consequent, node.alternate]);
    case 'SwitchCase':
      return literals([node.test]);
    case 'ArrayExpression':
      return literals(node.elements);
    case 'VariableDeclarator':
      return literals([node.init]);
    case 'ReturnStatement':
      return literals([node.argument]);
    case 'ArrowFunctionExpression':
      return literals([node.body]);
    case 'PropertyDefinition':
      return literals([node.value]);
    case 'AssignmentPattern':
      return literals([node.right]);
    case 'Property':
      return NAMING.test(nameOf(node.key) ?? '') ? literals([node.value]) : [];
    case 'JSXAttribute':
      return NAMING.test(nameOf(node.name) ?? '') ? literals([node.value]) : [];
    case 'CallExpression':
      return LOOKUP.test(calledName(node.callee)) ? literals(node.arguments) : [];
    default:
      return [];
  }
}

/** A regular expression, anywhere. */
const patterns = (node: Node): Node[] => (patternOf(node) === undefined ? [] : [node]);

/** The property that is read from an object. Private ones can have any name. */
const readFrom = (node: Node): Node[] =>
  node.type === 'MemberExpression' ? nodes(node.property).filter(({ type }) => type !== 'PrivateIdentifier') : [];

/** Members of one list, keys of one object, members of one union: two names of a list there are a copy of it. */
function namesListedTogether(node: Node): Node[] {
  if (node.type === 'ArrayExpression') return literals(node.elements);
  if (node.type === 'ObjectExpression') return nodes(node.properties).flatMap(({ key }) => nodes(key));
  return node.type === 'TSUnionType' ? nodes(node.types).flatMap(({ literal }) => nodes(literal)) : [];
}

const literals = (value: unknown): Node[] =>
  nodes(value).filter(({ type, regex }) => (type === 'Literal' && !regex) || type === 'TemplateLiteral');
const nameOf = (value: unknown): string | undefined => (isNode(value) ? textOf(value) : undefined);

function textOf({ name, value }: Node): string | undefined {
  const text = name ?? value;
  return typeof text === 'string' ? text : undefined;
}

/** The words of a name, a text without spaces, or a pattern. */
function wordsOf(node: Node): string[] {
  const text = textOf(node) ?? patternOf(node) ?? templateOf(node);
  if (text === undefined || (/\s/.test(text) && patternOf(node) === undefined)) return [];
  return text.split(/[^a-zA-Z0-9]+/);
}

const patternOf = ({ regex }: Node): string | undefined =>
  typeof regex === 'object' && regex !== null ? String(Reflect.get(regex, 'pattern')) : undefined;

const templateOf = ({ quasis }: Node): string | undefined =>
  Array.isArray(quasis)
    ? nodes(quasis)
        .map(({ value }) => (typeof value === 'object' && value !== null ? String(Reflect.get(value, 'raw')) : ''))
        .join('\0')
    : undefined;

const calledName = (callee: unknown): string => (isNode(callee) && (nameOf(callee.property) ?? nameOf(callee))) || '';
