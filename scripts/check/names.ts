import { parseAst } from 'rolldown/parseAst';
import type { Module } from './modules.ts';
import { type Complaint, isTest } from './project.ts';

/** Where each tool and each kind of target has a folder of its name. */
const LISTS = ['src/main/engine/tools/', 'src/main/engine/targets/'] as const;

/** Properties and attributes whose value is the name of a tool or a kind of target. */
const NAMING = /^(kind|tool)$/;
/** Calls that look a name up. */
const LOOKUP = /^(includes|has|get|indexOf)$|By[A-Z]\w*$|Of$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []);

/**
 * Names of tools and targets by which code outside their folders chooses: what differs between them belongs into their definitions, or a
 * new one would have to be added in more places than its folder and its line. Documents are YAML, in files or in templates; a name within
 * a longer text is prose; tests may name what they test. A name that is a noun of the model too (“host”) is one of these only beside
 * another: alone it may mean the noun.
 */
export function checkNames(modules: ReadonlyMap<string, Module>): Complaint[] {
  const files = [...modules.keys()];
  const outside = [...modules.values()].filter(
    ({ file }) => file.startsWith('src/') && !isTest(file) && !LISTS.some((list) => folderIn(list, file)),
  );
  return LISTS.flatMap((list) => {
    const names = files.flatMap((file) => (file.endsWith('/index.ts') && folderIn(list, file)) || []);
    const own = names.filter((name) => !modules.has(`src/shared/model/${name}.ts`));
    return outside.flatMap((module) =>
      namedIn(module, new Set(names), new Set(own)).map(({ name, line }) => ({
        file: module.file,
        line,
        text: `chooses by the name “${name}”, which only ${list}${name}/ should know: ask its definition instead`,
      })),
    );
  });
}

/** Name of the folder of a list in which a file lies. */
const folderIn = (list: string, file: string): string | undefined =>
  file.startsWith(list) ? /^([^/]+)\//.exec(file.slice(list.length))?.[1] : undefined;

/** `own`: the names that mean nothing else. */
function namedIn(
  { file, text }: Module,
  names: ReadonlySet<string>,
  own: ReadonlySet<string>,
): { name: string; line: number }[] {
  if (![...names].some((name) => new RegExp(`\\b${name}\\b`).test(text))) return [];
  const found: Node[] = [];
  const visit = (node: Node): void => {
    const chosen = chosenBy(node).filter((child) => own.has(textOf(child) ?? ''));
    const listed = namesBesideEachOther(node).filter((child) => names.has(textOf(child) ?? ''));
    found.push(...new Set([...chosen, ...(listed.length > 1 ? listed : [])]));
    for (const member of Object.values(node)) for (const child of nodes(member)) visit(child);
  };
  const program: unknown = parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }, file);
  for (const node of nodes(program)) visit(node);
  return found.map((node) => ({ name: textOf(node) ?? '', line: text.slice(0, node.start).split('\n').length }));
}

/** Literals of a node by which something is decided, not merely labelled. */
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

/** Members of one list, keys of one object, members of one union: two names of a list there are a copy of it. */
function namesBesideEachOther(node: Node): Node[] {
  if (node.type === 'ArrayExpression') return literals(node.elements);
  if (node.type === 'ObjectExpression') return nodes(node.properties).flatMap(({ key }) => nodes(key));
  return node.type === 'TSUnionType' ? nodes(node.types).flatMap(({ literal }) => nodes(literal)) : [];
}

const literals = (value: unknown): Node[] => nodes(value).filter(({ type }) => type === 'Literal');
const nameOf = (value: unknown): string | undefined => (isNode(value) ? textOf(value) : undefined);

function textOf({ name, value }: Node): string | undefined {
  const text = name ?? value;
  return typeof text === 'string' ? text : undefined;
}

const calledName = (callee: unknown): string => (isNode(callee) && (nameOf(callee.property) ?? nameOf(callee))) || '';
