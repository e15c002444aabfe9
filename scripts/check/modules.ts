import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

/** A reference to another module: `import`, `export … from`, `import()`, `import('…')` in a type, `new URL('…', import.meta.url)`. */
export interface Mention {
  readonly specifier: string;
  readonly line: number;
  /** Imported names; `*` for all of them. */
  readonly names: readonly string[];
  /** `export * from`: names requested from this module may come from that one. */
  readonly passesOn: boolean;
  /** When the other module is loaded: before this one runs, when code gets there, or never, if only its types are named. */
  readonly loads: 'before' | 'later' | 'never';
}

interface Export {
  readonly name: string;
  readonly line: number;
  /** A type or interface: gone at run time. */
  readonly isType: boolean;
}

export interface Module {
  /** From the root of the clone, with `/`. */
  readonly file: string;
  readonly mentions: readonly Mention[];
  readonly exports: readonly Export[];
  /** Names in its code, of variables, functions, types and properties, each once. */
  readonly identifiers: ReadonlySet<string>;
  readonly text: string;
}

/** A node of the syntax tree, with the parts that this scanner reads. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []);

/** Name of an identifier, or text of a literal. */
const nameOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined;
  const text = value.name ?? value.value;
  return typeof text === 'string' ? text : undefined;
};

export function readModule(root: string, file: string): Module {
  return parseModule(file, readFileSync(`${root}/${file}`, 'utf8'));
}

export function parseModule(file: string, text: string): Module {
  const lang = file.endsWith('.tsx') ? 'tsx' : file.endsWith('.d.ts') ? 'dts' : 'ts';
  const program: unknown = parseAst(text, { lang }, file);
  const lines = lineIndex(text);
  const mentions: Mention[] = [];
  const exported: Export[] = [];
  const identifiers = new Set<string>();

  const mention = (at: Node, source: unknown, rest: Pick<Mention, 'names' | 'loads'> & Partial<Mention>): void => {
    const specifier = nameOf(source);
    if (specifier !== undefined) mentions.push({ specifier, line: lines(at.start), passesOn: false, ...rest });
  };

  const visit = (node: Node): void => {
    switch (node.type) {
      case 'ImportDeclaration':
        mention(node, node.source, {
          names: nodes(node.specifiers).map(importedName),
          loads: loadsOf(node.importKind),
        });
        break;
      case 'ExportAllDeclaration':
        mention(node, node.source, { names: [], loads: loadsOf(node.exportKind), passesOn: node.exported === null });
        break;
      case 'ExportNamedDeclaration':
        mention(node, node.source, {
          names: nodes(node.specifiers).map((entry) => nameOf(entry.local) ?? '*'),
          loads: loadsOf(node.exportKind),
        });
        for (const name of exportedNames(node)) exported.push({ name, line: lines(node.start), isType: isType(node) });
        break;
      case 'ExportDefaultDeclaration':
        exported.push({ name: 'default', line: lines(node.start), isType: false });
        break;
      case 'ImportExpression':
        mention(node, node.source, { names: ['*'], loads: 'later' });
        break;
      case 'TSImportType':
        mention(node, node.source, { names: [nameOf(node.qualifier) ?? '*'], loads: 'never' });
        break;
      case 'Identifier':
      case 'PrivateIdentifier':
        identifiers.add(nameOf(node) ?? '');
        break;
      case 'NewExpression':
        if (nameOf(node.callee) === 'URL' && nodes(node.arguments)[1]?.type === 'MemberExpression')
          mention(node, nodes(node.arguments)[0], { names: ['*'], loads: 'later' });
        break;
    }
    for (const member of Object.values(node)) for (const child of nodes(member)) visit(child);
  };
  for (const node of nodes(program)) visit(node);
  return { file, mentions, exports: exported, identifiers, text };
}

/** `import type` is gone at run time; `import { type A }` leaves an empty import, which loads the module. */
const loadsOf = (kind: unknown): Mention['loads'] => (kind === 'type' ? 'never' : 'before');

function importedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return specifier.type === 'ImportSpecifier' ? (nameOf(specifier.imported) ?? '*') : '*';
}

const isType = (node: Node): boolean =>
  nodes(node.declaration).some(
    (entry) => entry.type === 'TSInterfaceDeclaration' || entry.type === 'TSTypeAliasDeclaration',
  );

function exportedNames(node: Node): string[] {
  const names = nodes(node.specifiers).map((entry) => nameOf(entry.exported));
  for (const declaration of nodes(node.declaration)) {
    const declarators = nodes(declaration.declarations);
    if (declarators.length > 0) names.push(...declarators.flatMap((entry) => patternNames(entry.id)));
    else names.push(nameOf(declaration.id));
  }
  return names.filter((name) => name !== undefined);
}

/** The names that `const { a, b: [c] } = …` binds. */
function patternNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [nameOf(pattern) ?? ''];
  const parts = [...nodes(pattern.properties), ...nodes(pattern.elements)];
  return parts.flatMap((part) => patternNames(part.value ?? part.argument ?? part));
}

function lineIndex(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
